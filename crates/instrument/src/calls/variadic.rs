//! Variable arguments, and structures passed by value in memory.
//!
//! On x86-64 clang lowers `va_arg` itself: it reads the register save area and the stack. So the shadows of a variadic call are kept
//! from entry to `va_start`, where the runtime lays them over that memory. A `byval` argument is copied by the call itself: the
//! callee copies its shadow from the caller's original.

use crate::function::Rewriter;
use crate::ir::{Emit, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Module, Type, Value, size};
use crate::tracking::shadow::{Leaf, LeafKind};
use covet_abi::event::Concretization;
use covet_abi::hooks::{ARGUMENT_SLOTS, ArgumentClass};

/// Variables of the program that go with `__covet_args`.
#[derive(Clone, Copy)]
pub struct Shared {
    /// Pointer to the classes of the argument leaves (bytes), null if the callee is not variadic.
    pub classes: Value,
    /// How many leaves were handed over.
    pub count: Value,
    /// By argument: the original of a structure passed by value.
    pub sources: Value,
}

/// Where a variadic function keeps the shadows it was called with.
#[derive(Clone, Copy)]
pub struct Saved {
    ids: Value,
    count: Value,
    classes: Value,
}

/// x86-64: size of a `va_list`, where it points to the saved registers, and their size.
const LIST_BYTES: u64 = 24;
const SAVE_AREA_AT: u64 = 16;
const SAVE_AREA_BYTES: u64 = 176;

const SLOTS: u64 = ARGUMENT_SLOTS as u64;

impl Shared {
    pub fn define(module: Module, emit: &Emit) -> Shared {
        let define = |name: &str, ty: Type| module.define_global(name, ty.null(), LLVMLinkage::LLVMInternalLinkage);
        Shared {
            classes: define("__covet_arg_classes", emit.ptr),
            count: define("__covet_arg_count", emit.i32),
            sources: define("__covet_arg_sources", emit.ptr.array(SLOTS)),
        }
    }
}

/// How a leaf is passed.
pub fn class(leaf: &Leaf) -> ArgumentClass {
    match leaf.kind {
        LeafKind::Integer | LeafKind::Pointer => ArgumentClass::Integer,
        LeafKind::Float | LeafKind::Double | LeafKind::Vector => ArgumentClass::Float,
        LeafKind::Untracked(_) => ArgumentClass::Stack,
    }
}

