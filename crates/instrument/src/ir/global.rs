//! What a module has under a name: functions, variables and aliases.

use super::{LLVMLinkage, Module, Type, Value};
use inkwell::llvm_sys::LLVMVisibility;
use inkwell::llvm_sys::core::*;

impl Value {
    fn assert_global(self) {
        // SAFETY: alive.
        debug_assert!(!unsafe { LLVMIsAGlobalValue(self.0) }.is_null());
    }

    pub fn is_declaration(self) -> bool {
        self.assert_global();
        // SAFETY: alive; a global.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// The type of a function, or of a global variable's content.
    pub fn value_type(self) -> Type {
        self.assert_global();
        // SAFETY: alive; a global.
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn module(self) -> Module {
        self.assert_global();
        // SAFETY: alive; a global, which is in a module.
        Module(unsafe { LLVMGetGlobalParent(self.0) })
    }

    pub fn linkage(self) -> LLVMLinkage {
        self.assert_global();
        // SAFETY: alive; a global.
        unsafe { LLVMGetLinkage(self.0) }
    }

    pub fn set_linkage(self, linkage: LLVMLinkage) {
        self.assert_global();
        // SAFETY: alive; a global.
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    pub fn show_to_all(self) {
        self.assert_global();
        // SAFETY: alive; a global.
        unsafe { LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility) }
    }

    pub fn is_in_section(self) -> bool {
        self.assert_global();
        // SAFETY: alive; a global; the name of its section, if any, is a C string.
        unsafe {
            let section = LLVMGetSection(self.0);
            !section.is_null() && *section != 0
        }
    }
}

/// Variables.
impl Value {
    pub fn is_thread_local(self) -> bool {
        debug_assert!(self.is_global_variable());
        // SAFETY: alive; a variable.
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    pub fn is_read_only(self) -> bool {
        debug_assert!(self.is_global_variable());
        // SAFETY: alive; a variable.
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn set_read_only(self, yes: bool) {
        debug_assert!(self.is_global_variable());
        // SAFETY: alive; a variable.
        unsafe { LLVMSetGlobalConstant(self.0, i32::from(yes)) }
    }

    pub fn initializer(self) -> Option<Value> {
        debug_assert!(self.is_global_variable());
        // SAFETY: alive; a variable.
        Value::of(unsafe { LLVMGetInitializer(self.0) })
    }

    pub fn set_initializer(self, content: Value) {
        debug_assert!(self.is_global_variable() && content.is_constant() && content.ty() == self.value_type());
        // SAFETY: alive; a variable and a constant of its type.
        unsafe { LLVMSetInitializer(self.0, content.0) }
    }

    /// Takes over how `other` is seen and linked, and whether it may be written.
    pub fn present_as(self, other: Value) {
        debug_assert!(self.is_global_variable() && other.is_global_variable());
        // SAFETY: alive; variables.
        unsafe {
            LLVMSetLinkage(self.0, LLVMGetLinkage(other.0));
            LLVMSetVisibility(self.0, LLVMGetVisibility(other.0));
            LLVMSetGlobalConstant(self.0, LLVMIsGlobalConstant(other.0));
            LLVMSetUnnamedAddress(self.0, LLVMGetUnnamedAddress(other.0));
        }
    }

    /// Deletes the variable: nobody may use it or its handle any more.
    pub fn delete(self) {
        debug_assert!(self.is_global_variable() && !self.is_used());
        // SAFETY: alive until here; a variable without uses.
        unsafe { LLVMDeleteGlobal(self.0) }
    }
}
