//! Terms under an input: bits, exactly as the compiled program would compute them.
//!
//! Evaluation is lazy (only the chosen arm of a choice is looked at), memoised (each term once per input) and runs over
//! an explicit stack. A variable the input does not name has its default.

use crate::eval::apply::{Operands, apply};
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;
use covet_input::{Input, VarId};

/// Values of terms found so far; its memory is reused from input to input.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    values: Vec<u128>,
    stamps: Vec<u32>,
    now: u32,
    stack: Vec<Term>,
}

impl Memo {
    /// Forgets all values, keeping the memory.
    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    fn fit(&mut self, len: usize) {
        if self.now == 0 {
            self.now = 1;
        }
        if self.stamps.len() < len {
            self.stamps.resize(len, 0);
            self.values.resize(len, 0);
        }
    }

    #[inline]
    fn get(&self, t: Term) -> Option<u128> {
        (self.stamps[t.index()] == self.now).then(|| self.values[t.index()])
    }

    #[inline]
    fn set(&mut self, t: Term, value: u128) {
        self.stamps[t.index()] = self.now;
        self.values[t.index()] = value;
    }
}

/// Evaluates many terms under one input, and under small changes of it.
#[derive(Debug)]
pub struct Evaluator<'a> {
    pool: &'a Pool,
    input: &'a Input,
    memo: Memo,
    changed: Memo,
}

impl<'a> Evaluator<'a> {
    pub fn new(pool: &'a Pool, input: &'a Input) -> Evaluator<'a> {
        Evaluator::with_memos(pool, input, (Memo::default(), Memo::default()))
    }

    /// As [`Evaluator::new`], in the memory of earlier evaluators (their values are forgotten).
    pub fn with_memos(pool: &'a Pool, input: &'a Input, (mut memo, mut changed): (Memo, Memo)) -> Evaluator<'a> {
        memo.clear();
        memo.fit(pool.len());
        changed.clear();
        changed.fit(pool.len());
        Evaluator { pool, input, memo, changed }
    }

    /// The memory, for the next evaluator.
    pub fn into_memos(self) -> (Memo, Memo) {
        (self.memo, self.changed)
    }

    pub fn pool(&self) -> &'a Pool {
        self.pool
    }

    pub fn input(&self) -> &'a Input {
        self.input
    }

    /// The bits of a term.
    #[inline]
    pub fn value(&mut self, t: Term) -> u128 {
        let (pool, input) = (self.pool, self.input);
        compute(pool, t, &mut self.memo, |id| lookup(pool, input, id), |_| None)
    }

    /// Whether a condition (a term of width 1) is true.
    #[inline]
    pub fn holds(&mut self, t: Term) -> bool {
        self.value(t) != 0
    }

    /// Starts a round of questions about the input with some variables changed; see [`Evaluator::value_changed`].
    pub fn change(&mut self) {
        self.changed.clear();
        self.changed.fit(self.pool.len());
    }

    /// The bits of a term under the input with `changes` laid over it. All calls since the last [`Evaluator::change`]
    /// must have the same changes. Only the parts that depend on a changed variable are computed anew.
    pub fn value_changed(&mut self, t: Term, changes: &[(VarId, u128)]) -> u128 {
        let (pool, input) = (self.pool, self.input);
        let Evaluator { memo, changed, .. } = self;
        let overlaid = |id: VarId| {
            changes.iter().find(|(v, _)| *v == id).map_or_else(|| lookup(pool, input, id), |(_, bits)| *bits)
        };
        let unaffected = |t: Term| {
            let set = pool.variables(t);
            if changes.iter().any(|(v, _)| set.contains(*v)) {
                None
            } else {
                Some(compute(pool, t, memo, |id| lookup(pool, input, id), |_| None))
            }
        };
        compute(pool, t, changed, overlaid, unaffected)
    }

    pub fn holds_changed(&mut self, t: Term, changes: &[(VarId, u128)]) -> bool {
        self.value_changed(t, changes) != 0
    }

    /// The value of a variable under the input.
    pub fn variable(&self, id: VarId) -> u128 {
        lookup(self.pool, self.input, id)
    }
}

fn lookup(pool: &Pool, input: &Input, id: VarId) -> u128 {
    input.get(id).unwrap_or_else(|| pool.default_of(id))
}

/// The value of `root`: `leaf` gives variables, `known` may short-cut whole terms.
fn compute(
    pool: &Pool,
    root: Term,
    memo: &mut Memo,
    leaf: impl Fn(VarId) -> u128,
    mut known: impl FnMut(Term) -> Option<u128>,
) -> u128 {
    if let Some(value) = memo.get(root) {
        return value;
    }
    let mut stack = std::mem::take(&mut memo.stack);
    stack.push(root);
    while let Some(&t) = stack.last() {
        if memo.get(t).is_some() {
            stack.pop();
            continue;
        }
        match step(pool, t, memo, &leaf, &mut known) {
            Step::Value(value) => {
                memo.set(t, value);
                stack.pop();
            }
            Step::Needs(missing) => stack.extend(missing.iter().flatten()),
        }
    }
    memo.stack = stack;
    memo.get(root).unwrap_or_default()
}

enum Step {
    Value(u128),
    Needs([Option<Term>; 3]),
}

#[inline]
fn step(
    pool: &Pool,
    t: Term,
    memo: &Memo,
    leaf: &impl Fn(VarId) -> u128,
    known: &mut impl FnMut(Term) -> Option<u128>,
) -> Step {
    if let Some(value) = pool.constant(t) {
        return Step::Value(value);
    }
    if let Some(value) = known(t) {
        return Step::Value(value);
    }
    let children = pool.children(t);
    match pool.op(t) {
        Op::Const | Op::Var => {
            Step::Value(pool.variable(t).map_or(0, |id| crate::bits::truncate(leaf(id), pool.width(t))))
        }
        Op::Ite => {
            let Some(chosen) = memo.get(children[0]) else { return Step::Needs([Some(children[0]), None, None]) };
            follow(memo, if chosen != 0 { children[1] } else { children[2] })
        }
        Op::Select => {
            let Some(index) = memo.get(children[0]) else { return Step::Needs([Some(children[0]), None, None]) };
            let entries = pool.table_of(t).map_or(&[][..], |table| pool.entries(table));
            match usize::try_from(index).ok().and_then(|i| entries.get(i)) {
                Some(&entry) => follow(memo, entry),
                None => Step::Value(0),
            }
        }
        op => {
            let mut operands = Operands::default();
            let mut missing = [None; 3];
            for (i, &child) in children.iter().enumerate() {
                operands.widths[i] = pool.width(child);
                match memo.get(child) {
                    Some(value) => operands.values[i] = value,
                    None => missing[i] = Some(child),
                }
            }
            if missing.iter().any(Option::is_some) {
                return Step::Needs(missing);
            }
            Step::Value(apply(pool.library(), op, pool.aux(t), pool.width(t), pool.immediate(t), &operands))
        }
    }
}

fn follow(memo: &Memo, t: Term) -> Step {
    match memo.get(t) {
        Some(value) => Step::Value(value),
        None => Step::Needs([Some(t), None, None]),
    }
}
