//! Conversions. Those that keep the bits keep the shadow.
//!
//! ```text
//!   %r = sext i8 %c to i32          ; %s = call i32 @covet.SExt.8.32(i32 %sc)
//!   %p = inttoptr i64 %a to ptr     ; %sp is %sa
//! ```

use crate::function::Rewriter;
use crate::ir::{LLVMOpcode, Value};
use crate::tracking::shadow::LeafKind;
use covet_abi::event::Concretization;
use covet_abi::node::Op;

impl Rewriter<'_> {
    pub fn cast(&mut self, instruction: Value) {
        let from_value = instruction.operand(0);
        let shadow = self.shadow_of_scalar(from_value);
        if self.is_concrete(shadow) {
            return;
        }
        self.emit.before(instruction);
        let (from, to) = (self.leaf(from_value), self.leaf(instruction));
        if let LeafKind::Untracked(reason) = to.kind {
            return self.concretise_operands(instruction, reason);
        }
        let on_vectors = from.kind == LeafKind::Vector || to.kind == LeafKind::Vector;
        let result = match instruction.opcode() {
            LLVMOpcode::LLVMBitCast => shadow,
            _ if on_vectors => return self.concretise_operands(instruction, Concretization::Vector),
            LLVMOpcode::LLVMTrunc => self.extract_bits(shadow, 0, to.width),
            LLVMOpcode::LLVMZExt => self.convert(Op::ZExt, shadow, from.width, to.width),
            LLVMOpcode::LLVMSExt => self.convert(Op::SExt, shadow, from.width, to.width),
            LLVMOpcode::LLVMFPToUI => self.convert(Op::FToU, shadow, from.width, to.width),
            LLVMOpcode::LLVMFPToSI => self.convert(Op::FToS, shadow, from.width, to.width),
            LLVMOpcode::LLVMUIToFP => self.convert(Op::UToF, shadow, from.width, to.width),
            LLVMOpcode::LLVMSIToFP => self.convert(Op::SToF, shadow, from.width, to.width),
            LLVMOpcode::LLVMFPTrunc | LLVMOpcode::LLVMFPExt => self.convert(Op::FToF, shadow, from.width, to.width),
            LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMAddrSpaceCast => {
                self.resize(shadow, from.width, to.width)
            }
            other => unreachable!("{other:?} is no conversion"),
        };
        self.set_shadow(instruction, vec![result]);
    }

    /// Zero-extended or cut to another width.
    pub fn resize(&mut self, shadow: Value, from: u32, to: u32) -> Value {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => shadow,
            std::cmp::Ordering::Less => self.convert(Op::ZExt, shadow, from, to),
            std::cmp::Ordering::Greater => self.extract_bits(shadow, 0, to),
        }
    }
}
