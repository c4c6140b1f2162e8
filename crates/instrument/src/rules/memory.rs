//! Loads, stores, allocas and atomics.
//!
//! ```text
//!   %v = load i32, ptr %p
//! ; becomes
//!   %s = call i32 @covet.load.32(i32 %sp, ptr %p, i32 site)   ; asks the runtime only if %sp is not 0 or the presence map has a hit
//!   %v = load i32, ptr %p
//! ```
//!
//! A store is announced before it happens, so that the runtime still sees the old bytes.

use crate::function::Rewriter;
use crate::function::slots;
use crate::ir::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, Type, Value, size};
use crate::tracking::guards::{Body, type_key};
use crate::tracking::shadow::{Leaf, LeafKind, Shadow};
use covet_abi::event::Concretization;
use covet_abi::hooks::OBJECT_SLOTS;
use covet_abi::node::Op;
use covet_abi::shared::PRESENCE_BASE;
use covet_sites::SiteNumber;

/// Bits of the widest term.
const WIDEST: usize = 128;

impl Rewriter<'_> {
    pub fn load(&mut self, instruction: Value) {
        let pointer = instruction.operand(0);
        if let Some(slot) = slots::of(pointer) {
            if self.fast.is_none() {
                self.emit.before(instruction);
                let beside = self.shadow_slots(slot);
                let shadow = self.load_slots(&beside);
                self.set_shadow(instruction, shadow);
            }
            return;
        }
        if self.fast.is_some() {
            return self.leave_before_load(instruction, pointer, instruction.ty());
        }
        let alignment = instruction.alignment();
        self.emit.before(instruction);
        let shadow = self.load_leaves(instruction, instruction.ty(), pointer, alignment);
        self.set_shadow(instruction, shadow);
    }

    fn load_leaves(&mut self, at: Value, ty: Type, pointer: Value, alignment: u32) -> Shadow {
        let site = self.check_site(at);
        let address = self.shadow_of_scalar(pointer);
        let all = crate::tracking::shadow::leaves(ty, self.layout);
        all.iter()
            .map(|leaf| {
                let (part, part_shadow) = self.part(pointer, address, leaf.offset);
                if let LeafKind::Untracked(reason) = leaf.kind {
                    self.concretise_in_memory(leaf, reason, (part, part_shadow), site);
                    return self.concrete();
                }
                let aligned = leaf.offset == 0 && u64::from(alignment) * 8 >= u64::from(leaf.memory_bits());
                let loaded = self.load_bits(part, part_shadow, leaf.memory_bits(), aligned, site);
                if leaf.memory_bits() == leaf.width { loaded } else { self.extract_bits(loaded, 0, leaf.width) }
            })
            .collect()
    }

    /// A value of a type that is not tracked is read: what is symbolic in its bytes keeps its present value from here on.
    fn concretise_in_memory(
        &mut self,
        leaf: &Leaf,
        reason: Concretization,
        (pointer, address): (Value, Value),
        site: SiteNumber,
    ) {
        let bits = crate::ir::bits(leaf.ty, self.layout);
        for start in (0..bits).step_by(WIDEST) {
            let width = (bits - start).min(WIDEST as u64) as u32 / 8 * 8;
            if width == 0 {
                break;
            }
            let (part, part_shadow) = self.part(pointer, address, start / 8);
            let loaded = self.load_bits(part, part_shadow, width, false, site);
            let bytes = self.emit.load(self.emit.integer(width), part);
            bytes.set_alignment(1);
            self.set_shadow(bytes, vec![loaded]);
            self.concretise(bytes, reason);
        }
    }

    fn part(&mut self, pointer: Value, shadow: Value, offset: u64) -> (Value, Value) {
        if offset == 0 {
            return (pointer, shadow);
        }
        let distance = self.emit.i64.constant(offset);
        let part = self.emit.offset(pointer, distance);
        (part, self.moved(shadow, pointer, distance))
    }

    fn load_bits(&mut self, pointer: Value, shadow: Value, bits: u32, aligned: bool, site: SiteNumber) -> Value {
        let types = [self.emit.i32, self.emit.ptr, self.emit.i32];
        let name = format!("load.{bits}.{}", u32::from(aligned));
        let result = self.emit.i32;
        let guard = self.guards.function(&name, &types, result, |body| {
            let [shadow, pointer, site] = body.parameters[..] else { unreachable!("three parameters") };
            let address = body.emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, body.emit.i64);
            let hit = body.presence(address, u64::from(bits / 8), aligned);
            let quiet = body.emit.is_zero(body.emit.or(hit, shadow));
            body.unless(quiet, body.emit.i32.null(), |body| {
                body.emit.call(body.hooks.load, &[address, shadow, body.number(u64::from(bits)), site])
            });
        });
        self.emit.call(guard, &[shadow, pointer, self.site32(site)])
    }

    pub fn store(&mut self, instruction: Value) {
        let (value, pointer) = (instruction.operand(0), instruction.operand(1));
        let alignment = instruction.alignment();
        self.emit.before(instruction);
        let shadow = self.shadow(value);
        if let Some(slot) = slots::of(pointer) {
            if self.fast.is_none() {
                let beside = self.shadow_slots(slot);
                self.store_slots(&shadow, &beside);
            }
            return;
        }
        self.store_leaves(instruction, value, &shadow, pointer, alignment);
    }

    fn store_leaves(&mut self, at: Value, value: Value, shadow: &[Value], pointer: Value, alignment: u32) {
        let site = self.check_site(at);
        let address = self.shadow_of_scalar(pointer);
        let all = self.leaves(value);
        let parts = self.parts(value);
        for ((leaf, part_value), leaf_shadow) in all.iter().zip(parts).zip(shadow) {
            let (part, part_shadow) = self.part(pointer, address, leaf.offset);
            if leaf.is_tracked() {
                let aligned = leaf.offset == 0 && u64::from(alignment) * 8 >= u64::from(leaf.memory_bits());
                self.store_leaf(leaf, part_value, *leaf_shadow, (part, part_shadow), aligned, site);
            } else {
                self.forget(part, size(leaf.ty, self.layout));
            }
        }
    }

    fn store_leaf(
        &mut self,
        leaf: &Leaf,
        value: Value,
        shadow: Value,
        (pointer, address): (Value, Value),
        aligned: bool,
        site: SiteNumber,
    ) {
        let bits = leaf.memory_bits();
        let shadow = if bits == leaf.width { shadow } else { self.convert(Op::ZExt, shadow, leaf.width, bits) };
        let types = [self.emit.i32, self.emit.i32, self.emit.ptr, leaf.ty, self.emit.i32];
        let name = format!("store.{}.{}", type_key(leaf), u32::from(aligned));
        let (result, leaf) = (self.emit.i32, *leaf);
        let guard = self.guards.function(&name, &types, result, |body| {
            let [id, shadow, pointer, value, site] = body.parameters[..] else { unreachable!("five parameters") };
            let address = body.emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, body.emit.i64);
            let hit = body.presence(address, u64::from(bits / 8), aligned);
            let any = body.emit.or(body.emit.or(hit, shadow), id);
            body.unless(body.emit.is_zero(any), body.emit.i32.null(), |body| {
                let (low, high) = body.halves(value, &leaf);
                let bits = body.number(u64::from(bits));
                body.emit.call(body.hooks.store, &[address, id, bits, shadow, low, high, site])
            });
        });
        self.emit.call(guard, &[address, shadow, pointer, value, self.site32(site)]);
    }

    /// Drops what is symbolic in `[pointer, pointer + length)`, when the presence map says there may be something.
    pub fn forget(&mut self, pointer: Value, length: u64) {
        let (types, result) = ([self.emit.ptr], self.emit.i32);
        let guard = self.guards.function(&format!("forget.{length}"), &types, result, |body| {
            let address = body.emit.cast(LLVMOpcode::LLVMPtrToInt, body.parameters[0], body.emit.i64);
            let hit = body.presence(address, length.min(16), false);
            let quiet = if length <= 16 { body.emit.is_zero(hit) } else { body.emit.i1.null() };
            body.unless(quiet, body.emit.i32.null(), |body| {
                body.emit.call(body.hooks.forget, &[address, body.wide_number(length)])
            });
        });
        self.emit.call(guard, &[pointer]);
    }

    /// The leaves of an aggregate as values.
    pub fn parts(&self, value: Value) -> Vec<Value> {
        let ty = value.ty();
        let count = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => ty.fields().len() as u32,
            LLVMTypeKind::LLVMArrayTypeKind => ty.count() as u32,
            _ => return vec![value],
        };
        (0..count).flat_map(|index| self.parts(self.emit.extract_value(value, index))).collect()
    }

    pub fn alloca(&mut self, instruction: Value) {
        let count = instruction.operand(0);
        if count.as_constant().is_some() {
            return;
        }
        self.emit.before(instruction);
        self.concretise(count, Concretization::AllocationSize);
        let each = size(instruction.allocated_type(), self.layout);
        let count = match self.leaf(count).width {
            64 => count,
            _ => self.emit.cast(LLVMOpcode::LLVMZExt, count, self.emit.i64),
        };
        let bytes = self.emit.binary(LLVMOpcode::LLVMMul, count, self.emit.i64.constant(each));
        let object = self.zoned(instruction, bytes);
        self.note(object, bytes);
        self.undefine(object, bytes);
    }

    /// Notes the arrays and structures among the allocas, so that a symbolic address into one finds its bounds.
    pub fn note_objects(&mut self, entry: crate::ir::Block) {
        let objects: Vec<(Value, u64)> = entry
            .instructions()
            .into_iter()
            .filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca && self.frame.as_ref().is_none_or(|f| !f.is(*i)))
            .map(|i| (i, i.allocated_type()))
            .filter(|(_, ty)| matches!(ty.kind(), LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMStructTypeKind))
            .map(|(i, ty)| (i, size(ty, self.layout)))
            .collect();
        let dynamic = self
            .function
            .blocks()
            .iter()
            .flat_map(|block| block.instructions())
            .any(|i| i.opcode() == LLVMOpcode::LLVMAlloca && i.operand(0).as_constant().is_none());
        let copies: Vec<(Value, u64)> = self
            .function
            .parameters()
            .into_iter()
            .enumerate()
            .filter_map(|(i, p)| self.function.by_value_type(i as u32).map(|ty| (p, size(ty, self.layout))))
            .collect();
        let framed = self.frame.iter().flat_map(|frame| frame.objects.iter().copied());
        let objects: Vec<(Value, u64)> = framed.chain(objects).chain(copies).collect();
        if objects.is_empty() && !dynamic {
            return;
        }
        let top = self.emit.load(self.emit.i64, self.guards.hooks.object_top);
        self.object_top = Some(top);
        self.has_dynamic_objects = dynamic;
        for (object, bytes) in objects {
            self.note(object, self.emit.i64.constant(bytes));
        }
    }

    fn note(&mut self, object: Value, bytes: Value) {
        let (types, result) = ([self.emit.ptr, self.emit.i64], self.emit.i32);
        let guard = self.guards.function("note", &types, result, |body| {
            let emit = body.emit;
            let top = emit.load(emit.i64, body.hooks.object_top);
            let limit = emit.i64.constant(OBJECT_SLOTS);
            let (push, done) = (body.block("push"), body.block("full"));
            let room = emit.compare(LLVMIntPredicate::LLVMIntULT, top, limit);
            emit.likely(emit.branch(room, push, done));
            emit.at_end(push);
            let twice = emit.add(top, top);
            let slot = emit.element(emit.i64, body.hooks.objects, twice);
            emit.store(emit.cast(LLVMOpcode::LLVMPtrToInt, body.parameters[0], emit.i64), slot);
            emit.store(body.parameters[1], emit.element(emit.i64, slot, emit.i64.constant(1)));
            emit.store(emit.add(top, emit.i64.constant(1)), body.hooks.object_top);
            emit.jump(done);
            emit.at_end(done);
            emit.ret(Some(emit.i32.null()));
        });
        self.emit.call(guard, &[object, bytes]);
    }

    pub fn atomic_update(&mut self, instruction: Value) {
        let (pointer, operand) = (instruction.operand(0), instruction.operand(1));
        let leaf = self.leaf(operand);
        if self.fast.is_some() {
            return self.leave_before_load(instruction, pointer, leaf.ty);
        }
        self.emit.before(instruction);
        self.concretise(pointer, Concretization::Atomic);
        if !leaf.is_tracked() {
            return self.forget(pointer, size(leaf.ty, self.layout));
        }
        let site = self.check_site(instruction);
        let old = self.load_bits(pointer, self.concrete(), leaf.memory_bits(), true, site);
        self.set_shadow(instruction, vec![old]);
        self.emit.after(instruction);
        let Some((shadow, value)) = self.updated(instruction, operand) else {
            self.count(&[old, self.shadow_of_scalar(operand)], Concretization::Atomic);
            return self.forget(pointer, u64::from(leaf.memory_bits() / 8));
        };
        self.store_leaf(&leaf, value, shadow, (pointer, self.concrete()), true, site);
    }

    /// What an atomic update leaves in memory: shadow and value.
    fn updated(&mut self, old: Value, operand: Value) -> Option<(Value, Value)> {
        use LLVMAtomicRMWBinOp::*;
        let (op, opcode) = match old.update_operation() {
            LLVMAtomicRMWBinOpXchg => return Some((self.shadow_of_scalar(operand), operand)),
            LLVMAtomicRMWBinOpAdd => (Op::Add, LLVMOpcode::LLVMAdd),
            LLVMAtomicRMWBinOpSub => (Op::Sub, LLVMOpcode::LLVMSub),
            LLVMAtomicRMWBinOpAnd => (Op::And, LLVMOpcode::LLVMAnd),
            LLVMAtomicRMWBinOpOr => (Op::Or, LLVMOpcode::LLVMOr),
            LLVMAtomicRMWBinOpXor => (Op::Xor, LLVMOpcode::LLVMXor),
            LLVMAtomicRMWBinOpNand
            | LLVMAtomicRMWBinOpMax
            | LLVMAtomicRMWBinOpMin
            | LLVMAtomicRMWBinOpUMax
            | LLVMAtomicRMWBinOpUMin
            | LLVMAtomicRMWBinOpFAdd
            | LLVMAtomicRMWBinOpFSub
            | LLVMAtomicRMWBinOpFMax
            | LLVMAtomicRMWBinOpFMin
            | LLVMAtomicRMWBinOpUIncWrap
            | LLVMAtomicRMWBinOpUDecWrap => return None,
        };
        if self.leaf(operand).kind != LeafKind::Integer {
            return None;
        }
        Some((self.operator(op, old, operand), self.emit.binary(opcode, old, operand)))
    }

    pub fn atomic_exchange(&mut self, instruction: Value) {
        let (pointer, expected, fresh) = (instruction.operand(0), instruction.operand(1), instruction.operand(2));
        let leaf = self.leaf(fresh);
        if self.fast.is_some() {
            return self.leave_before_load(instruction, pointer, leaf.ty);
        }
        self.emit.before(instruction);
        self.concretise(pointer, Concretization::Atomic);
        if !leaf.is_tracked() {
            return self.forget(pointer, size(leaf.ty, self.layout));
        }
        let site = self.check_site(instruction);
        let old = self.load_bits(pointer, self.concrete(), leaf.memory_bits(), true, site);
        self.emit.after(instruction);
        let was = self.emit.extract_value(instruction, 0);
        let done = self.emit.extract_value(instruction, 1);
        let expected_shadow = self.shadow_of_scalar(expected);
        let equal = self.operator_on(Op::Eq, (old, was), (expected_shadow, expected));
        self.set_shadow(instruction, vec![old, equal]);
        // What memory holds now, with its shadow, by the outcome that happened; the outcome itself is a condition of its own.
        let value = self.emit.select(done, fresh, was);
        let fresh_shadow = self.shadow_of_scalar(fresh);
        let shadow = self.choice((equal, done), (fresh_shadow, fresh), (old, was));
        self.store_leaf(&leaf, value, shadow, (pointer, self.concrete()), true, site);
    }
}

impl Body<'_> {
    /// Not 0 (as `i32`) when one of the `bytes` from `address` may be symbolic.
    pub fn presence(&self, address: Value, bytes: u64, aligned: bool) -> Value {
        let emit = self.emit;
        let at = |offset: u64| {
            let byte = if offset == 0 { address } else { emit.add(address, emit.i64.constant(offset)) };
            let granule = emit.binary(LLVMOpcode::LLVMLShr, byte, emit.i64.constant(3));
            let slot = emit.add(granule, emit.i64.constant(PRESENCE_BASE));
            let slot = emit.cast(LLVMOpcode::LLVMIntToPtr, slot, emit.ptr);
            emit.cast(LLVMOpcode::LLVMZExt, emit.load(emit.i8, slot), emit.i32)
        };
        let offsets: &[u64] = match (bytes, aligned) {
            (..=1, _) | (..=8, true) => &[0],
            (..=8, false) => &[0, bytes - 1],
            (_, true) => &[0, 8],
            (_, false) => &[0, 8, bytes - 1],
        };
        offsets.iter().map(|offset| at(*offset)).reduce(|a, b| emit.or(a, b)).unwrap_or_else(|| emit.i32.null())
    }
}
