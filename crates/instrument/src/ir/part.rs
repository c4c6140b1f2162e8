//! Functions of a module → a module of their own, in which what they use of the rest is declared; and bitcode in memory, for another thread.

use super::{LLVMLinkage, Module, Value};
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::LLVMVisibility;
use inkwell::llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

unsafe extern "C" {
    /// `cpp/part.cpp`. The functions have bodies; so have those of `inlined`, which are not chosen.
    fn covet_part(
        whole: LLVMModuleRef,
        functions: *const LLVMValueRef,
        count: usize,
        inlined: *const LLVMValueRef,
        inlined_count: usize,
    ) -> LLVMModuleRef;
    fn covet_delete_body(function: LLVMValueRef);
}

/// The module that `bitcode` holds.
pub fn read<'c>(context: &'c Context, bitcode: &[u8]) -> Result<inkwell::module::Module<'c>, String> {
    let mut module = std::ptr::null_mut();
    // SAFETY: the context is alive; the buffer refers to a slice that need not end in NUL and that nobody looks at once all is read;
    // the module is ours when there is one.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(bitcode.as_ptr().cast(), bitcode.len(), c"part".as_ptr(), 0);
        let failed = LLVMParseBitcodeInContext2(context.as_ctx_ref(), buffer, &mut module);
        LLVMDisposeMemoryBuffer(buffer);
        match failed {
            0 => Ok(inkwell::module::Module::new(module)),
            _ => Err("the rewritten program is not readable".to_owned()),
        }
    }
}

impl Module {
    /// The bitcode of these functions. Those of `inlined` that they call come along, to be inlined but not to be generated.
    pub fn part(self, functions: &[Value], inlined: &[Value]) -> Vec<u8> {
        let raw = |values: &[Value]| -> Vec<LLVMValueRef> { values.iter().map(|value| value.0).collect() };
        let (functions, inlined) = (raw(functions), raw(inlined));
        // SAFETY: alive; callers give functions of this module that have bodies. The new module is ours, and gone before its context is.
        let part = unsafe {
            let (chosen, along) = (functions.as_ptr(), inlined.as_ptr());
            Module(covet_part(self.0, chosen, functions.len(), along, inlined.len()))
        };
        let bitcode = part.bitcode();
        // SAFETY: ours, and nobody has a handle on what is in it.
        unsafe { LLVMDisposeModule(part.0) };
        bitcode
    }

    pub fn bitcode(self) -> Vec<u8> {
        // SAFETY: alive; the buffer is ours, and copied before it goes.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.0);
            let (start, size) = (LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            let bitcode = std::slice::from_raw_parts(start.cast::<u8>(), size).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bitcode
        }
    }

    /// From now on, what is inside functions gets no names.
    pub fn discard_names(self) {
        // SAFETY: alive.
        unsafe { LLVMContextSetDiscardValueNames(self.context(), 1) }
    }

    /// Whether it has functions that are chosen when the program is loaded.
    pub fn has_chosen_functions(self) -> bool {
        // SAFETY: alive.
        !unsafe { LLVMGetFirstGlobalIFunc(self.0) }.is_null()
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

    /// From now on it is only declared.
    pub fn delete_body(self) {
        // SAFETY: alive; callers ask functions none of whose blocks or instructions they refer to.
        unsafe { covet_delete_body(self.0) }
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
