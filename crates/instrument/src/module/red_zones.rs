//! Red zones of globals: memory behind arrays and structures that belongs to nobody, so that a step too far is noticed.
//!
//! ```text
//!   @g = global [3 x i32] ...                        ; grows: <{ [3 x i32], [20 x i8] }>, poisoned by the runtime
//! ```

use crate::ir::{Emit, LLVMLinkage, LLVMTypeKind, Module, Type, Value, size};
use covet_abi::shared::RED_ZONE;
use inkwell::targets::TargetData;
use std::collections::HashMap;

/// The types of objects that have grown, by their address.
pub type Grown = HashMap<Value, Type>;

/// Gives global arrays and structures their red zones.
pub fn globals(module: Module, emit: &Emit, layout: &TargetData) -> Grown {
    let fit = module.globals().into_iter().filter(|global| can_grow(*global));
    fit.map(|global| grow(module, global, emit, layout)).collect()
}

/// Definitions of this program alone, whose place nobody else decides.
fn can_grow(global: Value) -> bool {
    let aggregate =
        matches!(global.value_type().kind(), LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMStructTypeKind);
    let own = matches!(
        global.linkage(),
        LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    );
    let fixed = global.is_in_section() || global.is_thread_local();
    aggregate && own && !global.is_declaration() && !fixed && !global.name().starts_with("llvm.")
}

fn grow(module: Module, global: Value, emit: &Emit, layout: &TargetData) -> (Value, Type) {
    let ty = global.value_type();
    let bytes = size(ty, layout);
    let padding = (bytes + RED_ZONE).next_multiple_of(8) - bytes;
    let initial = global.initializer().expect("a definition has a content");
    let content = emit.record(&[initial, emit.i8.array(padding).null()], true);
    let name = global.name();
    global.set_name("");
    let grown = module.define_global(&name, content, global.linkage());
    grown.present_as(global);
    // The first bytes share no eight with another object's zone.
    grown.set_alignment(global.alignment().max(8));
    global.replace_uses(grown);
    global.delete();
    (grown, ty)
}
