//! The hooks: every function of the runtime that instrumented code calls. One list, expanded by `instrument` (to declare
//! them in LLVM) and by `runtime` (to check that each exists with this very signature).
//!
//! Conventions. Symbols are `__covet_` + name. `u8`, `u32`, `u64` and `ptr` are the only types. An operand is passed as its
//! node id and its concrete value (zero-extended bits, floats as IEEE bits); id 0 makes the runtime build a constant.
//! Hooks are only called when at least one id is not 0. Widths are in bits. Result: a node id, 0 if it turned out concrete.
//!
//! Besides hooks, code and runtime share these variables:
//! - `__covet_args: [u32; ARGUMENT_SLOTS]`, `__covet_args_for: ptr`: a caller with symbolic arguments stores one id per argument leaf and the
//!   callee's address; a callee whose own address is not there sees concrete arguments. The callee puts `__covet_args_for` to rest.
//! - `__covet_ret: [u32; RESULT_SLOTS]`: ids of the returned leaves. The caller zeroes slot 0.. before a call outside; an instrumented callee
//!   always writes all its leaves.
//! - `__covet_logs: u64`: the [`crate::logs::Logs`] of this run. `__covet_args_for` rests at that value, so that a function sees with one
//!   look that it is called with symbolic arguments or has to log: not null. Where it is null nothing of this costs anything.
//! - `__covet_objects: [Object; N]`, `__covet_object_top: u64`: stack objects (address, size) that may be indexed; pushed by the
//!   prologue of functions that have such, top restored on return.

