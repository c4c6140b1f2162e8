//! Guards: tiny always-inlined functions that call a hook only when a shadow is not 0.
//!
//! The rewriting inserts straight-line calls; the inliner turns each into this, so no block is split by hand:
//!
//! ```text
//! %s = call i32 @covet.add.i32(i32 %sa, i32 %sb, i32 %a, i32 %b)
//! ; becomes
//!   %any = or i32 %sa, %sb
//!   br (%any == 0), join, slow          ; weighted: slow is rare
//! slow:
//!   %r = call i32 @__covet_binary(...)  ; values are widened here, off the fast path
//! join:
//!   %s = phi i32 [0], [%r]
//! ```

use crate::ir::{Block, Emit, LLVMOpcode, Module, Type, Value};
use crate::tracking::hooks::Hooks;
use crate::tracking::shadow::{Leaf, LeafKind};
use std::collections::{HashMap, HashSet};

pub struct Guards {
    module: Module,
    pub emit: Emit,
    pub hooks: Hooks,
    known: HashMap<String, Value>,
    all: HashSet<Value>,
}

/// The inside of a guard, while it is being written.
pub struct Body<'g> {
    pub emit: &'g Emit,
    pub hooks: &'g Hooks,
    pub function: Value,
    pub parameters: Vec<Value>,
}

impl Guards {
    pub fn new(module: Module, emit: Emit) -> Guards {
        let hooks = Hooks::declare(module, &emit);
        Guards { module, emit, hooks, known: HashMap::new(), all: HashSet::new() }
    }

    /// An always-inlined function `name`, written by `write` on first use.
    pub fn function(&mut self, name: &str, parameters: &[Type], result: Type, write: impl FnOnce(&Body)) -> Value {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let function = self.module.add_inlined(&format!("covet.{name}"), parameters, result);
        let entry = self.emit.append_block(function, "entry");
        self.emit.at_end(entry);
        write(&Body { emit: &self.emit, hooks: &self.hooks, function, parameters: function.parameters() });
        self.known.insert(name.to_owned(), function);
        self.all.insert(function);
        function
    }

    pub fn contains(&self, function: Value) -> bool {
        self.all.contains(&function)
    }

    /// A guard whose first `shadows` parameters are node ids: gives 0 when all are 0, else what `slow` gives.
    pub fn on_shadows(
        &mut self,
        name: &str,
        shadows: usize,
        values: &[Type],
        slow: impl FnOnce(&Body) -> Value,
    ) -> Value {
        let mut types = vec![self.emit.i32; shadows];
        types.extend_from_slice(values);
        self.function(name, &types, self.emit.i32, |body| {
            let any = body.parameters[..shadows].iter().copied().reduce(|a, b| body.emit.or(a, b));
            let any = any.unwrap_or_else(|| body.emit.i32.null());
            let quiet = body.emit.is_zero(any);
            body.unless(quiet, body.emit.i32.null(), |body| slow(body));
        })
    }
}

impl Body<'_> {
    pub fn number(&self, number: u64) -> Value {
        self.emit.i32.constant(number)
    }

    pub fn wide_number(&self, number: u64) -> Value {
        self.emit.i64.constant(number)
    }

    /// Returns `fast` at once if `quiet`, else what `slow` gives. Ends the function.
    pub fn unless(&self, quiet: Value, fast: Value, slow: impl FnOnce(&Self) -> Value) {
        let quick = self.emit.append_block(self.function, "fast");
        let rare = self.emit.append_block(self.function, "slow");
        self.emit.likely(self.emit.branch(quiet, quick, rare));
        self.emit.at_end(quick);
        self.emit.ret(Some(fast));
        self.emit.at_end(rare);
        let result = slow(self);
        self.emit.ret(Some(result));
    }

    pub fn block(&self, name: &str) -> Block {
        self.emit.append_block(self.function, name)
    }

    /// A value's bits as the low and high halves that hooks take.
    pub fn halves(&self, value: Value, leaf: &Leaf) -> (Value, Value) {
        halves(self.emit, value, leaf)
    }

    /// The low half alone, for values of at most 64 bits.
    pub fn low(&self, value: Value, leaf: &Leaf) -> Value {
        self.halves(value, leaf).0
    }
}

pub fn halves(emit: &Emit, value: Value, leaf: &Leaf) -> (Value, Value) {
    let zero = emit.i64.null();
    let widen = |value: Value, width: u32| {
        if width == 64 { value } else { emit.cast(LLVMOpcode::LLVMZExt, value, emit.i64) }
    };
    let split = |value: Value, width: u32| {
        if width <= 64 {
            return (widen(value, width), zero);
        }
        let whole = if width == 128 { value } else { emit.cast(LLVMOpcode::LLVMZExt, value, emit.i128) };
        let high = emit.binary(LLVMOpcode::LLVMLShr, whole, emit.i128.constant(64));
        (emit.cast(LLVMOpcode::LLVMTrunc, whole, emit.i64), emit.cast(LLVMOpcode::LLVMTrunc, high, emit.i64))
    };
    match leaf.kind {
        LeafKind::Integer => split(value, leaf.width),
        LeafKind::Pointer => (emit.cast(LLVMOpcode::LLVMPtrToInt, value, emit.i64), zero),
        LeafKind::Float => (widen(emit.cast(LLVMOpcode::LLVMBitCast, value, emit.i32), 32), zero),
        LeafKind::Double => (emit.cast(LLVMOpcode::LLVMBitCast, value, emit.i64), zero),
        LeafKind::Vector => {
            let whole = emit.cast(LLVMOpcode::LLVMBitCast, value, emit.integer(leaf.width));
            split(whole, leaf.width)
        }
        LeafKind::Untracked(_) => (zero, zero),
    }
}

/// A short name for a leaf's type, to tell guards apart.
pub fn type_key(leaf: &Leaf) -> String {
    match leaf.kind {
        LeafKind::Integer => format!("i{}", leaf.width),
        LeafKind::Pointer => "ptr".to_owned(),
        LeafKind::Float => "f32".to_owned(),
        LeafKind::Double => "f64".to_owned(),
        // Vectors of equal size differ in LLVM.
        LeafKind::Vector | LeafKind::Untracked(_) => leaf.ty.name(),
    }
}
