//! Conditions over integers instead of bit-vectors: what linear arithmetic decides fast.
//!
//! Each term gets an integer expression that equals it modulo 2^width, with bounds on its value. As long as the bounds show
//! that nothing wraps round, the translation is exact; where they do not, it assumes so and says so. A model is checked by
//! evaluation like any other; Unsat counts only when every condition in it was exact. What is not linear is left out,
//! which weakens the query and keeps Unsat right.

use crate::backends::encode::linear::{Atoms, Linear};
use crate::backends::z3::context::{Ast, Context};
use covet_expr::bits::signed;
use covet_expr::{Op, Pool, Term};
use covet_input::VarId;
use rustc_hash::FxHashMap;
use z3_sys::*;

/// A condition as far as it could be translated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Translated {
    pub ast: Ast,
    pub exact: bool,
}

#[derive(Debug, Default)]
pub(crate) struct IntEncoder {
    integers: FxHashMap<Term, Option<Linear>>,
    /// Of terms of width 1, without the ranges of their variables.
    booleans: FxHashMap<Term, Option<Translated>>,
    conditions: FxHashMap<Term, Option<Translated>>,
    variables: FxHashMap<VarId, (Ast, u16)>,
    atoms: Atoms,
    stack: Vec<Term>,
}

/// Variables up to this width are read as unsigned, wider ones as signed. At least the width of what `confine` gets.
const UNSIGNED_WIDTH: u16 = 8;

