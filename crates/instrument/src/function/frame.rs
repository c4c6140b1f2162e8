//! The frame: a function's objects on the stack as one, with red zones between them.
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
//! ```

use crate::function::{Rewriter, slots};
use crate::ir::{Block, LLVMOpcode, Value, size};
use covet_abi::shared::{POISON_BASE, PRESENCE_BASE, RED_ZONE};

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

impl Rewriter<'_> {
    /// The user's allocas in `entry` become one, with red zones between them.
    pub fn make_frame(&mut self, entry: Block) {
        let is_object = |i: &Value| {
            i.opcode() == LLVMOpcode::LLVMAlloca
                && slots::of(*i).is_none()
                && i.operand(0).as_constant() == Some(1)
                && i.is_used()
        };
        let allocas: Vec<Value> = entry.instructions().into_iter().filter(is_object).collect();
        if !self.is_users() || allocas.is_empty() || self.function.has_attribute("naked") {
            return;
        }
        let mut places = Vec::new();
        let (mut end, mut widest, mut poison) = (RED_ZONE, 8, vec![0xff; (RED_ZONE / 8) as usize]);
        for alloca in &allocas {
            let bytes = size(alloca.allocated_type(), self.layout);
            let alignment = u64::from(alloca.alignment()).max(1);
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
        let memory = self.emit.alloca(self.emit.i8.array(end));
        memory.set_alignment(widest as u32);
        let mut objects = Vec::new();
        for (alloca, (start, bytes)) in allocas.into_iter().zip(places) {
            let object = self.emit.offset(memory, self.emit.i64.constant(start));
            self.numbering.grown.insert(object, alloca.allocated_type());
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
        let alignment = u64::from(alloca.alignment()).max(RED_ZONE);
        // Behind it as well, up to the end of eight bytes.
        let room = self.emit.add(bytes, self.emit.i64.constant(alignment + RED_ZONE + 8));
        let memory = self.emit.alloca_array(self.emit.i8, room);
        memory.set_alignment(alignment as u32);
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
                store.set_alignment(1);
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
