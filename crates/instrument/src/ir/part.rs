//! Bitcode in memory → a module of which some is linked into another one.
//!
//! All of it is read at once: bodies that LLVM reads only when they are linked came out with arguments of other functions.

use super::{LLVMLinkage, Module, Type, Value};
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::LLVMVisibility;
use inkwell::llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use inkwell::llvm_sys::core::*;

/// The module that `bitcode` holds, for as long as that lives. Names of what is inside functions are not kept.
pub fn read<'c>(context: &'c Context, bitcode: &'c [u8]) -> Result<inkwell::module::Module<'c>, String> {
    let mut module = std::ptr::null_mut();
    // SAFETY: the context is alive; the buffer refers to a slice that outlives the module and need not end in NUL; LLVM takes the buffer over,
    // and the module is ours when there is one.
    unsafe {
        LLVMContextSetDiscardValueNames(context.as_ctx_ref(), 1);
        let buffer =
            LLVMCreateMemoryBufferWithMemoryRange(bitcode.as_ptr().cast(), bitcode.len(), c"program".as_ptr(), 0);
        match LLVMParseBitcodeInContext2(context.as_ctx_ref(), buffer, &mut module) {
            0 => Ok(inkwell::module::Module::new(module)),
            _ => Err("the rewritten program is not readable".to_owned()),
        }
    }
}

impl Module {
    /// A function of this type, without a name or a body.
    pub fn declare_unnamed(self, ty: Type) -> Value {
        // SAFETY: alive; callers have the type of a function of this context.
        Value(unsafe { LLVMAddFunction(self.0, c"".as_ptr(), ty.0) })
    }

    /// Whether it has functions that are chosen when the program is loaded.
    pub fn has_chosen_functions(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMGetFirstGlobalIFunc(self.0) }.is_null()
    }

    /// No assembly outside functions.
    pub fn drop_assembly(self) {
        // SAFETY: alive; an empty text.
        unsafe { LLVMSetModuleInlineAsm2(self.0, c"".as_ptr(), 0) }
    }
}

impl Value {
    /// Only this program sees it, and all its parts do.
    pub fn share(self) {
        self.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        self.hide();
    }

    /// Nobody outside the program sees it.
    pub fn hide(self) {
        // SAFETY: alive; callers ask globals.
        unsafe { LLVMSetVisibility(self.0, LLVMVisibility::LLVMHiddenVisibility) }
    }

    pub fn is_local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value {
        // SAFETY: alive; callers ask aliases.
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// Without what casts and steps there are around it: the function or variable that an address begins at.
    pub fn base(self) -> Value {
        let mut value = self;
        // SAFETY: alive; operands of a constant expression exist.
        while !unsafe { LLVMIsAConstantExpr(value.0) }.is_null() {
            value = value.operand(0);
        }
        value
    }
}
