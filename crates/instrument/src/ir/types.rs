//! Types, their sizes, and constants of them.

use super::{LLVMTypeKind, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMTypeRef};
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMSizeOfTypeInBits};
use inkwell::targets::TargetData;
use std::ffi::CStr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub(super) LLVMTypeRef);

impl Type {
    pub(super) fn context(self) -> LLVMContextRef {
        // SAFETY: alive.
        unsafe { LLVMGetTypeContext(self.0) }
    }

    pub fn kind(self) -> LLVMTypeKind {
        // SAFETY: alive.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// How LLVM writes it.
    pub fn name(self) -> String {
        // SAFETY: alive; the text is a C string that is ours to dispose of.
        unsafe {
            let raw = LLVMPrintTypeToString(self.0);
            let name = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeMessage(raw);
            name
        }
    }

    pub fn integer_width(self) -> Option<u32> {
        // SAFETY: alive; an integer type.
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind).then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    pub fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }

    fn is_array(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMArrayTypeKind
    }

    /// Of an array or a vector.
    pub fn element(self) -> Type {
        debug_assert!(self.is_array() || self.is_vector());
        // SAFETY: alive; an array or a vector.
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// Elements of an array or a vector.
    pub fn count(self) -> u64 {
        debug_assert!(self.is_array() || self.is_vector());
        // SAFETY: alive; a vector or an array, as asked.
        unsafe { if self.is_vector() { u64::from(LLVMGetVectorSize(self.0)) } else { LLVMGetArrayLength2(self.0) } }
    }

    pub fn fields(self) -> Vec<Type> {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMStructTypeKind);
        // SAFETY: alive; a structure; its fields exist.
        unsafe { (0..LLVMCountStructElementTypes(self.0)).map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i))).collect() }
    }

    /// An array of this type.
    pub fn array(self, count: u64) -> Type {
        // SAFETY: alive.
        Type(unsafe { LLVMArrayType2(self.0, count) })
    }
}

/// Functions.
impl Type {
    /// The type of functions that give this.
    pub fn function(self, parameters: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|ty| ty.0).collect();
        // SAFETY: alive; the parameters are as many as said.
        Type(unsafe { LLVMFunctionType(self.0, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }

    pub fn parameter_count(self) -> usize {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMFunctionTypeKind);
        // SAFETY: alive; the type of a function.
        unsafe { LLVMCountParamTypes(self.0) as usize }
    }

    pub fn is_variadic(self) -> bool {
        debug_assert_eq!(self.kind(), LLVMTypeKind::LLVMFunctionTypeKind);
        // SAFETY: alive; the type of a function.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

/// Constants.
impl Type {
    pub fn null(self) -> Value {
        // SAFETY: alive.
        Value(unsafe { LLVMConstNull(self.0) })
    }

    pub fn constant(self, number: u64) -> Value {
        debug_assert!(self.integer_width().is_some());
        // SAFETY: alive; an integer type.
        Value(unsafe { LLVMConstInt(self.0, number, 0) })
    }

    /// An array of constants of this type.
    pub fn constants(self, values: &[Value]) -> Value {
        debug_assert!(values.iter().all(|value| value.is_constant() && value.ty() == self));
        let mut raw: Vec<_> = values.iter().map(|value| value.0).collect();
        // SAFETY: alive; as many constants of this type as said.
        Value(unsafe { LLVMConstArray2(self.0, raw.as_mut_ptr(), raw.len() as u64) })
    }
}

/// Bits of a value of this type.
pub fn bits(ty: Type, layout: &TargetData) -> u64 {
    // SAFETY: alive; callers ask types that have a size.
    unsafe { LLVMSizeOfTypeInBits(layout.as_mut_ptr(), ty.0) }
}

/// Bytes from one element of this type to the next.
pub fn size(ty: Type, layout: &TargetData) -> u64 {
    // SAFETY: alive; callers ask types that have a size.
    unsafe { LLVMABISizeOfType(layout.as_mut_ptr(), ty.0) }
}

pub fn field_offset(record: Type, field: u32, layout: &TargetData) -> u64 {
    debug_assert!((field as usize) < record.fields().len());
    // SAFETY: alive; a structure that has the field.
    unsafe { LLVMOffsetOfElement(layout.as_mut_ptr(), record.0, field) }
}
