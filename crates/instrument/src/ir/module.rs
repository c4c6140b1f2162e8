//! A module: what it has, and what is added to it.

use super::{LLVMLinkage, Type, Value, c_string};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef, LLVMValueRef};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module(pub(super) LLVMModuleRef);

impl Module {
    /// A handle that is good as long as `module` lives and is not linked into another one.
    pub fn of(module: &inkwell::module::Module<'_>) -> Module {
        Module(module.as_mut_ptr())
    }

    pub(super) fn context(self) -> LLVMContextRef {
        // SAFETY: alive.
        unsafe { LLVMGetModuleContext(self.0) }
    }

    /// Declarations and definitions.
    pub fn functions(self) -> Vec<Value> {
        // SAFETY: alive; the one leads to the next.
        unsafe { all(LLVMGetFirstFunction(self.0), LLVMGetNextFunction) }
    }

    pub fn globals(self) -> Vec<Value> {
        // SAFETY: alive; the one leads to the next.
        unsafe { all(LLVMGetFirstGlobal(self.0), LLVMGetNextGlobal) }
    }

    pub fn aliases(self) -> Vec<Value> {
        // SAFETY: alive; the one leads to the next.
        unsafe { all(LLVMGetFirstGlobalAlias(self.0), LLVMGetNextGlobalAlias) }
    }

    pub fn function(self, name: &str) -> Option<Value> {
        // SAFETY: alive; the name is a C string.
        Value::of(unsafe { LLVMGetNamedFunction(self.0, c_string(name).as_ptr()) })
    }

    pub fn global(self, name: &str) -> Option<Value> {
        // SAFETY: alive; the name is a C string.
        Value::of(unsafe { LLVMGetNamedGlobal(self.0, c_string(name).as_ptr()) })
    }

    /// A new function without a body. LLVM renames it if there is one of that name.
    pub fn add_function(self, name: &str, parameters: &[Type], result: Type) -> Value {
        let ty = result.function(parameters);
        // SAFETY: alive; the name is a C string, the type that of a function in this context.
        Value(unsafe { LLVMAddFunction(self.0, c_string(name).as_ptr(), ty.0) })
    }

    /// The function of that name: the one that is there, or a new one.
    pub fn declare(self, name: &str, parameters: &[Type], result: Type) -> Value {
        self.function(name).unwrap_or_else(|| self.add_function(name, parameters, result))
    }

    /// A function of ours that goes away with inlining where its calls are not to be kept.
    pub fn add_inlined(self, name: &str, parameters: &[Type], result: Type) -> Value {
        let function = self.add_function(name, parameters, result);
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        function.add_attribute("alwaysinline");
        function.add_attribute("nounwind");
        // Call stacks of violations are found by frame pointers.
        function.add_text_attribute("frame-pointer", "all");
        function
    }

    /// A variable that is defined elsewhere.
    pub fn add_global(self, name: &str, ty: Type) -> Value {
        // SAFETY: alive; the name is a C string, the type one of this context.
        let global = Value(unsafe { LLVMAddGlobal(self.0, ty.0, c_string(name).as_ptr()) });
        global.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        global
    }

    /// A variable with its content.
    pub fn define_global(self, name: &str, content: Value, linkage: LLVMLinkage) -> Value {
        let global = self.add_global(name, content.ty());
        global.set_initializer(content);
        global.set_linkage(linkage);
        global
    }

    /// Constant data.
    pub fn define_constant(self, name: &str, content: Value, linkage: LLVMLinkage) -> Value {
        let global = self.define_global(name, content, linkage);
        global.set_read_only(true);
        global
    }
}

/// # Safety
/// `first` is null or alive, and `next` gives null or the one after.
unsafe fn all(first: LLVMValueRef, next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    let follow = |value: &Value| {
        // SAFETY: promised by the caller.
        Value::of(unsafe { next(value.0) })
    };
    std::iter::successors(Value::of(first), follow).collect()
}
