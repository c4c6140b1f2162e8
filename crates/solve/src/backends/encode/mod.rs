//! Terms as Z3 expressions, each once, in the forms they are used in.
//!
//! A term of width 1 is a Boolean or one bit, a term of a float operator is a float or its bits. The form an operator
//! gives by itself is made first, others on demand. What Z3 cannot express is left open: a free value in its place only
//! makes the query weaker, so Unsat stays Unsat and a model has to pass evaluation anyway.

mod bits;
mod float;
pub mod int;
mod linear;

use crate::backends::encode::{bits as encode_bits, float as encode_float};
use crate::backends::z3::context::{Ast, Context};
use covet_expr::{Form, Op, Pool, Term, natural_form};
use covet_input::VarId;
use rustc_hash::FxHashMap;
use z3_sys::*;

/// The expression of a term in its three forms.
#[derive(Clone, Copy, Debug, Default)]
struct Forms {
    boolean: Option<Ast>,
    bits: Option<Ast>,
    float: Option<Ast>,
    has_float: bool,
    has_open: bool,
}

/// What is in a term besides bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Contents {
    pub float: bool,
    /// Something left open.
    pub open: bool,
}

#[derive(Debug)]
pub(crate) struct Encoder {
    pub context: Context,
    forms: Vec<Forms>,
    variables: FxHashMap<VarId, Ast>,
    stack: Vec<Term>,
}

// SAFETY: the handles belong to `context`, which moves with them; see there.
unsafe impl Send for Encoder {}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder { context: Context::new(), forms: Vec::new(), variables: FxHashMap::default(), stack: Vec::new() }
    }

    /// The expression of a condition.
    pub fn condition(&mut self, pool: &Pool, t: Term) -> Ast {
        self.prepare(pool, t);
        self.boolean(pool, t)
    }

    pub fn contents(&self, t: Term) -> Contents {
        let forms = self.forms.get(t.index()).copied().unwrap_or_default();
        Contents { float: forms.has_float, open: forms.has_open }
    }

    pub fn variable(&self, id: VarId) -> Option<Ast> {
        self.variables.get(&id).copied()
    }

    /// Makes the natural form of `root` and of everything under it.
    fn prepare(&mut self, pool: &Pool, root: Term) {
        if self.forms.len() < pool.len() {
            self.forms.resize(pool.len(), Forms::default());
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&t) = stack.last() {
            if self.is_made(t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.children(t).iter().filter(|child| !self.is_made(**child)));
            if let Some(table) = pool.table_of(t) {
                stack.extend(pool.entries(table).iter().filter(|entry| !self.is_made(**entry)));
            }
            if stack.len() == before {
                self.make(pool, t);
                stack.pop();
            }
        }
        self.stack = stack;
    }

    fn is_made(&self, t: Term) -> bool {
        let forms = &self.forms[t.index()];
        forms.boolean.is_some() || forms.bits.is_some() || forms.float.is_some()
    }

    /// Makes the natural form of a term whose operands are made.
    fn make(&mut self, pool: &Pool, t: Term) {
        let form = natural_form(pool, t);
        let ast = match (pool.op(t), form) {
            (Op::Var, _) => {
                let id = pool.variable(t).unwrap_or(VarId(0));
                let ast = self.context.variable(id.0 as i32, pool.width(t));
                self.variables.insert(id, ast);
                ast
            }
            (_, Form::Float) => encode_float::arithmetic(self, pool, t),
            (Op::FEq | Op::FLt | Op::FLe | Op::FUno, _) => encode_float::comparison(self, pool, t),
            (Op::FToS | Op::FToU, _) => encode_float::to_integer(self, pool, t),
            (Op::FCopySign, _) => encode_float::copy_sign(self, pool, t),
            _ => encode_bits::term(self, pool, t),
        };
        let contents = self.contents_of(pool, t);
        let forms = &mut self.forms[t.index()];
        (forms.has_float, forms.has_open) = (contents.float, contents.open);
        match form {
            Form::Bool => forms.boolean = Some(ast),
            Form::Bits => forms.bits = Some(ast),
            Form::Float => forms.float = Some(ast),
        }
        self.float_choice(pool, t);
    }

    /// A choice between floats is also a float, without the way through bits.
    fn float_choice(&mut self, pool: &Pool, t: Term) {
        if pool.op(t) != Op::Ite || !matches!(pool.width(t), 32 | 64) {
            return;
        }
        let children = pool.children(t);
        let is_float = |t: Term| self.forms[t.index()].float.is_some();
        if is_float(children[1]) || is_float(children[2]) {
            let condition = self.boolean(pool, children[0]);
            let (yes, no) = (self.float(pool, children[1]), self.float(pool, children[2]));
            self.forms[t.index()].float = Some(self.context.ite(condition, yes, no));
        }
    }

    fn contents_of(&self, pool: &Pool, t: Term) -> Contents {
        let op = pool.op(t);
        let own = natural_form(pool, t) == Form::Float
            || matches!(op, Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::FToS | Op::FToU);
        // The bits of a NaN are open, and so is what a wide integer is made of when it is too small.
        let is_of_bits = !own || matches!(op, Op::SToF | Op::UToF);
        let takes_bits = is_of_bits && pool.children(t).iter().any(|child| natural_form(pool, *child) == Form::Float);
        let is_wide = matches!(op, Op::FToS | Op::FToU) && pool.width(t) > 64;
        let mut contents = Contents { float: own, open: takes_bits || is_wide || matches!(op, Op::FRem | Op::Call) };
        let mut join = |child: &Term| {
            let forms = &self.forms[child.index()];
            contents.float |= forms.has_float;
            contents.open |= forms.has_open;
        };
        pool.children(t).iter().for_each(&mut join);
        if let Some(table) = pool.table_of(t) {
            pool.entries(table).iter().for_each(&mut join);
        }
        contents
    }

    /// A made term as a Boolean.
    pub fn boolean(&mut self, pool: &Pool, t: Term) -> Ast {
        if let Some(ast) = self.forms[t.index()].boolean {
            return ast;
        }
        let ast = match pool.constant(t) {
            Some(value) => self.context.truth(value != 0),
            None => {
                let bits = self.bits(pool, t);
                let one = self.context.bits(1, 1);
                self.context.equal(bits, one)
            }
        };
        self.forms[t.index()].boolean = Some(ast);
        ast
    }

    /// A made term as bits.
    pub fn bits(&mut self, pool: &Pool, t: Term) -> Ast {
        let forms = self.forms[t.index()];
        if let Some(ast) = forms.bits {
            return ast;
        }
        let ast = match (forms.boolean, forms.float) {
            (Some(boolean), _) => {
                let (one, zero) = (self.context.bits(1, 1), self.context.bits(1, 0));
                self.context.ite(boolean, one, zero)
            }
            (None, Some(float)) => {
                // A NaN has many patterns and Z3 knows one: which it is stays open.
                let open = self.context.fresh(pool.width(t));
                let pattern = self.context.unary(Z3_mk_fpa_to_ieee_bv, float);
                let is_nan = self.context.unary(Z3_mk_fpa_is_nan, float);
                self.context.ite(is_nan, open, pattern)
            }
            (None, None) => self.context.keep(None),
        };
        self.forms[t.index()].bits = Some(ast);
        ast
    }

    /// A made term as a float.
    pub fn float(&mut self, pool: &Pool, t: Term) -> Ast {
        if let Some(ast) = self.forms[t.index()].float {
            return ast;
        }
        let bits = self.bits(pool, t);
        let ast = self.context.float_of(bits, pool.width(t));
        self.forms[t.index()].float = Some(ast);
        ast
    }
}
