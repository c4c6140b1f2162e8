//! Comparisons: every LLVM predicate as a few of ours.
//!
//! ```text
//!   %r = icmp sgt i32 %a, %b        ; Slt(b, a)
//!   %r = icmp ne ptr %p, null       ; Not(Eq(p, 0))
//!   %r = fcmp ugt double %x, %y     ; Not(FLe(x, y)): true on NaN
//! ```

use crate::function::Rewriter;
use crate::ir::{LLVMIntPredicate, LLVMRealPredicate, Value};
use crate::tracking::shadow::LeafKind;
use covet_abi::event::Concretization;
use covet_abi::node::Op;

impl Rewriter<'_> {
    pub fn integer_compare(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        self.emit.before(instruction);
        if self.all_concrete(&[self.shadow_of_scalar(a), self.shadow_of_scalar(b)]) {
            return;
        }
        if !matches!(self.leaf(a).kind, LeafKind::Integer | LeafKind::Pointer) {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        let shadow = match instruction.integer_predicate() {
            LLVMIntPredicate::LLVMIntEQ => self.operator(Op::Eq, a, b),
            LLVMIntPredicate::LLVMIntNE => self.negated(Op::Eq, a, b),
            LLVMIntPredicate::LLVMIntULT => self.operator(Op::Ult, a, b),
            LLVMIntPredicate::LLVMIntULE => self.operator(Op::Ule, a, b),
            LLVMIntPredicate::LLVMIntUGT => self.operator(Op::Ult, b, a),
            LLVMIntPredicate::LLVMIntUGE => self.operator(Op::Ule, b, a),
            LLVMIntPredicate::LLVMIntSLT => self.operator(Op::Slt, a, b),
            LLVMIntPredicate::LLVMIntSLE => self.operator(Op::Sle, a, b),
            LLVMIntPredicate::LLVMIntSGT => self.operator(Op::Slt, b, a),
            LLVMIntPredicate::LLVMIntSGE => self.operator(Op::Sle, b, a),
        };
        self.set_shadow(instruction, vec![shadow]);
    }

    pub fn float_compare(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        self.emit.before(instruction);
        if self.all_concrete(&[self.shadow_of_scalar(a), self.shadow_of_scalar(b)]) {
            return;
        }
        if !self.leaf(a).is_float() {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        use LLVMRealPredicate::*;
        let shadow = match instruction.float_predicate() {
            LLVMRealPredicateFalse | LLVMRealPredicateTrue => self.concrete(),
            LLVMRealOEQ => self.operator(Op::FEq, a, b),
            LLVMRealOLT => self.operator(Op::FLt, a, b),
            LLVMRealOLE => self.operator(Op::FLe, a, b),
            LLVMRealOGT => self.operator(Op::FLt, b, a),
            LLVMRealOGE => self.operator(Op::FLe, b, a),
            LLVMRealONE => self.either((Op::FLt, a, b), (Op::FLt, b, a)),
            LLVMRealORD => self.negated(Op::FUno, a, b),
            LLVMRealUNO => self.operator(Op::FUno, a, b),
            LLVMRealUEQ => self.either((Op::FEq, a, b), (Op::FUno, a, b)),
            LLVMRealUNE => self.negated(Op::FEq, a, b),
            LLVMRealUGT => self.negated(Op::FLe, a, b),
            LLVMRealUGE => self.negated(Op::FLt, a, b),
            LLVMRealULT => self.negated(Op::FLe, b, a),
            LLVMRealULE => self.negated(Op::FLt, b, a),
        };
        self.set_shadow(instruction, vec![shadow]);
    }

    fn negated(&mut self, op: Op, a: Value, b: Value) -> Value {
        let shadow = self.operator(op, a, b);
        self.unary_on(Op::Not, shadow, 1)
    }

    /// The disjunction of two comparisons. When one of them folds to a constant its concrete value is needed: it is compared again.
    fn either(&mut self, (op, a, b): (Op, Value, Value), (other, c, d): (Op, Value, Value)) -> Value {
        let (first, second) = (self.operator(op, a, b), self.operator(other, c, d));
        let (x, y) = (self.float_truth(op, a, b), self.float_truth(other, c, d));
        self.operator_on(Op::Or, (first, x), (second, y))
    }

    fn float_truth(&self, op: Op, a: Value, b: Value) -> Value {
        let predicate = match op {
            Op::FEq => LLVMRealPredicate::LLVMRealOEQ,
            Op::FLt => LLVMRealPredicate::LLVMRealOLT,
            Op::FLe => LLVMRealPredicate::LLVMRealOLE,
            Op::FUno => LLVMRealPredicate::LLVMRealUNO,
            other => unreachable!("{other:?} is no float comparison"),
        };
        self.emit.compare_floats(predicate, a, b)
    }
}
