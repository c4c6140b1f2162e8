//! A Z3 context with its expressions: the thin layer over the C interface.
//!
//! Every expression made here is referenced until the context goes, so handles never dangle. A call that Z3 refuses marks
//! the context as failed instead of giving back nothing; the session looks at that mark before it believes an answer.

use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};
use z3_sys::*;

/// An expression of one context. Invariant of this module tree: it is handed to no other context (an encoder has one context, and
/// its expressions stay with it), and not used when that context is gone. That is all that the C interface asks of callers: sorts that do not fit
/// are refused, not undefined.
pub(crate) type Ast = Z3_ast;

/// Functions of the C interface that make an expression.
pub(crate) type Unary = unsafe extern "C" fn(Z3_context, Ast) -> Option<Ast>;
pub(crate) type Binary = unsafe extern "C" fn(Z3_context, Ast, Ast) -> Option<Ast>;
pub(crate) type Ternary = unsafe extern "C" fn(Z3_context, Ast, Ast, Ast) -> Option<Ast>;
/// Of so many expressions in a row.
pub(crate) type Many = unsafe extern "C" fn(Z3_context, u32, *const Ast) -> Option<Ast>;
/// Of a bit-vector, longer by so many bits.
pub(crate) type Extension = unsafe extern "C" fn(Z3_context, u32, Ast) -> Option<Ast>;
/// Of a rounding mode and a number: a float of that sort, bits of that number.
pub(crate) type ToFloat = unsafe extern "C" fn(Z3_context, Ast, Ast, Z3_sort) -> Option<Ast>;
pub(crate) type ToBits = unsafe extern "C" fn(Z3_context, Ast, Ast, u32) -> Option<Ast>;

#[derive(Debug)]
pub(crate) struct Context {
    raw: Z3_context,
    failed: Cell<bool>,
    /// Expressions that are referenced, in the order they were made.
    kept: RefCell<Vec<Ast>>,
    truth: [Ast; 2],
    rounding: [Ast; 5],
    float_sorts: [Z3_sort; 2],
}

// SAFETY: a context and all that belongs to it may be used from any thread, one at a time; `Context` is not `Sync` and
// hands out raw handles only within this module tree, whose owner moves as a whole.
unsafe impl Send for Context {}

/// Interrupts a context that another thread works with. To be used while that context is known to live.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupter(Z3_context);

// SAFETY: interrupting is the one call that Z3 allows from any thread at any time.
unsafe impl Send for Interrupter {}

impl Interrupter {
    pub fn interrupt(self) {
        // SAFETY: the caller holds the way on which the context comes back, so it lives.
        unsafe { Z3_interrupt(self.0) };
    }
}

/// Megabytes of all contexts above which Z3 gives up a query, at most. It looks only while it searches, not while it takes a formula in: what
/// bounds that is the circuit size of the query. Its hard limit (`memory_max_size`) throws out of destructors too, which ends the process.
const MOST_MEMORY: u64 = 1024;

static MEMORY: Mutex<Option<u64>> = Mutex::new(None);

/// Bounds what all contexts of the process hold together.
pub fn limit_memory(bytes: u64) {
    let megabytes = (bytes >> 20).clamp(1, MOST_MEMORY);
    let mut memory = MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    if *memory != Some(megabytes) {
        let text = CString::new(megabytes.to_string()).unwrap_or_default();
        // SAFETY: strings that Z3 copies; one thread at a time.
        unsafe { Z3_global_param_set(c"memory_high_watermark_mb".as_ptr(), text.as_ptr()) };
        *memory = Some(megabytes);
    }
}

/// The usual bound, where nobody has set one.
fn bound_memory() {
    let is_bounded = MEMORY.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    if !is_bounded {
        limit_memory(u64::MAX);
    }
}

impl Context {
    pub fn new() -> Context {
        bound_memory();
        // SAFETY: plain construction by the C interface; a null answer means that memory ran out.
        unsafe {
            let config = Z3_mk_config().expect("Z3 gives a configuration");
            let raw = Z3_mk_context_rc(config).expect("Z3 gives a context");
            Z3_del_config(config);
            Z3_set_error_handler(raw, None);
            let keep = |ast: Option<Z3_ast>| {
                let ast = ast.expect("Z3 gives constants");
                Z3_inc_ref(raw, ast);
                ast
            };
            let sort = |sort: Option<Z3_sort>| {
                let sort = sort.expect("Z3 gives sorts");
                Z3_inc_ref(raw, Z3_sort_to_ast(raw, sort).expect("a sort is an expression"));
                sort
            };
            Context {
                raw,
                failed: Cell::new(false),
                kept: RefCell::default(),
                truth: [keep(Z3_mk_false(raw)), keep(Z3_mk_true(raw))],
                rounding: [
                    keep(Z3_mk_fpa_rne(raw)),
                    keep(Z3_mk_fpa_rna(raw)),
                    keep(Z3_mk_fpa_rtn(raw)),
                    keep(Z3_mk_fpa_rtp(raw)),
                    keep(Z3_mk_fpa_rtz(raw)),
                ],
                float_sorts: [sort(Z3_mk_fpa_sort_32(raw)), sort(Z3_mk_fpa_sort_64(raw))],
            }
        }
    }

