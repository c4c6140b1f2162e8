//! Functions and calls of them: bodies, parameters, attributes.

use super::{Block, Type, Value, text};
use inkwell::llvm_sys::LLVMTailCallKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMAttributeRef;
use std::ffi::c_uint;

/// Where LLVM keeps the attributes of a function itself, or of a call itself.
const ITSELF: c_uint = c_uint::MAX;

impl Value {
    pub fn parameters(self) -> Vec<Value> {
        debug_assert!(self.is_function());
        // SAFETY: alive; a function; its parameters exist.
        unsafe { (0..LLVMCountParams(self.0)).map(|i| Value(LLVMGetParam(self.0, i))).collect() }
    }

    pub fn blocks(self) -> Vec<Block> {
        debug_assert!(self.is_function());
        let mut blocks = Vec::new();
        // SAFETY: alive; a function; nothing changes its blocks meanwhile.
        unsafe {
            let mut next = LLVMGetFirstBasicBlock(self.0);
            while !next.is_null() {
                blocks.push(Block(next));
                next = LLVMGetNextBasicBlock(next);
            }
        }
        blocks
    }

    /// All instructions of a function, in order.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        self.blocks().into_iter().flat_map(Block::instructions)
    }

    pub fn has_attribute(self, name: &str) -> bool {
        debug_assert!(self.is_function());
        // SAFETY: alive; a function.
        !unsafe { LLVMGetEnumAttributeAtIndex(self.0, ITSELF, attribute_kind(name)) }.is_null()
    }

    pub fn add_attribute(self, name: &str) {
        debug_assert!(self.is_function());
        // SAFETY: alive; a function; the attribute is made in its context.
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.ty().context(), attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(self.0, ITSELF, attribute);
        }
    }

    pub fn has_text_attribute(self, key: &str) -> bool {
        debug_assert!(self.is_function());
        // SAFETY: alive; a function; the key is a slice.
        let attribute =
            unsafe { LLVMGetStringAttributeAtIndex(self.0, ITSELF, key.as_ptr().cast(), key.len() as c_uint) };
        !attribute.is_null()
    }

    pub fn add_text_attribute(self, key: &str, value: &str) {
        debug_assert!(self.is_function());
        let (context, lengths) = (self.ty().context(), [key.len() as c_uint, value.len() as c_uint]);
        // SAFETY: alive; a function; key and value are slices; the attribute is made in its context.
        unsafe {
            let (key, value) = (key.as_ptr().cast(), value.as_ptr().cast());
            let attribute = LLVMCreateStringAttribute(context, key, lengths[0], value, lengths[1]);
            LLVMAddAttributeAtIndex(self.0, ITSELF, attribute);
        }
    }

    /// Whether a parameter of a function is declared so.
    pub fn parameter_has_attribute(self, parameter: u32, name: &str) -> bool {
        debug_assert!(self.is_function());
        // SAFETY: alive; a function.
        !unsafe { LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, attribute_kind(name)) }.is_null()
    }

    /// The pointee type of a `byval` parameter (of a function) or argument (of a call).
    pub fn by_value_type(self, argument: u32) -> Option<Type> {
        let kind = attribute_kind("byval");
        // SAFETY: alive; a function or a call; `byval` is an attribute with a type.
        unsafe {
            let attribute = if self.is_function() {
                LLVMGetEnumAttributeAtIndex(self.0, argument + 1, kind)
            } else {
                LLVMGetCallSiteEnumAttribute(self.0, argument + 1, kind)
            };
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }
}

/// Calls.
impl Value {
    /// What a call calls.
    pub fn callee(self) -> Value {
        self.operand(self.operand_count() - 1)
    }

    pub fn arguments(self) -> Vec<Value> {
        // SAFETY: alive; callers ask calls.
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// The type of the function that a call takes its callee for.
    pub fn called_type(self) -> Type {
        // SAFETY: alive; callers ask calls.
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// Whether a call takes the place of its caller.
    pub fn is_must_tail(self) -> bool {
        // SAFETY: alive; callers ask calls.
        unsafe { LLVMGetTailCallKind(self.0) == LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    /// Whether the call itself says so, whatever its callee does.
    pub fn call_has_attribute(self, name: &str) -> bool {
        // SAFETY: alive; callers ask calls.
        !unsafe { LLVMGetCallSiteEnumAttribute(self.0, ITSELF, attribute_kind(name)) }.is_null()
    }

    pub fn argument_has_attribute(self, argument: usize, name: &str) -> bool {
        // SAFETY: alive; callers ask calls.
        !unsafe { LLVMGetCallSiteEnumAttribute(self.0, argument as c_uint + 1, attribute_kind(name)) }.is_null()
    }

    /// This call is not to be inlined, whatever its callee says.
    pub fn keep_call(self) {
        // SAFETY: alive; callers ask calls; the attribute is made in its context.
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.ty().context(), attribute_kind("noinline"), 0);
            LLVMAddCallSiteAttribute(self.0, ITSELF, attribute);
        }
    }

    /// Passes arguments and result as `function` says.
    pub fn pass_as(self, function: Value) {
        debug_assert!(function.is_function());
        for index in 0..=function.parameters().len() as c_uint {
            // SAFETY: alive; a function, and a call in its context; there is room for as many attributes as there are.
            unsafe {
                let count = LLVMGetAttributeCountAtIndex(function.0, index) as usize;
                let mut attributes: Vec<LLVMAttributeRef> = vec![std::ptr::null_mut(); count];
                LLVMGetAttributesAtIndex(function.0, index, attributes.as_mut_ptr());
                for attribute in attributes {
                    LLVMAddCallSiteAttribute(self.0, index, attribute);
                }
            }
        }
    }
}

fn attribute_kind(name: &str) -> c_uint {
    // SAFETY: the name is a slice.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// Names of an intrinsic: `llvm.smax.i32` → `Some("smax")`-style base names are found by prefix.
pub fn intrinsic_name(function: Value) -> Option<String> {
    debug_assert!(function.is_function());
    // SAFETY: alive; a function; the name belongs to an intrinsic that exists, and is as long as LLVM says.
    unsafe {
        let id = LLVMGetIntrinsicID(function.0);
        (id != 0).then(|| {
            let mut length = 0;
            let name = LLVMIntrinsicGetName(id, &mut length);
            text(name, length)
        })
    }
}