impl IntEncoder {
    /// A condition with the ranges of its variables, or nothing when it is not linear.
    pub fn condition(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Translated> {
        if let Some(known) = self.conditions.get(&t) {
            return *known;
        }
        self.prepare(context, pool, t);
        let made = self.booleans.get(&t).copied().flatten().map(|condition| {
            let mut parts = vec![condition.ast];
            for id in pool.variables(t).iter() {
                parts.extend(self.range_of(context, id));
            }
            Translated { ast: context.and(&parts), exact: condition.exact }
        });
        self.conditions.insert(t, made);
        made
    }

    /// Translates a condition that means: `variable` (small, so read as unsigned) is in one of the ranges.
    pub fn confine(
        &mut self,
        context: &Context,
        pool: &Pool,
        condition: Term,
        variable: Term,
        ranges: &[(u128, u128)],
    ) {
        if self.conditions.contains_key(&condition) {
            return;
        }
        self.prepare(context, pool, variable);
        let Some(ast) = pool.variable(variable).and_then(|id| self.variable(id)) else { return };
        let parts: Vec<Ast> =
            ranges.iter().map(|(first, last)| within(context, ast, *first as i128, *last as i128)).collect();
        self.conditions.insert(condition, Some(Translated { ast: context.or(&parts), exact: true }));
    }

    /// The bits of a variable from its integer value.
    pub fn variable(&self, id: VarId) -> Option<Ast> {
        self.variables.get(&id).map(|(ast, _)| *ast)
    }

    fn range_of(&self, context: &Context, id: VarId) -> Option<Ast> {
        let &(ast, width) = self.variables.get(&id)?;
        let (least, most) = variable_bounds(width);
        Some(within(context, ast, least, most))
    }

    /// Translates everything under a condition, children first.
    fn prepare(&mut self, context: &Context, pool: &Pool, root: Term) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&t) = stack.last() {
            if self.is_made(t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.children(t).iter().filter(|child| !self.is_made(**child)));
            if stack.len() > before {
                continue;
            }
            if pool.width(t) == 1 {
                let made = self.boolean(context, pool, t);
                self.booleans.insert(t, made);
            } else {
                let made = self.integer(context, pool, t);
                self.integers.insert(t, made);
            }
            stack.pop();
        }
        self.stack = stack;
    }

    fn is_made(&self, t: Term) -> bool {
        self.integers.contains_key(&t) || self.booleans.contains_key(&t)
    }

    /// A made term as an integer; a truth value is 0 or 1.
    fn get(&mut self, context: &Context, t: Term) -> Option<Linear> {
        if let Some(made) = self.integers.get(&t) {
            return made.clone();
        }
        let condition = self.booleans.get(&t).copied().flatten()?;
        let ast = context.ite(condition.ast, context.integer(1), context.integer(0));
        let bit = Linear::atom(self.atoms.add(ast), 0, 1, condition.exact);
        self.integers.insert(t, Some(bit.clone()));
        Some(bit)
    }

    /// The integer of a term whose operands are made.
    fn integer(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Linear> {
        let width = pool.width(t);
        if width > 64 {
            return None;
        }
        if let Some(value) = pool.constant(t) {
            return Some(Linear::constant(signed(value, width)));
        }
        let children = pool.children(t);
        let inner = children.first().map_or(0, |child| pool.width(*child));
        let made = match pool.op(t) {
            Op::Var => self.variable_of(context, pool, t)?,
            Op::Add => self.get(context, children[0])?.plus(1, &self.get(context, children[1])?)?,
            Op::Sub => self.get(context, children[0])?.plus(-1, &self.get(context, children[1])?)?,
            Op::Mul => self.get(context, children[0])?.times(signed(pool.constant(children[1])?, width))?,
            Op::ZExt => self.get(context, children[0])?.unsigned(context, &mut self.atoms, inner),
            Op::SExt if inner == 1 => self.get(context, children[0])?.times(-1)?,
            Op::SExt => self.get(context, children[0])?.signed(inner),
            Op::Concat => self.concatenation(context, pool, t)?,
            // The low bits are congruent to the whole.
            Op::Extract if pool.immediate(t) == 0 => self.get(context, children[0])?,
            Op::Ite => self.choice(context, pool, t)?,
            Op::UDiv | Op::URem => self.division(context, pool, t)?,
            Op::Const | Op::Extract | Op::SDiv | Op::SRem | Op::Shl | Op::LShr | Op::AShr => return None,
            Op::And | Op::Or | Op::Xor | Op::Not | Op::Select => return None,
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe | Op::FUno => return None,
            Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::FToS | Op::FToU => return None,
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt => return None,
            Op::FFma | Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FToF => return None,
            Op::SToF | Op::UToF | Op::Call => return None,
        };
        Some(made.folded(context, &mut self.atoms))
    }

    fn variable_of(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Linear> {
        let (id, width) = (pool.variable(t)?, pool.width(t));
        let ast = context.integer_variable(id.0 as i32);
        self.variables.insert(id, (ast, width));
        let (least, most) = variable_bounds(width);
        Some(Linear::atom(self.atoms.add(ast), least, most, true))
    }

    fn concatenation(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Linear> {
        let children = pool.children(t);
        let below = pool.width(children[1]);
        let low = match pool.constant(children[1]) {
            Some(value) => Linear::constant(i128::try_from(value).ok()?),
            None => self.get(context, children[1])?.unsigned(context, &mut self.atoms, below),
        };
        low.plus(1 << below, &self.get(context, children[0])?)
    }

    fn choice(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Linear> {
        let children = pool.children(t);
        let condition = self.booleans.get(&children[0]).copied().flatten()?;
        let (yes, no) = (self.get(context, children[1])?, self.get(context, children[2])?);
        let (a, b) = (yes.ast(context, &self.atoms), no.ast(context, &self.atoms));
        let atom = self.atoms.add(context.ite(condition.ast, a, b));
        let exact = condition.exact && yes.exact && no.exact;
        Some(Linear::atom(atom, yes.least.min(no.least), yes.most.max(no.most), exact))
    }

    /// Unsigned division or remainder by a constant.
    fn division(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Linear> {
        let children = pool.children(t);
        let by = i128::try_from(pool.constant(children[1])?).ok().filter(|by| *by > 0)?;
        let a = self.get(context, children[0])?.unsigned(context, &mut self.atoms, pool.width(t));
        let (dividend, divisor) = (a.ast(context, &self.atoms), context.integer(by));
        let quotient = pool.op(t) == Op::UDiv;
        let ast = context.binary(if quotient { Z3_mk_div } else { Z3_mk_mod }, dividend, divisor);
        let (least, most) = if quotient { (a.least / by, a.most / by) } else { (0, (by - 1).min(a.most.max(0))) };
        Some(Linear::atom(self.atoms.add(ast), least, most, a.exact))
    }

    /// The truth value of a term of width 1 whose operands are made.
    fn boolean(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Translated> {
        let children = pool.children(t);
        let operand = |i: usize| self.booleans.get(&children[i]).copied().flatten();
        match pool.op(t) {
            Op::Const => Some(Translated { ast: context.truth(pool.constant(t) == Some(1)), exact: true }),
            Op::Var => {
                let bit = self.variable_of(context, pool, t)?.ast(context, &self.atoms);
                let one = context.integer(1);
                Some(Translated { ast: context.equal(bit, one), exact: true })
            }
            Op::Not => {
                let inner = operand(0)?;
                let ast = context.unary(Z3_mk_not, inner.ast);
                Some(Translated { ast, exact: inner.exact })
            }
            Op::And | Op::Or => {
                let (a, b) = (operand(0)?, operand(1)?);
                let parts = [a.ast, b.ast];
                let ast = if pool.op(t) == Op::And { context.and(&parts) } else { context.or(&parts) };
                Some(Translated { ast, exact: a.exact && b.exact })
            }
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle if pool.width(children[0]) > 1 => {
                self.comparison(context, pool, t)
            }
            _ => None,
        }
    }

    fn comparison(&mut self, context: &Context, pool: &Pool, t: Term) -> Option<Translated> {
        let children = pool.children(t);
        let width = pool.width(children[0]);
        let (a, b) = (self.get(context, children[0])?, self.get(context, children[1])?);
        let op = pool.op(t);
        if op == Op::Eq {
            let apart = a.plus(-1, &b)?;
            let exact = apart.exact && apart.least.unsigned_abs().max(apart.most.unsigned_abs()) < 1 << width;
            let (a, b) = (a.ast(context, &self.atoms), b.ast(context, &self.atoms));
            return Some(Translated { ast: context.equal(a, b), exact });
        }
        let sign = matches!(op, Op::Slt | Op::Sle);
        let mut read = |side: Linear| {
            if sign { side.signed(width) } else { side.unsigned(context, &mut self.atoms, width) }
        };
        let (a, b) = (read(a), read(b));
        let exact = a.exact && b.exact;
        let (a, b) = (a.ast(context, &self.atoms), b.ast(context, &self.atoms));
        let strict = matches!(op, Op::Slt | Op::Ult);
        let ast = context.binary(if strict { Z3_mk_lt } else { Z3_mk_le }, a, b);
        Some(Translated { ast, exact })
    }
}

/// From the integer of a model back to bits.
pub(crate) fn bits_of(value: i128, width: u16) -> u128 {
    covet_expr::bits::truncate(value as u128, width)
}

fn variable_bounds(width: u16) -> (i128, i128) {
    if width <= UNSIGNED_WIDTH { (0, (1 << width) - 1) } else { (-(1 << (width - 1)), (1 << (width - 1)) - 1) }
}

fn within(context: &Context, t: Ast, least: i128, most: i128) -> Ast {
    let (low, high) = (context.integer(least), context.integer(most));
    let above = context.binary(Z3_mk_le, low, t);
    let below = context.binary(Z3_mk_le, t, high);
    context.and(&[above, below])
}
