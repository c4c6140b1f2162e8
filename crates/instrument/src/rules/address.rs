//! Address arithmetic: `getelementptr` as additions and multiplications.
//!
//! ```text
//!   %q = getelementptr %struct.s, ptr %p, i64 %i, i32 1
//! ; becomes
//!   %s = call i32 @covet.index.i64(i32 %sp, i32 %si, ptr %p, i64 %i, i64 sizeof(s), i64 offset of field 1)
//! ```
//!
//! With several variable indices there is one such step for each, from the pointer reached so far.

use crate::function::Rewriter;
use crate::ir::{Emit, LLVMOpcode, LLVMTypeKind, Value, field_offset, size};
use crate::tracking::guards::{Body, type_key};
use covet_abi::event::Concretization;
use covet_abi::node::Op;

/// One step from a pointer: `index * scale + offset` bytes, `index` absent in a constant step.
struct Step {
    index: Option<Value>,
    scale: u64,
    offset: u64,
}

impl Rewriter<'_> {
    pub fn address(&mut self, instruction: Value) {
        let symbolic =
            (0..instruction.operand_count()).any(|i| !self.is_concrete(self.shadow_of_scalar(instruction.operand(i))));
        if !symbolic {
            return;
        }
        if instruction.ty().is_vector() {
            return self.concretise_operands(instruction, Concretization::Vector);
        }
        self.emit.before(instruction);
        let mut pointer = instruction.operand(0);
        let mut shadow = self.shadow_of_scalar(pointer);
        for step in self.steps(instruction) {
            let (next, next_shadow) = self.step(pointer, shadow, &step);
            pointer = next;
            shadow = next_shadow;
        }
        self.set_shadow(instruction, vec![shadow]);
    }

    fn steps(&self, instruction: Value) -> Vec<Step> {
        let mut ty = instruction.stepped_type();
        let mut steps = Vec::new();
        let mut offset = 0u64;
        for position in 1..instruction.operand_count() {
            let index = instruction.operand(position);
            let scale = if position == 1 {
                size(ty, self.layout)
            } else if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.as_constant().unwrap_or(0) as u32;
                offset = offset.wrapping_add(field_offset(ty, field, self.layout));
                ty = ty.fields()[field as usize];
                continue;
            } else {
                ty = ty.element();
                size(ty, self.layout)
            };
            match signed_constant(index) {
                Some(number) => offset = offset.wrapping_add((number as u64).wrapping_mul(scale)),
                None => steps.push(Step { index: Some(index), scale, offset: 0 }),
            }
        }
        match steps.last_mut() {
            Some(last) => last.offset = offset,
            None if offset != 0 => steps.push(Step { index: None, scale: 0, offset }),
            None => {}
        }
        steps
    }

    fn step(&mut self, pointer: Value, shadow: Value, step: &Step) -> (Value, Value) {
        let (scale, offset) = (self.emit.i64.constant(step.scale), self.emit.i64.constant(step.offset));
        let Some(index) = step.index else {
            return (self.emit.offset(pointer, offset), self.moved(shadow, pointer, offset));
        };
        let leaf = self.leaf(index);
        let index_shadow = self.shadow_of_scalar(index);
        let types = [self.emit.ptr, leaf.ty, self.emit.i64, self.emit.i64];
        let guard = self.guards.on_shadows(&format!("index.{}", type_key(&leaf)), 2, &types, |body| {
            let [sp, si, pointer, index, scale, offset] = body.parameters[..] else { unreachable!("six parameters") };
            let emit = body.emit;
            let wide = widened(emit, index, leaf.width);
            let base = emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, emit.i64);
            emit.call(body.hooks.element, &[base, sp, wide, body.widened_shadow(si, leaf.width), scale, offset])
        });
        let moved = self.emit.call(guard, &[shadow, index_shadow, pointer, index, scale, offset]);
        let wide = widened(&self.emit, index, leaf.width);
        let distance = self.emit.add(self.emit.binary(LLVMOpcode::LLVMMul, wide, scale), offset);
        (self.emit.offset(pointer, distance), moved)
    }

    /// The shadow of `pointer + offset`.
    pub fn moved(&mut self, shadow: Value, pointer: Value, offset: Value) -> Value {
        if self.is_concrete(shadow) {
            return shadow;
        }
        let types = [self.emit.ptr, self.emit.i64];
        let guard = self.guards.on_shadows("offset", 1, &types, |body| {
            let [shadow, pointer, offset] = body.parameters[..] else { unreachable!("three parameters") };
            let base = body.emit.cast(LLVMOpcode::LLVMPtrToInt, pointer, body.emit.i64);
            let (none, zero) = (body.number(0), body.wide_number(0));
            body.emit.call(body.hooks.element, &[base, shadow, zero, none, zero, offset])
        });
        self.emit.call(guard, &[shadow, pointer, offset])
    }
}

impl Body<'_> {
    /// The shadow of an index of `width` bits as that of the 64 that addresses are computed with.
    pub fn widened_shadow(&self, shadow: Value, width: u32) -> Value {
        let how = match width {
            64 => return shadow,
            ..64 => Op::SExt,
            _ => Op::Extract,
        };
        let (how, bits) = (self.number(how as u64), self.number(64));
        self.emit.call(self.hooks.cast, &[how, self.number(u64::from(width)), bits, shadow])
    }
}

/// An index as the 64 bits that addresses are computed with.
pub fn widened(emit: &Emit, index: Value, width: u32) -> Value {
    match width {
        64 => index,
        width if width < 64 => emit.cast(LLVMOpcode::LLVMSExt, index, emit.i64),
        _ => emit.cast(LLVMOpcode::LLVMTrunc, index, emit.i64),
    }
}

/// An index constant, sign-extended.
pub fn signed_constant(index: Value) -> Option<i64> {
    let width = index.ty().integer_width()?;
    let bits = index.as_constant()?;
    let shift = 64 - width.min(64);
    Some(((bits << shift) as i64) >> shift)
}