    pub fn raw(&self) -> Z3_context {
        self.raw
    }

    /// Stops a check of this context from another thread.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.raw)
    }

    /// Whether Z3 refused anything since this was last asked.
    pub fn take_failure(&self) -> bool {
        self.failed.replace(false)
    }

    /// Whether Z3 did what it was last asked for.
    pub fn is_fine(&self) -> bool {
        // SAFETY: the context lives.
        unsafe { Z3_get_error_code(self.raw) == ErrorCode::Ok }
    }

    /// Marks the context as failed when `fine` is false.
    pub fn note(&self, fine: bool) {
        if !fine {
            self.failed.set(true);
        }
    }

    /// Number of expressions made.
    pub fn made(&self) -> usize {
        self.kept.borrow().len()
    }

    /// References an expression; a refused one becomes `true` and marks the failure.
    pub fn keep(&self, ast: Option<Ast>) -> Ast {
        match ast {
            Some(ast) => {
                // SAFETY: `ast` was just made by this context.
                unsafe { Z3_inc_ref(self.raw, ast) };
                self.kept.borrow_mut().push(ast);
                ast
            }
            None => {
                self.failed.set(true);
                self.truth[1]
            }
        }
    }

    pub fn unary(&self, make: Unary, a: Ast) -> Ast {
        // SAFETY: `a` is an expression of this context, see [`Ast`].
        self.keep(unsafe { make(self.raw, a) })
    }

    pub fn binary(&self, make: Binary, a: Ast, b: Ast) -> Ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw, a, b) })
    }

    pub fn ternary(&self, make: Ternary, a: Ast, b: Ast, c: Ast) -> Ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw, a, b, c) })
    }

    pub fn many(&self, make: Many, parts: &[Ast]) -> Ast {
        // SAFETY: as in `unary`; pointer and length describe `parts`.
        self.keep(unsafe { make(self.raw, parts.len() as u32, parts.as_ptr()) })
    }

    pub fn extend(&self, make: Extension, by: u32, a: Ast) -> Ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw, by, a) })
    }

    /// A number as the nearest float of a width.
    pub fn to_float(&self, make: ToFloat, a: Ast, width: u16) -> Ast {
        // SAFETY: as in `unary`; the sort is one of this context.
        self.keep(unsafe { make(self.raw, self.nearest_even(), a, self.float_sort(width)) })
    }

    /// A float as an integer of a width, rounded toward zero.
    pub fn to_bits(&self, make: ToBits, a: Ast, width: u16) -> Ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { make(self.raw, self.toward_zero(), a, u32::from(width)) })
    }

    /// The float with these bits.
    pub fn float_of(&self, bits: Ast, width: u16) -> Ast {
        // SAFETY: as in `to_float`.
        self.keep(unsafe { Z3_mk_fpa_to_fp_bv(self.raw, bits, self.float_sort(width)) })
    }

    /// `a * b + c`, rounded once.
    pub fn fused(&self, a: Ast, b: Ast, c: Ast) -> Ast {
        // SAFETY: as in `unary`.
        self.keep(unsafe { Z3_mk_fpa_fma(self.raw, self.nearest_even(), a, b, c) })
    }

    pub fn truth(&self, value: bool) -> Ast {
        self.truth[usize::from(value)]
    }

    /// The rounding mode with the number of `covet_abi::node::Rounding`.
    pub fn rounding(&self, number: u8) -> Ast {
        self.rounding[usize::from(number).min(4)]
    }

    pub fn nearest_even(&self) -> Ast {
        self.rounding[0]
    }

    pub fn toward_zero(&self) -> Ast {
        self.rounding[4]
    }

    pub fn float_sort(&self, width: u16) -> Z3_sort {
        self.float_sorts[usize::from(width == 64)]
    }

    fn bits_sort(&self, width: u16) -> Option<Z3_sort> {
        // SAFETY: any width from 1 up is a sort.
        unsafe { Z3_mk_bv_sort(self.raw, u32::from(width)) }
    }

    /// A constant of the bit-vector sort.
    pub fn bits(&self, width: u16, value: u128) -> Ast {
        let Some(sort) = self.bits_sort(width) else { return self.keep(None) };
        if let Ok(small) = u64::try_from(value) {
            // SAFETY: the sort is a bit-vector sort of this context.
            return self.keep(unsafe { Z3_mk_unsigned_int64(self.raw, small, sort) });
        }
        let digits = CString::new(value.to_string()).unwrap_or_default();
        // SAFETY: as above; the string outlives the call.
        self.keep(unsafe { Z3_mk_numeral(self.raw, digits.as_ptr(), sort) })
    }

    /// The float constant with these bits.
    pub fn float(&self, width: u16, bits: u128) -> Ast {
        self.float_of(self.bits(width, bits), width)
    }

    /// A free bit-vector named by number.
    pub fn variable(&self, name: i32, width: u16) -> Ast {
        let Some(sort) = self.bits_sort(width) else { return self.keep(None) };
        // SAFETY: symbol and sort belong to this context.
        self.keep(unsafe { Z3_mk_int_symbol(self.raw, name).and_then(|symbol| Z3_mk_const(self.raw, symbol, sort)) })
    }

    /// A free bit-vector nobody else knows.
    pub fn fresh(&self, width: u16) -> Ast {
        let Some(sort) = self.bits_sort(width) else { return self.keep(None) };
        // SAFETY: the prefix is a C string, the sort belongs to this context.
        self.keep(unsafe { Z3_mk_fresh_const(self.raw, c"open".as_ptr(), sort) })
    }

    /// A free float nobody else knows.
    pub fn fresh_float(&self, width: u16) -> Ast {
        let sort = self.float_sort(width);
        // SAFETY: as in `fresh`.
        self.keep(unsafe { Z3_mk_fresh_const(self.raw, c"open".as_ptr(), sort) })
    }

    /// A whole number.
    pub fn integer(&self, value: i128) -> Ast {
        let digits = CString::new(value.to_string()).unwrap_or_default();
        // SAFETY: the string outlives the call, the sort belongs to this context.
        self.keep(unsafe { Z3_mk_int_sort(self.raw).and_then(|sort| Z3_mk_numeral(self.raw, digits.as_ptr(), sort)) })
    }

    /// A free integer named by number. (Bit-vectors of that name are something else: the sort tells them apart.)
    pub fn integer_variable(&self, name: i32) -> Ast {
        // SAFETY: symbol and sort belong to this context.
        self.keep(unsafe {
            let sort = Z3_mk_int_sort(self.raw);
            let symbol = Z3_mk_int_symbol(self.raw, name);
            sort.zip(symbol).and_then(|(sort, symbol)| Z3_mk_const(self.raw, symbol, sort))
        })
    }

    pub fn ite(&self, condition: Ast, yes: Ast, no: Ast) -> Ast {
        if yes == no {
            return yes;
        }
        self.ternary(Z3_mk_ite, condition, yes, no)
    }

    pub fn equal(&self, a: Ast, b: Ast) -> Ast {
        self.binary(Z3_mk_eq, a, b)
    }

    pub fn extract(&self, t: Ast, low: u16, width: u16) -> Ast {
        let high = u32::from(low + width - 1);
        // SAFETY: as in `unary`.
        self.keep(unsafe { Z3_mk_extract(self.raw, high, u32::from(low), t) })
    }

    pub fn and(&self, parts: &[Ast]) -> Ast {
        self.many(Z3_mk_and, parts)
    }

    pub fn or(&self, parts: &[Ast]) -> Ast {
        self.many(Z3_mk_or, parts)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // What is still referenced when a context goes, Z3 takes apart level by level: minutes for a deep formula. The last made first,
        // so that each goes by itself.
        // SAFETY: the context is ours, its expressions were referenced once each, and nothing of it is used after it.
        unsafe {
            self.kept.get_mut().drain(..).rev().for_each(|ast| Z3_dec_ref(self.raw, ast));
            Z3_del_context(self.raw);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_deep_formula_is_given_back_at_once() {
        let context = Context::new();
        let x = context.bits(32, 7);
        let deep = (0..60_000).fold(x, |sum, i| {
            let next = context.bits(32, i);
            let sum = context.binary(Z3_mk_bvadd, sum, next);
            context.binary(Z3_mk_bvxor, sum, x)
        });
        assert_ne!(deep, x);
        let start = Instant::now();
        drop(context);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
