//! The fast copy of a function: the same blocks once more, without shadows.
//!
//! ```text
//! covet.entry:  symbolic arguments?  yes → slow copy          no → fast copy
//! fast load:    presence map hit?    yes, for these very bytes → the same load in the slow copy
//! fast call:    symbolic result?     yes → note its shadows, → what follows the call in the slow copy
//! ```
//!
//! There is no way back: once symbolic data has come in, the rest of the activation runs in the slow copy. Values live in slots
//! that both copies share (see `split.rs`), so going over needs no repair; `mem2reg` makes registers of them afterwards.

use crate::function::Rewriter;
use crate::function::{slots, split};
use crate::ir::{Block, Emit, LLVMOpcode, Type, Value, size};
use covet_abi::hooks::RESULT_SLOTS;
use std::collections::HashMap;

/// Beyond this many bytes something symbolic is assumed rather than looked for.
const MOST_INLINE: u64 = 128;

/// A block of the fast copy and the block of the slow one it mirrors.
#[derive(Clone, Copy)]
pub struct Pair {
    pub fast: Block,
    pub slow: Block,
}

/// Clones all of `blocks`; every value used across blocks is in a slot, so each block is cloned by itself.
pub fn clone_blocks(function: Value, blocks: &[Block], emit: &Emit) -> Vec<Pair> {
    let pairs: Vec<Pair> =
        blocks.iter().map(|slow| Pair { fast: emit.append_block(function, "fast"), slow: *slow }).collect();
    let fast_of: HashMap<Block, Block> = pairs.iter().map(|pair| (pair.slow, pair.fast)).collect();
    for pair in &pairs {
        emit.at_end(pair.fast);
        let mut clones: HashMap<Value, Value> = HashMap::new();
        for original in pair.slow.instructions() {
            let clone = original.duplicate();
            emit.insert(clone);
            for index in 0..original.operand_count() {
                if let Some(mapped) = clones.get(&original.operand(index)) {
                    clone.set_operand(index, *mapped);
                }
            }
            clones.insert(original, clone);
        }
        if let Some(terminator) = pair.fast.terminator() {
            for (index, successor) in terminator.successors().into_iter().enumerate() {
                // An indirect jump lands where its address says: in the slow copy.
                if terminator.opcode() != LLVMOpcode::LLVMIndirectBr {
                    terminator.set_successor(index, fast_of[&successor]);
                }
            }
        }
    }
    pairs
}

impl Rewriter<'_> {
    /// In the fast copy, before something reads memory: goes over to the slow copy if the presence map has a hit.
    pub fn leave_before_load(&mut self, instruction: Value, pointer: Value, ty: Type) {
        let Some(pair) = self.fast else { return };
        let bytes = size(ty, self.layout);
        let aligned = instruction.opcode() != LLVMOpcode::LLVMLoad || u64::from(instruction.alignment()) >= bytes;
        let block = instruction.block();
        self.emit.before(instruction);
        let hit = self.present_aligned(pointer, bytes, aligned);
        let quiet = self.emit.is_zero(hit);
        let rest = self.emit.append_block(self.function, "quiet");
        let instructions = block.instructions();
        let at = instructions.iter().position(|i| *i == instruction).unwrap_or(0);
        self.emit.at_end(rest);
        for moved in &instructions[at..] {
            moved.detach();
            self.emit.insert(*moved);
        }
        self.emit.at_end(block);
        self.emit.located_as(instruction);
        // Eight bytes share a mark: the one that was hit may be a neighbour's.
        let near = self.emit.append_block(self.function, "near");
        self.emit.likely(self.emit.branch(quiet, rest, near));
        self.emit.at_end(near);
        self.emit.located_as(instruction);
        let address = self.emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, self.emit.i64);
        let length = self.emit.i64.constant(bytes);
        let touched = self.emit.call(self.guards.hooks.touched, &[address, length]);
        self.emit.branch(self.emit.is_zero(touched), rest, pair.slow);
    }

    /// Not 0 (as `i32`) when something in `[pointer, pointer + bytes)` may be symbolic.
    pub fn present(&mut self, pointer: Value, bytes: u64) -> Value {
        if bytes > MOST_INLINE {
            return self.number32(1);
        }
        self.present_aligned(pointer, bytes, false)
    }

    fn present_aligned(&mut self, pointer: Value, bytes: u64, aligned: bool) -> Value {
        let (types, result) = ([self.emit.ptr], self.emit.i32);
        let guard = self.guards.function(&format!("present.{bytes}.{}", u32::from(aligned)), &types, result, |body| {
            let address = body.emit.cast(LLVMOpcode::LLVMPtrToInt, body.parameters[0], body.emit.i64);
            let hit =
                if bytes <= 16 { body.presence(address, bytes, aligned) } else { body.presence_of(address, bytes) };
            body.emit.ret(Some(hit));
        });
        self.emit.call(guard, &[pointer])
    }

    /// In the fast copy, after a call: goes over to the slow copy if its result is symbolic, noting the result's shadows.
    pub fn leave_after_call(&mut self, call: Value) {
        if !split::brings_results(call, split::answers) {
            return;
        }
        let count = self.leaves(call).len().min(RESULT_SLOTS);
        let block = call.block();
        let (Some(terminator), true) = (block.terminator(), count > 0) else { return };
        let kept: Vec<Value> = block
            .instructions()
            .into_iter()
            .filter(|i| i.opcode() == LLVMOpcode::LLVMStore && i.operand(0) == call)
            .filter_map(|i| slots::of(i.operand(1)))
            .collect();
        let next = terminator.successors()[0];
        self.emit.before(terminator);
        let shadows = self.result_shadows(count);
        let any = shadows.iter().copied().reduce(|a, b| self.emit.or(a, b)).unwrap_or_else(|| self.concrete());
        let quiet = self.emit.is_zero(any);
        let transfer = self.emit.append_block(self.function, "transfer");
        self.emit.likely(self.emit.branch(quiet, next, transfer));
        terminator.erase();
        self.emit.at_end(transfer);
        for slot in kept {
            let beside = self.shadow_slots(slot);
            self.store_slots(&shadows, &beside);
        }
        self.emit.jump(self.slow_of[&next]);
    }

    /// Loads of the first `count` result shadows.
    pub fn result_shadows(&self, count: usize) -> Vec<Value> {
        let results = self.guards.hooks.results;
        (0..count)
            .map(|index| {
                let slot = self.emit.element(self.emit.i32, results, self.emit.i64.constant(index as u64));
                self.emit.load(self.emit.i32, slot)
            })
            .collect()
    }
}
