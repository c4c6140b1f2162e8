//! Red zones: memory behind arrays and structures that belongs to nobody, so that a step too far is noticed.
//!
//! ```text
//!   %a = alloca [10 x i8]                            ; all such of a function become one
//! ; becomes
//!   %frame = alloca [48 x i8], align 16              ; zone, zone + 6 + a, zone: an object ends where eight bytes end, if it may
//!   %a = getelementptr i8, ptr %frame, i64 22
//!   poison and presence maps of the zones = ff ff    ; zeroed again before each return
//!
//!   %v = alloca i32, i64 %n                          ; of variable length: the runtime poisons what is around
//!   %room = alloca i8, i64 (32 + 4 * %n), align 16
//!   %v = getelementptr i8, ptr %room, i64 16
//!   call @__covet_zone(%v, 4 * %n)                   ; undone at llvm.stackrestore and before each return
//!
//!   @g = global [3 x i32] ...                        ; grows: <{ [3 x i32], [20 x i8] }>, poisoned by the runtime
//! ```

use crate::function::Rewriter;
use crate::ir::{Block, Emit, Type, Value, c_string};
use crate::shadow::size;
use crate::slots;
use covet_abi::shared::{POISON_BASE, PRESENCE_BASE, RED_ZONE};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind};
use inkwell::targets::TargetData;
use std::collections::HashMap;

/// The types of objects that have grown, by their address.
pub type Grown = HashMap<Value, Type>;

/// The objects of a function's frame.
pub struct Frame {
    memory: Value,
    /// Addresses and sizes.
    pub objects: Vec<(Value, u64)>,
    /// For each eight bytes, which of them are poisoned.
    poison: Vec<u8>,
}

impl Frame {
    /// The memory they are all in, and its bytes.
    pub fn extent(&self) -> (Value, u64) {
        (self.memory, self.poison.len() as u64 * 8)
    }

    /// True for the memory they are all in.
    pub fn is(&self, alloca: Value) -> bool {
        self.memory == alloca
    }
}

/// Gives global arrays and structures their red zones.
pub fn globals(module: LLVMModuleRef, emit: &Emit, layout: &TargetData) -> Grown {
    let mut all = Vec::new();
    let mut next = unsafe { LLVMGetFirstGlobal(module) };
    while !next.is_null() {
        all.push(Value(next));
        next = unsafe { LLVMGetNextGlobal(next) };
    }
    let fit = all.into_iter().filter(|global| can_grow(*global));
    fit.map(|global| grow(module, global, emit, layout)).collect()
}

/// Definitions of this program alone, whose place nobody else decides.
fn can_grow(global: Value) -> bool {
    let aggregate =
        matches!(global.value_type().kind(), LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMStructTypeKind);
    let section = unsafe { LLVMGetSection(global.0) };
    let in_section = !section.is_null() && unsafe { *section } != 0;
    let own = matches!(
        unsafe { LLVMGetLinkage(global.0) },
        LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    );
    let is_local = unsafe { LLVMIsThreadLocal(global.0) != 0 };
    aggregate && own && !global.is_declaration() && !in_section && !is_local && !global.name().starts_with("llvm.")
}

fn grow(module: LLVMModuleRef, global: Value, emit: &Emit, layout: &TargetData) -> (Value, Type) {
    let ty = global.value_type();
    let bytes = size(ty, layout);
    let padding = (bytes + RED_ZONE).next_multiple_of(8) - bytes;
    unsafe {
        let zone = LLVMConstNull(LLVMArrayType2(emit.i8.0, padding));
        let mut parts = [LLVMGetInitializer(global.0), zone];
        let content = LLVMConstStructInContext(emit.context, parts.as_mut_ptr(), 2, 1);
        let name = global.name();
        global.set_name("");
        let grown = LLVMAddGlobal(module, LLVMTypeOf(content), c_string(&name).as_ptr());
        LLVMSetInitializer(grown, content);
        LLVMSetLinkage(grown, LLVMGetLinkage(global.0));
        LLVMSetVisibility(grown, LLVMGetVisibility(global.0));
        LLVMSetGlobalConstant(grown, LLVMIsGlobalConstant(global.0));
        LLVMSetUnnamedAddress(grown, LLVMGetUnnamedAddress(global.0));
        // The first bytes share no eight with another object's zone.
        LLVMSetAlignment(grown, LLVMGetAlignment(global.0).max(8));
        global.replace_uses(Value(grown));
        LLVMDeleteGlobal(global.0);
        (Value(grown), ty)
    }
}

