//! Indices into arrays of known length: one beyond is a violation, whatever lies there.
//!
//! ```text
//!   %q = getelementptr [8 x i32], ptr %a, i64 0, i64 %i
//! ; is preceded, before blocks are cut, by a marker
//!   call void @covet.bounds.64(i64 %i, i64 8)
//! ; which becomes, in both copies
//!   call i32 @covet.inside.i64(i32 %si, i64 %i, i64 8, i32 site)    ; asks the runtime only if %si is not 0 or %i >= 8
//! ```
//!
//! An array that ends its structure may be longer than its type says, and one that is reached through a plain pointer may be part
//! of something else: those have the bounds of the object they are in, nothing more. Where only the address of an element is taken,
//! the one behind the last is allowed.

use crate::function::Rewriter;
use crate::ir::{Emit, LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, Module, Type, Value, size};
use crate::module::red_zones::Grown;
use crate::rules::address::{signed_constant, widened};
use crate::tracking::guards::type_key;
use inkwell::targets::TargetData;

const PREFIX: &str = "covet.bounds.";

/// Leaves a marker before each `getelementptr` whose index can leave an array of known length.
pub fn mark(module: Module, function: Value, emit: &Emit, layout: &TargetData, grown: &Grown) {
    let all = function.blocks().into_iter().flat_map(|block| block.instructions());
    for instruction in all.filter(|i| i.opcode() == LLVMOpcode::LLVMGetElementPtr && !i.ty().is_vector()) {
        for (index, limit) in limits(instruction, layout, grown) {
            if signed_constant(index).is_none_or(|number| number as u64 >= limit) {
                emit.before(instruction);
                emit.call(marker(module, emit, index.ty()), &[index, emit.i64.constant(limit)]);
            }
        }
    }
}

pub fn is_marker(callee: &str) -> bool {
    callee.starts_with(PREFIX)
}

/// The indices of array steps, each with the first number that it must not have.
fn limits(instruction: Value, layout: &TargetData, grown: &Grown) -> Vec<(Value, u64)> {
    let mut ty = instruction.stepped_type();
    let mut is_fixed = has_fixed_length(instruction.operand(0), ty, layout, grown);
    let mut found = Vec::new();
    let last = instruction.operand_count() - 1;
    for position in 2..=last {
        let index = instruction.operand(position);
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                let (fields, field) = (ty.fields(), index.as_constant().unwrap_or(0) as usize);
                is_fixed = field + 1 < fields.len();
                ty = fields[field];
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let beyond = u64::from(position == last && !is_accessed(instruction));
                if is_fixed && ty.count() > 0 && index.ty().integer_width().is_some_and(|width| width <= 64) {
                    found.push((index, ty.count() + beyond));
                }
                // The rows of a table have their length even if their number is open.
                is_fixed = true;
                ty = ty.element();
            }
            _ => break,
        }
    }
    found
}

/// True when an array of type `ty` at `base` is known to be no longer than that.
fn has_fixed_length(base: Value, ty: Type, layout: &TargetData, grown: &Grown) -> bool {
    // The types need not be the same: a global with an initialiser has the shape of that.
    let is_whole = |object: Type| size(object, layout) == size(ty, layout);
    if base.is_alloca() {
        return base.operand(0).as_constant() == Some(1) && is_whole(base.allocated_type());
    }
    if base.is_global_variable() {
        let own = grown.get(&base).copied().unwrap_or_else(|| base.value_type());
        return !base.is_declaration() && is_whole(own);
    }
    base.is_element_pointer() && is_inner(base)
}

/// True when the last step of `step` goes to a member that is not the last one, or to a row of a table.
fn is_inner(step: Value) -> bool {
    let mut ty = step.stepped_type();
    let mut inner = false;
    for position in 2..step.operand_count() {
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                let (fields, field) = (ty.fields(), step.operand(position).as_constant().unwrap_or(0) as usize);
                inner = field + 1 < fields.len();
                ty = fields[field];
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                inner = true;
                ty = ty.element();
            }
            _ => return false,
        }
    }
    inner
}

/// True when the address is only used to read or write there.
fn is_accessed(address: Value) -> bool {
    address.users().into_iter().all(|user| match user.opcode() {
        LLVMOpcode::LLVMLoad => true,
        LLVMOpcode::LLVMStore => user.operand(0) != address,
        // A member of the element.
        LLVMOpcode::LLVMGetElementPtr => {
            user.operand_count() > 2 && user.operand(1).as_constant() == Some(0) && is_accessed(user)
        }
        _ => false,
    })
}

fn marker(module: Module, emit: &Emit, ty: Type) -> Value {
    let name = format!("{PREFIX}{}", ty.integer_width().unwrap_or(64));
    module.declare(&name, &[ty, emit.i64], emit.void)
}

impl Rewriter<'_> {
    /// The marker becomes the check.
    pub fn array_bounds(&mut self, marker: Value) {
        let (index, limit) = (marker.operand(0), marker.operand(1));
        self.emit.before(marker);
        let (site, shadow, leaf) = (self.check_site(marker), self.shadow_of_scalar(index), self.leaf(index));
        let types = [self.emit.i32, leaf.ty, self.emit.i64, self.emit.i32];
        let result = self.emit.i32;
        let guard = self.guards.function(&format!("inside.{}", type_key(&leaf)), &types, result, |body| {
            let [shadow, index, limit, site] = body.parameters[..] else { unreachable!("four parameters") };
            let emit = body.emit;
            let wide = widened(emit, index, leaf.width);
            let near = emit.compare(LLVMIntPredicate::LLVMIntULT, wide, limit);
            let quiet = emit.binary(LLVMOpcode::LLVMAnd, near, emit.is_zero(shadow));
            body.unless(quiet, emit.i32.null(), |body| {
                let extended = body.widened_shadow(shadow, leaf.width);
                body.emit.call(body.hooks.bounds, &[site, extended, wide, limit])
            });
        });
        self.emit.call(guard, &[shadow, index, limit, self.site32(site)]);
        marker.erase();
    }
}
