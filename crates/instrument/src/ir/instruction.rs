//! Instructions: operands, places, and what only one family of them has.

use super::{Block, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, Type, Value};
use inkwell::llvm_sys::core::*;
use std::ffi::c_uint;

impl Value {
    fn assert_opcode(self, of: &[LLVMOpcode]) {
        debug_assert!(self.is_instruction() && of.contains(&self.opcode()), "{:?} is none of {of:?}", self.name());
    }

    pub fn opcode(self) -> LLVMOpcode {
        debug_assert!(self.is_instruction());
        // SAFETY: alive; an instruction.
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// True for an instruction of this kind.
    pub fn is(self, opcode: LLVMOpcode) -> bool {
        self.is_instruction() && self.opcode() == opcode
    }

    pub fn operand(self, index: u32) -> Value {
        debug_assert!(index < self.operand_count());
        // SAFETY: alive; the operand exists.
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn operand_count(self) -> u32 {
        // SAFETY: alive; callers ask instructions and constants, which are users of operands.
        unsafe { LLVMGetNumOperands(self.0) }.unsigned_abs()
    }

    pub fn set_operand(self, index: u32, operand: Value) {
        debug_assert!(index < self.operand_count());
        // SAFETY: alive; the operand exists.
        unsafe { LLVMSetOperand(self.0, index, operand.0) }
    }

    pub fn block(self) -> Block {
        debug_assert!(self.is_instruction());
        // SAFETY: alive; an instruction that is in a block.
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    /// The instruction behind it in its block.
    pub fn next(self) -> Option<Value> {
        // SAFETY: alive; an instruction that is in a block.
        Value::of(unsafe { LLVMGetNextInstruction(self.0) })
    }

    /// Erases the instruction: nobody may use it or its handle any more.
    pub fn erase(self) {
        debug_assert!(self.is_instruction() && !self.is_used());
        // SAFETY: alive until here; an instruction without uses.
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// Takes the instruction out of its block, to be inserted elsewhere ([`super::Emit::insert`]).
    pub fn detach(self) {
        // SAFETY: alive; an instruction that is in a block.
        unsafe { LLVMInstructionRemoveFromParent(self.0) }
    }

    /// The same instruction once more, in no block.
    pub fn duplicate(self) -> Value {
        debug_assert!(self.is_instruction());
        // SAFETY: alive; an instruction.
        Value(unsafe { LLVMInstructionClone(self.0) })
    }
}

/// Terminators and phis.
impl Value {
    pub fn successors(self) -> Vec<Block> {
        // SAFETY: alive; callers ask terminators; the successors exist.
        unsafe {
            let count = LLVMGetNumSuccessors(self.0);
            (0..count).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect()
        }
    }

    pub fn set_successor(self, index: usize, block: Block) {
        // SAFETY: alive; callers name a successor that exists.
        unsafe { LLVMSetSuccessor(self.0, index as c_uint, block.0) }
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        self.assert_opcode(&[LLVMOpcode::LLVMPHI]);
        // SAFETY: alive; a phi; its entries exist.
        unsafe {
            let count = LLVMCountIncoming(self.0);
            (0..count)
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }

    pub fn add_incoming(self, value: Value, block: Block) {
        self.assert_opcode(&[LLVMOpcode::LLVMPHI]);
        let (mut value, mut block) = (value.0, block.0);
        // SAFETY: alive; a phi; one entry behind each pointer.
        unsafe { LLVMAddIncoming(self.0, &mut value, &mut block, 1) }
    }
}

/// What only one family has.
impl Value {
    pub fn integer_predicate(self) -> LLVMIntPredicate {
        self.assert_opcode(&[LLVMOpcode::LLVMICmp]);
        // SAFETY: alive; an integer comparison.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        self.assert_opcode(&[LLVMOpcode::LLVMFCmp]);
        // SAFETY: alive; a comparison of floats.
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    pub fn update_operation(self) -> LLVMAtomicRMWBinOp {
        self.assert_opcode(&[LLVMOpcode::LLVMAtomicRMW]);
        // SAFETY: alive; an atomic update.
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    pub fn allocated_type(self) -> Type {
        self.assert_opcode(&[LLVMOpcode::LLVMAlloca]);
        // SAFETY: alive; an alloca.
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// True for a `getelementptr`, instruction or constant.
    pub fn is_element_pointer(self) -> bool {
        // SAFETY: alive; the opcode is asked of constant expressions alone.
        let is_constant = unsafe {
            !LLVMIsAConstantExpr(self.0).is_null() && LLVMGetConstOpcode(self.0) == LLVMOpcode::LLVMGetElementPtr
        };
        is_constant || self.is(LLVMOpcode::LLVMGetElementPtr)
    }

    /// The type that a `getelementptr` steps over.
    pub fn stepped_type(self) -> Type {
        debug_assert!(self.is_element_pointer());
        // SAFETY: alive; a `getelementptr`.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// The numbers of an `extractvalue` or `insertvalue`.
    pub fn path(self) -> Vec<u32> {
        self.assert_opcode(&[LLVMOpcode::LLVMExtractValue, LLVMOpcode::LLVMInsertValue]);
        // SAFETY: alive; an instruction with that many indices, which are copied at once.
        unsafe { std::slice::from_raw_parts(LLVMGetIndices(self.0), LLVMGetNumIndices(self.0) as usize) }.to_vec()
    }

    /// Which elements a `shufflevector` takes, negative where any will do.
    pub fn shuffle_mask(self) -> Vec<i32> {
        self.assert_opcode(&[LLVMOpcode::LLVMShuffleVector]);
        // SAFETY: alive; a shuffle; its elements exist.
        unsafe { (0..LLVMGetNumMaskElements(self.0)).map(|i| LLVMGetMaskValue(self.0, i)).collect() }
    }

    /// Whether an addition, subtraction or multiplication promises not to overflow as a signed one.
    pub fn has_signed_promise(self) -> bool {
        self.assert_opcode(WRAPPING);
        // SAFETY: alive; an operator that has the flag.
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub fn drop_signed_promise(self) {
        self.assert_opcode(WRAPPING);
        // SAFETY: alive; an operator that has the flag.
        unsafe { LLVMSetNSW(self.0, 0) }
    }

    pub fn drop_unsigned_promise(self) {
        self.assert_opcode(WRAPPING);
        // SAFETY: alive; an operator that has the flag.
        unsafe { LLVMSetNUW(self.0, 0) }
    }

    pub fn drop_exactness(self) {
        use LLVMOpcode::*;
        self.assert_opcode(&[LLVMUDiv, LLVMSDiv, LLVMLShr, LLVMAShr]);
        // SAFETY: alive; an operator that has the flag.
        unsafe { LLVMSetExact(self.0, 0) }
    }

    /// Of a load, a store, an alloca or a global variable.
    pub fn alignment(self) -> u32 {
        // SAFETY: alive; callers ask what has an alignment.
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub fn set_alignment(self, bytes: u32) {
        debug_assert!(bytes.is_power_of_two());
        // SAFETY: alive; callers set it where there is one.
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }
}

const WRAPPING: &[LLVMOpcode] = &[LLVMOpcode::LLVMAdd, LLVMOpcode::LLVMSub, LLVMOpcode::LLVMMul, LLVMOpcode::LLVMShl];
