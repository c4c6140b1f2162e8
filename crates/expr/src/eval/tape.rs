//! A term as a tape, a straight-line program for evaluation under very many inputs: no memo, no laziness, one pass over the steps.

use crate::eval::apply::{Operands, apply};
use crate::eval::scalar::Evaluator;
use crate::library::Library;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;
use covet_input::VarId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub op: Op,
    pub aux: u8,
    pub width: u16,
    pub imm: u64,
    pub operands: [u32; 3],
    pub widths: [u16; 3],
    count: u8,
    /// Where the entries of a select lie in `entries`.
    pub table: (u32, u32),
    pub result: u32,
}

/// A compiled term. Variables that are not moved keep their values of the base input.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The functions that it calls.
    pub(crate) library: Arc<Library>,
    pub(crate) steps: Vec<Step>,
    pub(crate) entries: Vec<u32>,
    pub(crate) slots: Vec<u128>,
    /// Slot of each moved variable, in the order given; none when the term does not contain it.
    pub(crate) moved: Vec<Option<u32>>,
    /// Slots of what depends on no moved variable.
    pub(crate) fixed: Vec<u32>,
    pub(crate) root: u32,
}

impl Tape {
    /// Compiles `root`; nothing when it has more than `limit` terms that depend on `moved`.
    pub fn compile(evaluator: &mut Evaluator<'_>, root: Term, moved: &[VarId], limit: usize) -> Option<Tape> {
        let pool = evaluator.pool();
        let moves = |t: Term| moved.iter().any(|id| pool.variables(t).contains(*id));
        let mut tape = Tape {
            library: Arc::clone(pool.shared_library()),
            steps: vec![],
            entries: vec![],
            slots: vec![],
            moved: vec![None; moved.len()],
            fixed: vec![],
            root: 0,
        };
        let mut slot_of: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if slot_of.contains_key(&t) {
                stack.pop();
                continue;
            }
            if tape.steps.len() > limit {
                return None;
            }
            let fresh = tape.slots.len() as u32;
            if !moves(t) || pool.variable(t).is_some() {
                tape.slots.push(evaluator.value(t));
                slot_of.insert(t, fresh);
                let at = pool.variable(t).and_then(|id| moved.iter().position(|other| *other == id));
                match at {
                    Some(at) => tape.moved[at] = Some(fresh),
                    None => tape.fixed.push(fresh),
                }
                stack.pop();
                continue;
            }
            let before = stack.len();
            let entries = pool.table_of(t).map_or(&[][..], |table| pool.entries(table));
            let needed = pool.children(t).iter().chain(entries).copied().collect::<Vec<_>>();
            stack.extend(needed.iter().filter(|child| !slot_of.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            let step = tape.step(pool, t, &slot_of, entries, fresh);
            tape.steps.push(step);
            tape.slots.push(0);
            slot_of.insert(t, fresh);
            stack.pop();
        }
        tape.root = *slot_of.get(&root)?;
        Some(tape)
    }

    fn step(&mut self, pool: &Pool, t: Term, slot_of: &FxHashMap<Term, u32>, entries: &[Term], result: u32) -> Step {
        let children = pool.children(t);
        let mut step = Step {
            op: pool.op(t),
            aux: pool.aux(t),
            width: pool.width(t),
            imm: pool.immediate(t),
            operands: [0; 3],
            widths: [0; 3],
            count: children.len() as u8,
            table: (self.entries.len() as u32, entries.len() as u32),
            result,
        };
        self.entries.extend(entries.iter().map(|entry| slot_of[entry]));
        for (i, child) in children.iter().enumerate() {
            step.operands[i] = slot_of[child];
            step.widths[i] = pool.width(*child);
        }
        step
    }

    /// Whether all its values have at most 64 bits, the fixed ones as they are.
    pub fn is_narrow(&self) -> bool {
        let fits = |width: &u16| *width <= 64;
        let is_narrow = |step: &Step| fits(&step.width) && step.widths.iter().all(fits);
        self.steps.iter().all(is_narrow)
            && self.fixed.iter().all(|slot| self.slots[*slot as usize] <= u128::from(u64::MAX))
    }

    /// Number of operations per evaluation.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The value with the moved variables at these values, in the order they were given.
    pub fn run(&mut self, values: impl Iterator<Item = u128>) -> u128 {
        for (slot, value) in self.moved.iter().zip(values) {
            if let Some(slot) = slot {
                self.slots[*slot as usize] = value;
            }
        }
        for step in &self.steps {
            let value = if step.op == Op::Select {
                let (start, len) = step.table;
                let index = self.slots[step.operands[0] as usize];
                let entry = (index < u128::from(len)).then(|| self.entries[start as usize + index as usize]);
                entry.map_or(0, |slot| self.slots[slot as usize])
            } else {
                let mut operands = Operands { values: [0; 3], widths: step.widths };
                for i in 0..step.count as usize {
                    operands.values[i] = self.slots[step.operands[i] as usize];
                }
                apply(&self.library, step.op, step.aux, step.width, step.imm, &operands)
            };
            self.slots[step.result as usize] = value;
        }
        self.slots[self.root as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::batch::Batch;
    use covet_input::Input;

    #[test]
    fn agrees_with_evaluation() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var_with(VarId(0), 8, 0), pool.var_with(VarId(1), 8, 3));
        let entries: Vec<Term> = (0..7).map(|i| pool.bits(8, i * 31)).chain([x]).collect();
        let table = pool.table(8, &entries);
        let read = pool.select(table, x);
        let product = pool.mul(read, y);
        let wide = pool.sext(product, 16);
        let bound = pool.bits(16, 40);
        let less = pool.slt(wide, bound);
        let root = pool.ite(less, product, y);
        let base = Input::default();
        let mut evaluator = Evaluator::new(&pool, &base);
        let mut tape = Tape::compile(&mut evaluator, root, &[VarId(0)], 100).expect("small");
        let mut batch = Batch::default();
        assert!(tape.is_narrow());
        let row = batch.run(&tape, 256, |_, at| at as u64).to_vec();
        for value in 0..256u128 {
            evaluator.change();
            assert_eq!(u128::from(row[value as usize]), tape.run([value].into_iter()));
            assert_eq!(tape.run([value].into_iter()), evaluator.value_changed(root, &[(VarId(0), value)]));
        }
        assert!(Tape::compile(&mut evaluator, root, &[VarId(0)], 2).is_none());
    }
}
