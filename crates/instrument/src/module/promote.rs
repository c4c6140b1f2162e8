//! Brings clang's `-O0` code into SSA form, changing no branch.
//!
//! Only scalar replacement runs. A function that calls something which returns twice keeps its locals in memory, as plain `-O0` code
//! does. Overflow flags are dropped: `-O0` code wraps, and the code generator must not think otherwise. Those of signed arithmetic in the
//! user's code stay for the rewriting, when it is to check them.

use crate::Error;
use crate::ir::{self, LLVMOpcode, Value};
use crate::module::combine::is_ours;
use covet_abi::check::{Check, Checks};
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

pub fn promote(module: &Module, machine: &TargetMachine, checks: Checks) -> Result<(), Error> {
    for function in ir::Module::of(module).functions() {
        if function.is_declaration() {
            continue;
        }
        let is_users = !is_ours(function);
        // Where a variable lives in registers only, nobody sees that it was never written.
        if returns_twice(function) || is_users && checks.contains(Check::Uninitialised) {
            function.add_attribute("noinline");
            function.add_attribute("optnone");
        }
        let keep = is_users && checks.contains(Check::SignedOverflow);
        for instruction in function.instructions() {
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
    function.instructions().any(|instruction| {
        instruction.opcode() == LLVMOpcode::LLVMCall && {
            let callee = instruction.callee();
            callee.is_function() && callee.has_attribute("returns_twice")
        }
    })
}

fn drop_flags(instruction: Value, keep_overflow: bool) {
    match instruction.opcode() {
        LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl => {
            if !keep_overflow || instruction.opcode() == LLVMOpcode::LLVMShl {
                instruction.drop_signed_promise();
            }
            instruction.drop_unsigned_promise();
        }
        LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => {
            instruction.drop_exactness();
        }
        _ => {}
    }
}