impl Rewriter<'_> {
    /// The user's allocas in `entry` become one, with red zones between them.
    pub fn make_frame(&mut self, entry: Block) {
        let is_object = |i: &Value| {
            i.opcode() == LLVMOpcode::LLVMAlloca
                && slots::of(*i).is_none()
                && i.operand(0).as_constant() == Some(1)
                && !unsafe { LLVMGetFirstUse(i.0) }.is_null()
        };
        let allocas: Vec<Value> = entry.instructions().into_iter().filter(is_object).collect();
        if !self.is_users() || allocas.is_empty() || self.function.has_attribute("naked") {
            return;
        }
        let mut places = Vec::new();
        let (mut end, mut widest, mut poison) = (RED_ZONE, 8, vec![0xff; (RED_ZONE / 8) as usize]);
        for alloca in &allocas {
            let bytes = size(Type(unsafe { LLVMGetAllocatedType(alloca.0) }), self.layout);
            let alignment = u64::from(unsafe { LLVMGetAlignment(alloca.0) }).max(1);
            widest = widest.max(alignment);
            let start = match alignment {
                // Its end is that of eight bytes: one too far is in the next eight.
                ..8 => end.next_multiple_of(8) + bytes.next_multiple_of(8) - bytes,
                _ => end.next_multiple_of(alignment),
            };
            poison.resize((start / 8) as usize, 0xff);
            places.push((start, bytes));
            let after = start + bytes;
            poison.resize((after / 8) as usize, 0);
            if !after.is_multiple_of(8) {
                poison.push(0xffu8 << (after % 8));
            }
            end = after.next_multiple_of(8) + RED_ZONE;
            poison.resize((end / 8) as usize, 0xff);
        }
        self.emit.at_end(entry);
        let memory = self.emit.alloca(Type(unsafe { LLVMArrayType2(self.emit.i8.0, end) }));
        unsafe { LLVMSetAlignment(memory.0, widest as u32) };
        let mut objects = Vec::new();
        for (alloca, (start, bytes)) in allocas.into_iter().zip(places) {
            let object = self.emit.offset(memory, self.emit.i64.constant(start));
            self.numbering.grown.insert(object, Type(unsafe { LLVMGetAllocatedType(alloca.0) }));
            alloca.replace_uses(object);
            alloca.erase();
            objects.push((object, bytes));
        }
        self.frame = Some(Frame { memory, objects, poison });
        self.poison_frame(true);
        self.undefine_frame();
    }

    /// An array of variable length as one with a red zone before and behind it.
    pub fn zoned(&mut self, alloca: Value, bytes: Value) -> Value {
        self.emit.after(alloca);
        if !self.is_users() {
            return alloca;
        }
        let alignment = u64::from(unsafe { LLVMGetAlignment(alloca.0) }).max(RED_ZONE);
        // Behind it as well, up to the end of eight bytes.
        let room = self.emit.add(bytes, self.emit.i64.constant(alignment + RED_ZONE + 8));
        let memory = self.emit.alloca_array(self.emit.i8, room);
        unsafe { LLVMSetAlignment(memory.0, alignment as u32) };
        let object = self.emit.offset(memory, self.emit.i64.constant(alignment));
        let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, object, self.emit.i64);
        self.emit.call(self.guards.hooks.zone, &[address, bytes]);
        alloca.replace_uses(object);
        alloca.erase();
        object
    }

    /// Poisons the zones of the frame, or makes them plain memory again.
    pub fn poison_frame(&self, on: bool) {
        let Some(frame) = &self.frame else { return };
        let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, frame.memory, self.emit.i64);
        let granule = self.emit.binary(LLVMOpcode::LLVMLShr, address, self.emit.i64.constant(3));
        for (at, bytes) in pieces(&frame.poison) {
            let bits = bytes.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
            let value = self.emit.integer(bytes.len() as u32 * 8).constant(if on { bits } else { 0 });
            for map in [POISON_BASE, PRESENCE_BASE] {
                let place = self.emit.add(granule, self.emit.i64.constant(map + at as u64));
                let store = self.emit.store(value, self.emit.cast(LLVMOpcode::LLVMIntToPtr, place, self.emit.ptr));
                unsafe { LLVMSetAlignment(store.0, 1) };
            }
        }
    }
}

/// The stretches of bytes that are not zero, cut to lengths that one store can have.
fn pieces(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| **byte != 0).count();
        if run == 0 {
            at += 1;
            continue;
        }
        let length = [8, 4, 2, 1].into_iter().find(|length| *length <= run).unwrap_or(1);
        found.push((at, &bytes[at..at + length]));
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn stretches_are_cut_to_whole_stores() {
        let bytes = [0xff, 0xff, 0xff, 0, 0, 0xf0, 0xff, 0xff, 0xff, 0xff, 0];
        let cut: Vec<(usize, usize)> = pieces(&bytes).into_iter().map(|(at, part)| (at, part.len())).collect();
        assert_eq!(cut, [(0, 2), (2, 1), (5, 4), (9, 1)]);
    }
}
