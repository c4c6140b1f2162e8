//! `klee_make_symbolic(&x, sizeof x, "x")`: tells the runtime the scalars inside what is marked.
//!
//! The pointer is followed to the alloca or global it names; when the whole of it is marked, its type's leaves go along as a constant
//! table, so that an `int` becomes one 32-bit variable and not four bytes.

use crate::function::Rewriter;
use crate::ir::{Type, Value, c_string};
use crate::red_zones::Grown;
use crate::shadow::{Leaf, LeafKind, leaves, size};
use covet_abi::input::ValueKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};

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
        let module = unsafe { LLVMGetGlobalParent(self.function.0) };
        let name = c_string("__covet_make_symbolic");
        unsafe {
            let known = LLVMGetNamedFunction(module, name.as_ptr());
            if !known.is_null() {
                return Value(known);
            }
            let (ptr, i64, i32) = (self.emit.ptr.0, self.emit.i64.0, self.emit.i32.0);
            let mut parameters = [ptr, i64, ptr, ptr, i32];
            let ty = LLVMFunctionType(self.emit.void.0, parameters.as_mut_ptr(), 5, 0);
            Value(LLVMAddFunction(module, name.as_ptr(), ty))
        }
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
        unsafe {
            let data = LLVMConstStringInContext2(self.emit.context, bytes.as_ptr().cast(), bytes.len(), 1);
            let module = LLVMGetGlobalParent(self.function.0);
            let global = LLVMAddGlobal(module, LLVMTypeOf(data), c"covet.leaves".as_ptr());
            LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            LLVMSetGlobalConstant(global, 1);
            LLVMSetAlignment(global, 8);
            LLVMSetInitializer(global, data);
            Value(global)
        }
    }
}

/// The type of the alloca or global variable that `pointer` is the address of.
fn object_type(pointer: Value, grown: &Grown) -> Option<Type> {
    if let Some(own) = grown.get(&pointer) {
        return Some(*own);
    }
    unsafe {
        if !LLVMIsAAllocaInst(pointer.0).is_null() {
            let single = pointer.operand(0).as_constant() == Some(1);
            return single.then(|| Type(LLVMGetAllocatedType(pointer.0)));
        }
        if !LLVMIsAGlobalVariable(pointer.0).is_null() {
            return Some(pointer.value_type());
        }
        let is_first_element = !LLVMIsAGetElementPtrInst(pointer.0).is_null()
            && (1..pointer.operand_count()).all(|i| pointer.operand(i).as_constant() == Some(0));
        if is_first_element { object_type(pointer.operand(0), grown) } else { None }
    }
}
