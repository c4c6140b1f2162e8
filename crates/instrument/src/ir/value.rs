//! Values of every kind: what they are, and who uses them.

use super::{Type, text};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub(super) LLVMValueRef);

impl Value {
    /// A value of LLVM's, if there is one.
    pub(super) fn of(raw: LLVMValueRef) -> Option<Value> {
        (!raw.is_null()).then_some(Value(raw))
    }

    pub fn ty(self) -> Type {
        // SAFETY: alive.
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: alive; the name is as long as LLVM says.
        unsafe {
            let name = LLVMGetValueName2(self.0, &mut length);
            text(name, length)
        }
    }

    pub fn set_name(self, name: &str) {
        // SAFETY: alive; the name is a slice.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub fn is_instruction(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMIsAInstruction(self.0) }.is_null()
    }

    pub fn is_function(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMIsAFunction(self.0) }.is_null()
    }

    pub fn is_global_variable(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMIsAGlobalVariable(self.0) }.is_null()
    }

    pub fn is_alloca(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMIsAAllocaInst(self.0) }.is_null()
    }

    pub fn is_inline_assembly(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMIsAInlineAsm(self.0) }.is_null()
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: alive.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// The number, when this is an integer constant of up to 64 bits.
    pub fn as_constant(self) -> Option<u64> {
        // SAFETY: alive.
        let constant = unsafe { LLVMIsAConstantInt(self.0) };
        let fits = !constant.is_null() && self.ty().integer_width().is_some_and(|width| width <= 64);
        // SAFETY: an integer constant that fits into the result.
        fits.then(|| unsafe { LLVMConstIntGetZExtValue(constant) })
    }

    pub fn is_used(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMGetFirstUse(self.0) }.is_null()
    }

    /// Who uses it, once for each use.
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        // SAFETY: alive; nothing changes the uses meanwhile.
        unsafe {
            let mut next = LLVMGetFirstUse(self.0);
            while !next.is_null() {
                users.push(Value(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }

    pub fn replace_uses(self, by: Value) {
        debug_assert_eq!(self.ty(), by.ty());
        // SAFETY: alive; both have one type.
        unsafe { LLVMReplaceAllUsesWith(self.0, by.0) }
    }
}