/// Expands `$callback! { name(arg: type, ...) -> type; ... }` with every hook.
#[macro_export]
macro_rules! hooks {
    ($callback:ident) => {
        $callback! {
            // Operators of up to 64 bits. `op` is a node::Op; the width is that of the operands.
            unary(op: u32, width: u32, a: u32) -> u32;
            binary(op: u32, width: u32, a: u32, b: u32, av: u64, bv: u64) -> u32;
            // Up to 128 bits: values as low and high halves.
            binary_wide(op: u32, width: u32, a: u32, b: u32, al: u64, ah: u64, bl: u64, bh: u64) -> u32;
            // Ite, FFma.
            ternary(op: u32, width: u32, a: u32, b: u32, c: u32, av: u64, bv: u64, cv: u64) -> u32;
            ite_wide(width: u32, a: u32, b: u32, c: u32, av: u64, bl: u64, bh: u64, cl: u64, ch: u64) -> u32;
            // ZExt, SExt, Extract (from bit 0), FToF, FToS, FToU, SToF, UToF.
            cast(op: u32, from: u32, to: u32, a: u32) -> u32;
            // Bits `low .. low + width` of `a`.
            extract(a: u32, low: u32, width: u32) -> u32;
            // `a` above `b`.
            concat(a: u32, a_width: u32, av: u64, b: u32, b_width: u32, bv: u64) -> u32;
            // FRound with a node::Rounding.
            round(mode: u32, width: u32, a: u32) -> u32;
            // Function `number` of library::LIBRARY on `count` floats of this width.
            library(number: u32, count: u32, width: u32, a: u32, b: u32, c: u32, av: u64, bv: u64, cv: u64) -> u32;

            // Address arithmetic: `pointer + index * scale + offset`; all values are of 64 bits.
            element(pointer: u64, pointer_id: u32, index: u64, index_id: u32, scale: u64, offset: u64) -> u32;
            // An index into an array of `count` elements (one more where only the address is taken), symbolic or too large.
            bounds(site: u32, id: u32, index: u64, count: u64) -> u32;
            // A shift of a value of `width` bits by an amount that is symbolic or too large.
            shift(site: u32, width: u32, id: u32, amount: u64) -> u32;
            // Signed addition, subtraction or multiplication (a node::Op) of up to 64 bits with a symbolic operand or a result that does not fit.
            overflow(site: u32, op: u32, width: u32, a: u32, b: u32, av: u64, bv: u64) -> u32;
            // An array of variable length has come into being, with room for red zones around it; the stack is cut back to `stack`; a
            // function with such arrays ends, and finds this many objects of others.
            zone(address: u64, length: u64) -> u32;
            restore(stack: u64) -> u32;
            leave(objects: u64) -> u32;
            // Nobody has written to an object that has just come into being.
            undefine(address: u64, length: u64) -> u32;
            // A value is handed to a function or back to a caller, who rely on it.
            used(id: u32) -> u32;
            // A function that is not instrumented gets this address, and may write there.
            handed_over(address: u64) -> u32;
            // Not 0 when one of these very bytes is in the presence map: its neighbours may be the reason for a hit.
            touched(address: u64, length: u64) -> u32;
            // A check is violated here (check::Check).
            violation(site: u32, check: u32) -> u32;

            // Memory. `load` is called before the plain load, when the address id is not 0 or the presence map has a hit. `bits` is a multiple of 8 (i1 and odd widths are stored as whole bytes). `id` is that of the address.
            load(address: u64, id: u32, bits: u32, site: u32) -> u32;
            // Called before the plain store, with the value to store as node id and bits. Called when the id of address or value is not 0,
            // or when the presence map says the target may hold something symbolic (which is then overwritten or forgotten).
            store(address: u64, id: u32, bits: u32, value: u32, low: u64, high: u64, site: u32) -> u32;
            // The plain copy or fill is done by these hooks too.
            memory_copy(to: u64, from: u64, length: u64, to_id: u32, from_id: u32, length_id: u32, site: u32) -> u32;
            memory_fill(to: u64, byte: u64, length: u64, to_id: u32, byte_id: u32, length_id: u32, site: u32) -> u32;
            // Forget what is symbolic in a range (an alloca that comes into being, memory written by others).
            forget(address: u64, length: u64) -> u32;

            // Events.
            branch(site: u32, id: u32, taken: u32) -> u32;
            switch(site: u32, id: u32, width: u32, value: u64) -> u32;
            target(site: u32, id: u32, value: u64) -> u32;
            // Before an integer division with a symbolic operand: emits the checks of check::Check.
            division(site: u32, signed: u32, width: u32, a: u32, b: u32, al: u64, ah: u64, bl: u64, bh: u64) -> u32;
            // `id` (with this value) is about to be used concretely for `reason`: a concretization constraint, counted.
            concretise(reason: u32, id: u32, width: u32, low: u64, high: u64) -> u32;
            // Only counted, not pinned (printing, dead ends).
            count(reason: u32) -> u32;
            // Calls external function number `number` with at least one symbolic argument.
            external(number: u32) -> u32;

            // The logs of abi::logs, called by the user's functions while `__covet_logs` says so: a counter is bumped; a function is entered,
            // with these argument leaves, in order (width 0: not tracked), and left.
            counted(counter: u32) -> u32;
            entered(function: u32) -> u32;
            argument(id: u32, width: u32, low: u64, high: u64) -> u32;
            returned(function: u32) -> u32;
            // The number of calls that are open, and back to that many after a jump.
            open_calls() -> u32;
            jumped_back(open: u32) -> u32;

            // In a variadic function, after `va_start`: `ids` are the argument leaves saved at entry, `classes` their
            // hooks::ArgumentClass (a byte each), `fixed_*` the registers taken by named arguments.
            va_start(list: u64, ids: u64, classes: u64, count: u32, fixed_int: u32, fixed_float: u32, fixed_stack: u32) -> u32;
        }
    };
}

/// Argument and result leaves that travel with their shadow; further ones are concrete.
pub const ARGUMENT_SLOTS: usize = 64;
pub const RESULT_SLOTS: usize = 8;

/// Where a leaf of an argument is passed.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentClass {
    /// An integer register, while there are any.
    Integer = 0,
    /// A floating-point register, while there are any.
    Float = 1,
    /// Sixteen bytes of stack: a `long double`.
    Stack = 2,
    /// Eight bytes of stack: part of a structure passed by value.
    Word = 3,
}

impl ArgumentClass {
    pub const fn from_u8(number: u8) -> Option<ArgumentClass> {
        Some(match number {
            0 => ArgumentClass::Integer,
            1 => ArgumentClass::Float,
            2 => ArgumentClass::Stack,
            3 => ArgumentClass::Word,
            _ => return None,
        })
    }
}

/// Entries of `__covet_objects`, each an address and a size (`u64`). `__covet_object_top` is the number in use; a function that finds
/// it at this limit notes nothing more.
pub const OBJECT_SLOTS: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::ArgumentClass;

    #[test]
    fn classes_survive_their_numbers() {
        let all = [ArgumentClass::Integer, ArgumentClass::Float, ArgumentClass::Stack, ArgumentClass::Word];
        assert!(all.iter().all(|class| ArgumentClass::from_u8(*class as u8) == Some(*class)));
        assert_eq!(ArgumentClass::from_u8(all.len() as u8), None);
    }
}
