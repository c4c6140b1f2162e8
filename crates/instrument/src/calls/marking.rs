//! `klee_make_symbolic(&x, sizeof x, "x")`: tells the runtime the scalars inside what is marked.
//!
//! The pointer is followed to the alloca or global it names; when the whole of it is marked, its type's leaves go along as a constant
//! table, so that an `int` becomes one 32-bit variable and not four bytes.

use crate::function::Rewriter;
use crate::ir::{LLVMLinkage, LLVMOpcode, Type, Value, size};
use crate::module::red_zones::Grown;
use crate::tracking::shadow::{Leaf, LeafKind, leaves};
use covet_abi::input::ValueKind;

/// Beyond this, single bytes are as readable.
const MOST_LEAVES: usize = 4096;

impl Rewriter<'_> {
    pub fn mark(&mut self, instruction: Value) {
        let [pointer, length, name] = [0, 1, 2].map(|i| instruction.operand(i));
        self.emit.before(instruction);
        let marked = object_type(pointer, &self.numbering.grown)
            .filter(|ty| length.as_constant() == Some(size(*ty, self.layout)))
            .map(|ty| leaves(ty, self.layout))
            .filter(|all| all.len() <= MOST_LEAVES && all.iter().all(Leaf::is_tracked));
        let (table, count) = match marked {
            Some(all) => (self.leaf_table(&all), all.len()),
            None => (self.emit.ptr.null(), 0),
        };
        let length = match self.leaf(length).width {
            64 => length,
            _ => self.emit.cast(LLVMOpcode::LLVMZExt, length, self.emit.i64),
        };
        let hook = self.marking_hook();
        self.emit.call(hook, &[pointer, length, name, table, self.number32(count as u32)]);
        instruction.erase();
    }

    fn marking_hook(&self) -> Value {
        let (ptr, i64, i32) = (self.emit.ptr, self.emit.i64, self.emit.i32);
        self.function.module().declare("__covet_make_symbolic", &[ptr, i64, ptr, ptr, i32], self.emit.void)
    }

    /// The leaves as a constant array of `abi::sites::Leaf`.
    fn leaf_table(&self, all: &[Leaf]) -> Value {
        let mut bytes = Vec::with_capacity(all.len() * 8);
        for leaf in all {
            let kind = match leaf.kind {
                LeafKind::Float | LeafKind::Double => ValueKind::Float,
                LeafKind::Pointer => ValueKind::Pointer,
                LeafKind::Integer if leaf.width == 8 => ValueKind::Byte,
                LeafKind::Integer => ValueKind::Signed,
                LeafKind::Vector | LeafKind::Untracked(_) => ValueKind::Unsigned,
            };
            bytes.extend_from_slice(&(leaf.offset as u32).to_le_bytes());
            bytes.extend_from_slice(&(leaf.memory_bits() as u16).to_le_bytes());
            bytes.extend_from_slice(&[kind as u8, 0]);
        }
        let (module, data) = (self.function.module(), self.emit.bytes(&bytes));
        let table = module.define_constant("covet.leaves", data, LLVMLinkage::LLVMPrivateLinkage);
        table.set_alignment(8);
        table
    }
}

/// The type of the alloca or global variable that `pointer` is the address of.
fn object_type(pointer: Value, grown: &Grown) -> Option<Type> {
    if let Some(own) = grown.get(&pointer) {
        return Some(*own);
    }
    if pointer.is_alloca() {
        let single = pointer.operand(0).as_constant() == Some(1);
        return single.then(|| pointer.allocated_type());
    }
    if pointer.is_global_variable() {
        return Some(pointer.value_type());
    }
    let is_first_element = pointer.is(LLVMOpcode::LLVMGetElementPtr)
        && (1..pointer.operand_count()).all(|i| pointer.operand(i).as_constant() == Some(0));
    if is_first_element { object_type(pointer.operand(0), grown) } else { None }
}
