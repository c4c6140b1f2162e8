//! Cuts blocks where something symbolic can come in: before each load, after each call whose result may be.
//!
//! ```text
//!   %v = load i32, ptr %p        ; starts a block of its own
//!   %r = call i32 @f(...)        ; ends one
//! ```
//!
//! These are the points where the fast copy may have to go over to the slow one. LLVM's `reg2mem` runs next: every value that
//! crosses a block boundary then lives in a stack slot (named `*.reg2mem`), which both copies share.

use crate::function::edges::rebuild;
use crate::ir::{Block, Emit, LLVMOpcode, Value, intrinsic_name};

pub fn split(function: Value, emit: &Emit) {
    for block in function.blocks() {
        split_block(function, block, emit);
    }
}

/// True for loads and atomics: what they read may be symbolic.
pub fn reads_memory(instruction: Value) -> bool {
    matches!(instruction.opcode(), LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg)
}

/// True for calls that hand back shadows and whose result is used.
pub fn brings_results(instruction: Value, is_instrumented: impl Fn(Value) -> bool) -> bool {
    if instruction.opcode() != LLVMOpcode::LLVMCall || !instruction.is_used() {
        return false;
    }
    let callee = instruction.callee();
    if callee.is_inline_assembly() {
        return false;
    }
    !callee.is_function() || is_instrumented(callee)
}

/// True for functions of which shadows of results are heard: ours, and those with a body.
pub fn answers(callee: Value) -> bool {
    let name = callee.name();
    !name.starts_with("covet.")
        && intrinsic_name(callee).is_none()
        && (!callee.is_declaration() || name.starts_with(covet_abi::symbols::OURS))
}

fn is_sized_at_run_time(instruction: Value) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMAlloca && !instruction.operand(0).is_constant()
}

fn split_block(function: Value, block: Block, emit: &Emit) {
    let instructions = block.instructions();
    let first = instructions.iter().position(|i| i.opcode() != LLVMOpcode::LLVMPHI).unwrap_or(0);
    // What stands in the entry block is shared by both copies and left alone by `reg2mem`; the address of an array of variable length
    // is a value like others.
    let is_entry = function.blocks().first() == Some(&block);
    let mut cuts = Vec::new();
    for (at, instruction) in instructions.iter().enumerate() {
        let is_cut = reads_memory(*instruction) && at > first || is_entry && is_sized_at_run_time(*instruction);
        if is_cut {
            cuts.push(at);
        }
        if brings_results(*instruction, answers) {
            cuts.push(at + 1);
        }
    }
    cuts.dedup();
    let mut end = instructions.len();
    let mut next: Option<Block> = None;
    let mut last = block;
    for cut in cuts.into_iter().rev().filter(|cut| *cut < instructions.len()) {
        let part = emit.append_block(function, "part");
        move_into(part, &instructions[cut..end], emit);
        if let Some(next) = next {
            emit.jump(next);
        } else {
            last = part;
        }
        end = cut;
        next = Some(part);
    }
    let Some(next) = next else { return };
    emit.at_end(block);
    emit.jump(next);
    for successor in last.successors() {
        for phi in successor.phis() {
            rebuild(phi, emit, |from| if from == block { last } else { from });
        }
    }
}

pub fn move_into(block: Block, instructions: &[Value], emit: &Emit) {
    emit.at_end(block);
    for instruction in instructions {
        instruction.detach();
        emit.insert(*instruction);
    }
}