impl Rewriter<'_> {
    /// Classes of argument leaves as a constant of the module.
    pub fn class_table(&self, classes: &[ArgumentClass]) -> Value {
        let classes: Vec<u8> = classes.iter().map(|class| *class as u8).collect();
        let (module, data) = (self.function.module(), self.emit.bytes(&classes));
        module.define_constant("covet.classes", data, LLVMLinkage::LLVMPrivateLinkage)
    }

    /// Tells the callee where the original of argument `index` is.
    pub fn note_source(&mut self, index: usize, original: Value) {
        if index < SLOTS as usize {
            let slot = self.emit.element(self.emit.ptr, self.variadic.sources, self.emit.i64.constant(index as u64));
            self.emit.store(original, slot);
        }
    }

    /// At the head of a function called with shadows: copies those of its by-value structures.
    pub fn copy_by_value_shadows(&mut self) {
        for (index, parameter) in self.function.parameters().into_iter().enumerate() {
            let Some(ty) = self.function.by_value_type(index as u32).filter(|_| index < SLOTS as usize) else {
                continue;
            };
            let slot = self.emit.element(self.emit.ptr, self.variadic.sources, self.emit.i64.constant(index as u64));
            let original = self.emit.load(self.emit.ptr, slot);
            let to = self.emit.cast(LLVMOpcode::LLVMPtrToInt, parameter, self.emit.i64);
            let from = self.emit.cast(LLVMOpcode::LLVMPtrToInt, original, self.emit.i64);
            let (length, none) = (self.emit.i64.constant(size(ty, self.layout)), self.concrete());
            self.emit.call(self.guards.hooks.memory_copy, &[to, from, length, none, none, none, none]);
        }
    }

    pub fn prepare_saved_arguments(&mut self) {
        if !self.function.value_type().is_variadic() {
            return;
        }
        let ids = self.emit.alloca(self.emit.i32.array(SLOTS));
        let count = self.emit.alloca(self.emit.i32);
        let classes = self.emit.alloca(self.emit.ptr);
        self.emit.store(self.concrete(), count);
        self.emit.store(self.emit.ptr.null(), classes);
        self.saved_arguments = Some(Saved { ids, count, classes });
    }

    pub fn save_variable_arguments(&mut self) {
        let Some(saved) = self.saved_arguments else { return };
        for index in 0..SLOTS {
            let index = self.emit.i64.constant(index);
            let from = self.emit.element(self.emit.i32, self.guards.hooks.arguments, index);
            let id = self.emit.load(self.emit.i32, from);
            self.emit.store(id, self.emit.element(self.emit.i32, saved.ids, index));
        }
        let count = self.emit.load(self.emit.i32, self.variadic.count);
        self.emit.store(count, saved.count);
        let classes = self.emit.load(self.emit.ptr, self.variadic.classes);
        self.emit.store(classes, saved.classes);
    }

    /// A list is written by code we do not see: frames that were here before may have left their marks.
    pub fn va_copy(&mut self, instruction: Value) {
        self.forget(instruction.operand(0), LIST_BYTES);
    }

    pub fn va_start(&mut self, instruction: Value) {
        self.emit.after(instruction);
        let list = instruction.operand(0);
        self.forget(list, LIST_BYTES);
        let area = self.emit.offset(list, self.emit.i64.constant(SAVE_AREA_AT));
        let area = self.emit.load(self.emit.ptr, area);
        self.forget(area, SAVE_AREA_BYTES);
        let Some(saved) = self.saved_arguments else { return };
        let named = self.function.parameters();
        let fixed: Vec<_> = named
            .iter()
            .enumerate()
            .filter(|(index, _)| self.function.by_value_type(*index as u32).is_none())
            .flat_map(|(_, parameter)| self.leaves(*parameter))
            .collect();
        let registers = |float: bool| {
            fixed
                .iter()
                .filter(|leaf| leaf.is_tracked() && (leaf.is_float() || leaf.kind == LeafKind::Vector) == float)
                .count()
        };
        let (integers, floats) = (registers(false).min(6), registers(true).min(8));
        let leading: usize = named.iter().map(|parameter| self.leaves(*parameter).len()).sum();
        let types = [self.emit.ptr, self.emit.ptr, self.emit.ptr, self.emit.i32];
        let name = format!("va_start.{leading}.{integers}.{floats}");
        let result = self.emit.i32;
        let guard = self.guards.function(&name, &types, result, |body| {
            let emit = body.emit;
            let [list, ids, classes, count] = body.parameters[..] else { unreachable!("four parameters") };
            body.unless(emit.is_zero(count), emit.i32.null(), |body| {
                let address = |pointer: Value| emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, emit.i64);
                let ids = emit.element(emit.i32, ids, emit.i64.constant(leading as u64));
                let classes = emit.offset(classes, emit.i64.constant(leading as u64));
                let rest = emit.binary(LLVMOpcode::LLVMSub, count, body.number(leading as u64));
                let registers = [body.number(integers as u64), body.number(floats as u64), body.number(0)];
                let [i, f, s] = registers;
                emit.call(body.hooks.va_start, &[address(list), address(ids), address(classes), rest, i, f, s])
            });
        });
        let count = self.emit.load(self.emit.i32, saved.count);
        let classes = self.emit.load(self.emit.ptr, saved.classes);
        // Called through a pointer of a type without "...": there is nothing to lay over.
        let none = self.emit.compare(LLVMIntPredicate::LLVMIntEQ, classes, self.emit.ptr.null());
        let count = self.emit.select(none, self.concrete(), count);
        self.emit.call(guard, &[instruction.operand(0), saved.ids, classes, count]);
    }

    /// The `va_arg` instruction: clang does not emit it for our targets; its result is concrete.
    pub fn variable_argument(&mut self, instruction: Value) {
        self.concretise_operands(instruction, Concretization::Model);
    }
}
