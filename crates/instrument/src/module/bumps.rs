//! Arrays of numbers that the program counts up: outcomes of branches, and condition vectors if wanted.
//!
//! How long such an array is, is known when all functions have been looked at: until then something else stands in its place.

use crate::ir::{Emit, LLVMLinkage, Module, Value};

pub struct Bumps {
    name: &'static str,
    pub array: Value,
    /// `array[index] += 1`, inlined later. As one call it is easily told from the user's loads and stores.
    pub function: Value,
}

impl Bumps {
    /// The array will be called `name`.
    pub fn new(module: Module, emit: &Emit, name: &'static str) -> Bumps {
        let array = module.add_global(&format!("{name}_unsized"), emit.i64);
        let function = module.add_inlined(&format!("covet.bump.{name}"), &[emit.i64], emit.void);
        emit.at_end(emit.append_block(function, "entry"));
        let element = emit.element(emit.i64, array, function.parameters()[0]);
        let count = emit.load(emit.i64, element);
        emit.store(emit.add(count, emit.i64.constant(1)), element);
        emit.ret(None);
        Bumps { name, array, function }
    }

    /// `array[index] += 1`
    pub fn bump(&self, emit: &Emit, index: Value) -> Value {
        emit.call(self.function, &[index])
    }

    /// Puts the real array in its place.
    pub fn fix(&mut self, module: Module, emit: &Emit, length: u32) {
        let zeros = emit.i64.array(u64::from(length.max(1))).null();
        let array = module.define_global(self.name, zeros, LLVMLinkage::LLVMInternalLinkage);
        self.array.replace_uses(array);
        self.array.delete();
        self.array = array;
    }
}
