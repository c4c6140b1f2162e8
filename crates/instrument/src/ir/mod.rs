//! Plain handles on LLVM's modules, values, types and blocks, and an emitter that appends instructions: the only place that calls LLVM's
//! C interface.
//!
//! `inkwell` owns contexts, modules, targets and passes. The rewriting itself meets operands of every type in every position, where
//! `inkwell`'s typed values need a `match` per operand; these `Copy` handles keep it readable. Only this crate sees them.
//!
//! # What makes the calls safe
//!
//! LLVM checks nothing of this in a release build, so it is promised here, and every `unsafe` block names what it relies on:
//!
//! * **alive**: a handle is made by this module alone, is never null, and is used only while the `inkwell` context lives that it comes from and
//!   before what it stands for is erased. `build` owns the context and drops all handles before it; whoever erases or deletes a
//!   value (`Value::erase`, `Value::delete`) forgets the handle, and nobody keeps one across a pass that may remove the value.
//! * **one context**: all handles of a build come from one context and one module; values of different modules never meet.
//! * **kind**: a method that is about one kind of value (a phi, a branch, a function, a global) is called on that kind. Debug builds check it
//!   (`Value::assert_opcode` and the like).
//! * **one thread**: handles are neither `Send` nor `Sync`, as raw pointers are not.
//!
//! Texts that LLVM hands out are copied at once; lists are handed over by pointer and length of a slice that outlives the call.

mod block;
mod code_options;
mod debug;
mod emit;
mod function;
mod global;
mod instruction;
mod module;
mod part;
mod types;
mod value;

pub use block::Block;
pub use code_options::{CODE_OPTIONS, set_code_options};
pub use debug::Location;
pub use emit::Emit;
pub use function::intrinsic_name;
pub use inkwell::llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind,
};
pub use module::Module;
pub use part::read;
pub use types::{Type, bits, field_offset, size};
pub use value::Value;

use std::ffi::{CString, c_char};

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names in a module hold no NUL")
}

/// A copy of a text of LLVM's, empty where there is none.
///
/// # Safety
/// `pointer` is null or points at `length` bytes.
unsafe fn text(pointer: *const c_char, length: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
