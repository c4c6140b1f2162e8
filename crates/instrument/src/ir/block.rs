//! Basic blocks.

use super::{LLVMOpcode, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;
use std::ffi::CStr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub(super) LLVMBasicBlockRef);

impl Block {
    pub fn name(self) -> String {
        // SAFETY: alive; the name is a C string.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }.to_string_lossy().into_owned()
    }

    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: alive; nothing changes the block meanwhile.
        unsafe {
            let mut next = LLVMGetFirstInstruction(self.0);
            while !next.is_null() {
                all.push(Value(next));
                next = LLVMGetNextInstruction(next);
            }
        }
        all
    }

    pub fn terminator(self) -> Option<Value> {
        // SAFETY: alive.
        Value::of(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Where control goes from here.
    pub fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    pub fn phis(self) -> Vec<Value> {
        self.instructions().into_iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect()
    }
}
