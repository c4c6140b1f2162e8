//! A function → the same with hooks where it is entered and left.

use super::tables::About;
use crate::ir::{Emit, LLVMOpcode, LLVMTypeKind, Module, Type, Value, size};
use inkwell::targets::TargetData;

/// Variables of a function that are announced, and how far their addresses are followed.
const MOST_LOCALS: usize = 24;
const MOST_STEPS: usize = 8;

pub struct Hooks {
    enter: Value,
    leave: Value,
}

/// What a parameter is: its bits as a number, or one of these.
const OTHER: u8 = 0;
const POINTER: u8 = 255;

/// What there is to tell of a function's frame.
pub struct Frame {
    pub kinds: Vec<u8>,
    /// Variables whose addresses others may have, with their sizes.
    pub locals: Vec<(Value, u64)>,
}

impl Frame {
    pub fn of(function: Value, layout: &TargetData) -> Frame {
        let kinds = (0..).zip(function.parameters()).map(|(at, value)| kind(function, at, value.ty())).collect();
        let entry = function.blocks().first().map(|block| block.instructions()).unwrap_or_default();
        let allocas = entry.into_iter().filter(|instruction| instruction.is_alloca());
        let single =
            allocas.filter(|alloca| alloca.operand(0).as_constant() == Some(1) && escapes(*alloca, MOST_STEPS));
        let locals = single.map(|alloca| (alloca, size(alloca.allocated_type(), layout)));
        Frame { kinds, locals: locals.take(MOST_LOCALS).collect() }
    }
}

fn kind(function: Value, at: u32, ty: Type) -> u8 {
    let is_result = function.parameter_has_attribute(at, "sret");
    match (ty.kind(), ty.integer_width()) {
        (LLVMTypeKind::LLVMPointerTypeKind, _) if !is_result && function.by_value_type(at).is_none() => POINTER,
        (_, Some(width @ 1..=64)) => width as u8,
        (_, _) => OTHER,
    }
}

/// Whether somebody else may come to know an address.
fn escapes(address: Value, steps: usize) -> bool {
    let is_told = |user: Value| match user.opcode() {
        LLVMOpcode::LLVMLoad => false,
        LLVMOpcode::LLVMStore => user.operand(0) == address,
        LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMSelect | LLVMOpcode::LLVMBitCast => {
            steps == 0 || escapes(user, steps - 1)
        }
        LLVMOpcode::LLVMCall => !user.callee().name().starts_with("llvm."),
        _ => true,
    };
    address.users().into_iter().any(|user| !user.is_instruction() || is_told(user))
}

impl Hooks {
    pub fn declare(module: Module, emit: &Emit) -> Hooks {
        let enter = module.declare("__covet_profile_enter", &[emit.ptr, emit.ptr, emit.ptr], emit.void);
        let leave = module.declare("__covet_profile_leave", &[emit.ptr], emit.void);
        Hooks { enter, leave }
    }

    pub fn add(&self, emit: &Emit, function: Value, about: About, frame: &Frame) {
        for block in function.blocks() {
            let instructions = block.instructions();
            let Some(end) = instructions.last().copied().filter(|end| end.is(LLVMOpcode::LLVMRet)) else { continue };
            // Nothing may stand between a call that takes our place and the return.
            let before = instructions.len().checked_sub(2).map(|at| instructions[at]);
            if before.is_some_and(|call| call.is(LLVMOpcode::LLVMCall) && call.is_must_tail()) {
                continue;
            }
            emit.before(end);
            emit.call(self.leave, &[about.0]);
        }
        let first = function.blocks().into_iter().next().map(|block| block.instructions()).unwrap_or_default();
        // Behind the variables that stand at the start.
        let Some(place) = first.into_iter().find(|instruction| !instruction.is_alloca()) else { return };
        emit.before(place);
        let arguments = self.arguments(emit, function, frame);
        let locals = match frame.locals.len() {
            0 => emit.ptr.null(),
            count => {
                let array = emit.alloca(emit.ptr.array(count as u64));
                for (at, (local, _)) in (0..).zip(&frame.locals) {
                    emit.store(*local, emit.element(emit.ptr, array, emit.i64.constant(at)));
                }
                array
            }
        };
        emit.call(self.enter, &[about.0, arguments, locals]);
    }

    /// All arguments in 64 bits each.
    fn arguments(&self, emit: &Emit, function: Value, frame: &Frame) -> Value {
        let array = emit.alloca(emit.i64.array(frame.kinds.len().max(1) as u64));
        for (at, (value, kind)) in (0..).zip(function.parameters().into_iter().zip(&frame.kinds)) {
            let word = match *kind {
                OTHER => emit.i64.constant(0),
                POINTER => emit.cast(LLVMOpcode::LLVMPtrToInt, value, emit.i64),
                64 => value,
                _ => emit.cast(LLVMOpcode::LLVMZExt, value, emit.i64),
            };
            emit.store(word, emit.element(emit.i64, array, emit.i64.constant(at)));
        }
        array
    }
}
