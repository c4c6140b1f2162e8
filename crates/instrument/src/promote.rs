//! Brings clang's `-O0` code into SSA form, changing no branch.
//!
//! Only scalar replacement runs. A function that calls something which returns twice keeps its locals in memory, as plain `-O0` code
//! does. Overflow flags are dropped: `-O0` code wraps, and the code generator must not think otherwise. Those of signed arithmetic in the
//! user's code stay for the rewriting, when it is to check them.

use crate::Error;
use crate::combine::{functions, is_ours};
use crate::ir::Value;
use covet_abi::check::{Check, Checks};
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

pub fn promote(module: &Module, machine: &TargetMachine, checks: Checks) -> Result<(), Error> {
    for function in functions(module.as_mut_ptr()) {
        if function.is_declaration() {
            continue;
        }
        let is_users = !is_ours(function);
        // Where a variable lives in registers only, nobody sees that it was never written.
        if returns_twice(function) || is_users && checks.contains(Check::Uninitialised) {
            let context = unsafe { LLVMGetModuleContext(module.as_mut_ptr()) };
            function.add_attribute(context, "noinline");
            function.add_attribute(context, "optnone");
        }
        let keep = is_users && checks.contains(Check::SignedOverflow);
        for instruction in function.blocks().into_iter().flat_map(|block| block.instructions()) {
            drop_flags(instruction, keep);
        }
    }
    let passes = "globaldce,strip-nonlinetable-debuginfo,function(sroa<preserve-cfg>)";
    run(module, machine, passes)
}

/// Runs LLVM passes by name.
pub fn run(module: &Module, machine: &TargetMachine, passes: &str) -> Result<(), Error> {
    let options = PassBuilderOptions::create();
    module.run_passes(passes, machine, options).map_err(|message| Error::Passes(message.to_string()))
}

fn returns_twice(function: Value) -> bool {
    function.blocks().into_iter().flat_map(|block| block.instructions()).any(|instruction| {
        instruction.opcode() == LLVMOpcode::LLVMCall && {
            let callee = instruction.operand(instruction.operand_count() - 1);
            callee.is_function() && callee.has_attribute("returns_twice")
        }
    })
}

fn drop_flags(instruction: Value, keep_overflow: bool) {
    match instruction.opcode() {
        LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl => unsafe {
            if !keep_overflow || instruction.opcode() == LLVMOpcode::LLVMShl {
                LLVMSetNSW(instruction.0, 0);
            }
            LLVMSetNUW(instruction.0, 0);
        },
        LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => unsafe {
            LLVMSetExact(instruction.0, 0);
        },
        _ => {}
    }
}
