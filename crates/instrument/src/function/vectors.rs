//! Condition vectors: a program notes its way through each decision and counts the vectors, if it is to.
//!
//! ```text
//!   br %a, label %land.lhs.true, label %if.end      ; a && b: the vectors are F-, TF and TT
//!
//! ; on the way to land.lhs.true
//!   call void @covet.vector.step(i32 5, i32 1, i1 true, i1 false)    ; decision 5: %way = 1, since this is its first condition
//! ; on the way to if.end, and behind the next condition on both ways
//!   call void @covet.vector.step(i32 5, i32 0, i1 true, i1 true)     ; vectors[of decision 5 + 0] += 1
//!   call void @covet.vector.step(i32 5, i32 1, i1 false, i1 true)    ; vectors[of decision 5 + %way + 1] += 1
//! ```
//!
//! The way is a slot of the activation that both copies of the function share, begun anew by the first condition: recursion, loops,
//! and jumps out of the middle need nothing more.

use crate::function::Rewriter;
use crate::function::decisions::{self, Mark, Sites, Step};
use crate::ir::{Emit, LLVMOpcode, Location, Module, Value};
use crate::module::numbering::Numbering;
use covet_sites::{DecisionInfo, DecisionLeftOut, DecisionNumber, FunctionNumber};
use std::collections::HashMap;

const STEP: &str = "covet.vector.step";
const LAST: &str = "covet.vector.last";

/// What is to be noted on the ways from branches, by terminator and successor.
#[derive(Default)]
pub struct Notes(HashMap<(Value, usize), (DecisionNumber, Step)>);

/// Numbers the decisions of a function. Gives what is to be noted on edges; the rest has its markers already.
pub fn note(function: Value, number: FunctionNumber, sites: &Sites, numbering: &mut Numbering, emit: &Emit) -> Notes {
    let found = decisions::find(function, sites);
    let mut notes = Notes::default();
    for decision in found.decisions {
        let this = DecisionNumber::at(numbering.decisions.len());
        let Location { file, line, column } = decision.place;
        let conditions = decision.conditions;
        numbering.decisions.push(DecisionInfo {
            number: this,
            function: number,
            file,
            line,
            column,
            conditions,
            vectors: None,
        });
        if numbering.vectors.is_some() {
            decision.marks.into_iter().for_each(|mark| notes.add(this, mark, numbering.module, emit));
        }
    }
    for (Location { file, line, column }, why) in found.left_out {
        numbering.decisions_left_out.push(DecisionLeftOut { function: number, file, line, column, why });
    }
    notes
}

impl Notes {
    fn add(&mut self, decision: DecisionNumber, mark: Mark, module: Module, emit: &Emit) {
        match mark {
            Mark::Edge { terminator, successor, step } => {
                self.0.insert((terminator, successor), (decision, step));
            }
            Mark::Kept { at, value, adds } => {
                emit.before(at);
                let [no, yes] = adds.map(|adds| emit.i32.constant(u64::from(adds)));
                let last = module.declare(LAST, &[emit.i32, emit.i32, emit.i32, emit.i1], emit.void);
                emit.call(last, &[emit.i32.constant(u64::from(decision.0)), no, yes, value]);
            }
            Mark::Passed { at } => {
                emit.before(at);
                place(decision, Step { adds: 0, is_first: false, is_last: true }, module, emit);
            }
        }
    }

    /// Leaves the marker of an edge at the current position.
    pub fn place(&self, terminator: Value, successor: usize, module: Module, emit: &Emit) {
        if let Some((decision, step)) = self.0.get(&(terminator, successor)) {
            place(*decision, *step, module, emit);
        }
    }
}

fn place(decision: DecisionNumber, step: Step, module: Module, emit: &Emit) {
    let marker = module.declare(STEP, &[emit.i32, emit.i32, emit.i1, emit.i1], emit.void);
    let numbers = [decision.0, step.adds].map(|number| emit.i32.constant(u64::from(number)));
    let flags = [step.is_first, step.is_last].map(|flag| emit.i1.constant(u64::from(flag)));
    emit.call(marker, &[numbers[0], numbers[1], flags[0], flags[1]]);
}

pub fn is_marker(callee: &str) -> bool {
    callee == STEP || callee == LAST
}

impl Rewriter<'_> {
    /// The marker becomes what it says.
    pub fn vector(&mut self, marker: Value) {
        self.emit.before(marker);
        let number = |index: u32| marker.operand(index).as_constant().unwrap_or(0);
        let decision = DecisionNumber(number(0) as u32);
        let way = self.way(decision);
        let before = |this: &Self| this.emit.load(this.emit.i32, way);
        if marker.callee().name() == LAST {
            let adds = self.emit.select(marker.operand(3), marker.operand(2), marker.operand(1));
            let sum = self.emit.add(before(self), adds);
            self.bump_vector(decision, sum);
        } else {
            let (is_first, is_last) = (number(2) == 1, number(3) == 1);
            let adds = marker.operand(1);
            let sum = if is_first { adds } else { self.emit.add(before(self), adds) };
            if is_last {
                self.bump_vector(decision, sum);
            } else {
                self.emit.store(sum, way);
            }
        }
        marker.erase();
    }

    /// The slot of the way through a decision.
    fn way(&mut self, decision: DecisionNumber) -> Value {
        if let Some(known) = self.ways.get(&decision) {
            return *known;
        }
        let slot = self.fresh_slots(1)[0];
        self.ways.insert(decision, slot);
        slot
    }

    fn bump_vector(&self, decision: DecisionNumber, vector: Value) {
        let first = self.numbering.decisions[decision.index()].vectors;
        if let (Some(first), Some(vectors)) = (first, &self.numbering.vectors) {
            let wide = self.emit.cast(LLVMOpcode::LLVMZExt, vector, self.emit.i64);
            vectors.bump(&self.emit, self.emit.add(wide, self.emit.i64.constant(u64::from(first.0))));
        }
    }
}
