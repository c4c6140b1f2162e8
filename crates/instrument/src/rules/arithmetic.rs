//! Integer and floating-point operators.
//!
//! ```text
//!   %r = add i32 %a, %b
//! ; becomes
//!   %s = call i32 @covet.Add.i32(i32 %sa, i32 %sb, i32 %a, i32 %b)
//!   %r = add i32 %a, %b
//! ```
//!
//! A division with a symbolic operand is announced first, so that the engine can ask for a zero divisor; a shift also when its
//! amount is too large. Signed arithmetic whose overflow is to be told still has its flag, and loses it here.

use crate::function::Rewriter;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, Value};
use crate::tracking::guards::type_key;
use crate::tracking::shadow::{Leaf, LeafKind};
use covet_abi::event::Concretization;
use covet_abi::node::Op;

impl Rewriter<'_> {
    pub fn integer_binary(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        self.emit.before(instruction);
        self.check_shift(instruction);
        self.check_overflow(instruction);
        if self.all_concrete(&[self.shadow_of_scalar(a), self.shadow_of_scalar(b)]) {
            return;
        }
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMAdd => Op::Add,
            LLVMOpcode::LLVMSub => Op::Sub,
            LLVMOpcode::LLVMMul => Op::Mul,
            LLVMOpcode::LLVMUDiv => Op::UDiv,
            LLVMOpcode::LLVMSDiv => Op::SDiv,
            LLVMOpcode::LLVMURem => Op::URem,
            LLVMOpcode::LLVMSRem => Op::SRem,
            LLVMOpcode::LLVMShl => Op::Shl,
            LLVMOpcode::LLVMLShr => Op::LShr,
            LLVMOpcode::LLVMAShr => Op::AShr,
            LLVMOpcode::LLVMAnd => Op::And,
            LLVMOpcode::LLVMOr => Op::Or,
            LLVMOpcode::LLVMXor => Op::Xor,
            other => unreachable!("{other:?} is no integer operator"),
        };
        let leaf = self.leaf(instruction);
        match leaf.kind {
            LeafKind::Integer => {}
            LeafKind::Vector => return self.by_lanes(instruction, op),
            LeafKind::Untracked(reason) => return self.concretise_operands(instruction, reason),
            LeafKind::Pointer | LeafKind::Float | LeafKind::Double => unreachable!("{op:?} takes integers"),
        }
        match op {
            Op::UDiv | Op::URem => self.announce_division(instruction, false, &leaf),
            Op::SDiv | Op::SRem => self.announce_division(instruction, true, &leaf),
            _ => {}
        }
        let shadow = self.operator(op, a, b);
        self.set_shadow(instruction, vec![shadow]);
    }

    fn check_shift(&mut self, instruction: Value) {
        let is_shift =
            matches!(instruction.opcode(), LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr);
        let (amount, leaf) = (instruction.operand(1), self.leaf(instruction));
        let in_range = amount.as_constant().is_some_and(|amount| amount < u64::from(leaf.width));
        if !is_shift || in_range || !self.is_users() || leaf.kind != LeafKind::Integer || leaf.width > 64 {
            return;
        }
        let (site, shadow) = (self.check_site(instruction), self.shadow_of_scalar(amount));
        let types = [self.emit.i32, leaf.ty, self.emit.i32];
        let result = self.emit.i32;
        let guard = self.guards.function(&format!("shift.{}", type_key(&leaf)), &types, result, |body| {
            let [shadow, amount, site] = body.parameters[..] else { unreachable!("three parameters") };
            let (emit, width) = (body.emit, u64::from(leaf.width));
            let near = emit.compare(LLVMIntPredicate::LLVMIntULT, amount, leaf.ty.constant(width));
            let quiet = emit.binary(LLVMOpcode::LLVMAnd, near, emit.is_zero(shadow));
            body.unless(quiet, emit.i32.null(), |body| {
                let amount = body.low(amount, &leaf);
                body.emit.call(body.hooks.shift, &[site, body.number(width), shadow, amount])
            });
        });
        self.emit.call(guard, &[shadow, amount, self.site32(site)]);
    }

    /// Signed arithmetic that may overflow, where that is to be told.
    fn check_overflow(&mut self, instruction: Value) {
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMAdd => Op::Add,
            LLVMOpcode::LLVMSub => Op::Sub,
            LLVMOpcode::LLVMMul => Op::Mul,
            _ => return,
        };
        let (a, b, leaf) = (instruction.operand(0), instruction.operand(1), self.leaf(instruction));
        if !instruction.has_signed_promise() {
            return;
        }
        instruction.drop_signed_promise();
        if !self.is_users() || leaf.kind != LeafKind::Integer || leaf.width > 64 {
            return;
        }
        let site = self.check_site(instruction);
        let types = [self.emit.i32, self.emit.i32, leaf.ty, leaf.ty, self.emit.i32];
        let (result, opcode) = (self.emit.i32, instruction.opcode());
        let guard =
            self.guards.function(&format!("overflow.{}.{}", op.name(), type_key(&leaf)), &types, result, |body| {
                let [sa, sb, a, b, site] = body.parameters[..] else { unreachable!("five parameters") };
                let emit = body.emit;
                let wide = emit.integer(leaf.width * 2);
                let extended = |value: Value| emit.cast(LLVMOpcode::LLVMSExt, value, wide);
                let exact = emit.binary(opcode, extended(a), extended(b));
                let fits = emit.compare(
                    LLVMIntPredicate::LLVMIntEQ,
                    exact,
                    extended(emit.cast(LLVMOpcode::LLVMTrunc, exact, leaf.ty)),
                );
                let quiet = emit.binary(LLVMOpcode::LLVMAnd, fits, emit.is_zero(emit.or(sa, sb)));
                body.unless(quiet, emit.i32.null(), |body| {
                    let (av, bv) = (body.low(a, &leaf), body.low(b, &leaf));
                    let (op, width) = (body.number(op as u64), body.number(u64::from(leaf.width)));
                    body.emit.call(body.hooks.overflow, &[site, op, width, sa, sb, av, bv])
                });
            });
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        self.emit.call(guard, &[sa, sb, a, b, self.site32(site)]);
    }

    fn announce_division(&mut self, instruction: Value, signed: bool, leaf: &Leaf) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        let site = self.check_site(instruction);
        let name = format!("division.{}.{}", u32::from(signed), type_key(leaf));
        let leaf = *leaf;
        let guard = self.guards.on_shadows(&name, 2, &[leaf.ty, leaf.ty, self.emit.i32], |body| {
            let (al, ah) = body.halves(body.parameters[2], &leaf);
            let (bl, bh) = body.halves(body.parameters[3], &leaf);
            let (signed, width) = (body.number(u64::from(signed)), body.number(u64::from(leaf.width)));
            let [sa, sb, _, _, site] = body.parameters[..] else { unreachable!("five parameters") };
            body.emit.call(body.hooks.division, &[site, signed, width, sa, sb, al, ah, bl, bh])
        });
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        self.emit.call(guard, &[sa, sb, a, b, self.site32(site)]);
    }

    pub fn float_binary(&mut self, instruction: Value) {
        let (a, b) = (instruction.operand(0), instruction.operand(1));
        self.emit.before(instruction);
        if self.all_concrete(&[self.shadow_of_scalar(a), self.shadow_of_scalar(b)]) {
            return;
        }
        let op = match instruction.opcode() {
            LLVMOpcode::LLVMFAdd => Op::FAdd,
            LLVMOpcode::LLVMFSub => Op::FSub,
            LLVMOpcode::LLVMFMul => Op::FMul,
            LLVMOpcode::LLVMFDiv => Op::FDiv,
            LLVMOpcode::LLVMFRem => Op::FRem,
            other => unreachable!("{other:?} is no float operator"),
        };
        match self.leaf(instruction).kind {
            LeafKind::Float | LeafKind::Double => {}
            LeafKind::Vector => return self.by_lanes(instruction, op),
            LeafKind::Untracked(reason) => return self.concretise_operands(instruction, reason),
            LeafKind::Integer | LeafKind::Pointer => unreachable!("{op:?} takes floats"),
        }
        let shadow = self.operator(op, a, b);
        self.set_shadow(instruction, vec![shadow]);
    }

    pub fn float_negate(&mut self, instruction: Value) {
        let a = instruction.operand(0);
        self.emit.before(instruction);
        if self.leaf(instruction).is_float() {
            let shadow = self.unary(Op::FNeg, a);
            self.set_shadow(instruction, vec![shadow]);
        } else {
            self.concretise_operands(instruction, Concretization::Vector);
        }
    }

    /// The shadow of `op(a, b)`, both of the same scalar type.
    pub fn operator(&mut self, op: Op, a: Value, b: Value) -> Value {
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        self.operator_on(op, (sa, a), (sb, b))
    }

    /// As `operator`, with the shadows given.
    pub fn operator_on(&mut self, op: Op, (sa, a): (Value, Value), (sb, b): (Value, Value)) -> Value {
        if self.all_concrete(&[sa, sb]) {
            return self.concrete();
        }
        let leaf = self.leaf(a);
        let name = format!("{}.{}", op.name(), type_key(&leaf));
        let guard = self.guards.on_shadows(&name, 2, &[leaf.ty, leaf.ty], |body| {
            let (op, width) = (body.number(op as u64), body.number(u64::from(leaf.width)));
            let [sa, sb, a, b] = body.parameters[..] else { unreachable!("four parameters") };
            let ((al, ah), (bl, bh)) = (body.halves(a, &leaf), body.halves(b, &leaf));
            if leaf.width <= 64 {
                body.emit.call(body.hooks.binary, &[op, width, sa, sb, al, bl])
            } else {
                body.emit.call(body.hooks.binary_wide, &[op, width, sa, sb, al, ah, bl, bh])
            }
        });
        self.emit.call(guard, &[sa, sb, a, b])
    }

    /// The shadow of `op(a)`, of the same type.
    pub fn unary(&mut self, op: Op, a: Value) -> Value {
        let shadow = self.shadow_of_scalar(a);
        let width = self.leaf(a).width;
        self.unary_on(op, shadow, width)
    }

    pub fn unary_on(&mut self, op: Op, shadow: Value, width: u32) -> Value {
        if self.is_concrete(shadow) {
            return self.concrete();
        }
        let guard = self.guards.on_shadows(&format!("{}.{width}", op.name()), 1, &[], |body| {
            let (op, width) = (body.number(op as u64), body.number(u64::from(width)));
            body.emit.call(body.hooks.unary, &[op, width, body.parameters[0]])
        });
        self.emit.call(guard, &[shadow])
    }

    /// Bits `low .. low + width` of something with this shadow.
    pub fn extract_bits(&mut self, shadow: Value, low: u32, width: u32) -> Value {
        if self.is_concrete(shadow) {
            return self.concrete();
        }
        let guard = self.guards.on_shadows(&format!("extract.{low}.{width}"), 1, &[], |body| {
            let (low, width) = (body.number(u64::from(low)), body.number(u64::from(width)));
            body.emit.call(body.hooks.extract, &[body.parameters[0], low, width])
        });
        self.emit.call(guard, &[shadow])
    }

    /// The shadow of `op` from `from` to `to` bits.
    pub fn convert(&mut self, op: Op, shadow: Value, from: u32, to: u32) -> Value {
        if self.is_concrete(shadow) {
            return self.concrete();
        }
        let guard = self.guards.on_shadows(&format!("{}.{from}.{to}", op.name()), 1, &[], |body| {
            let (op, from, to) = (body.number(op as u64), body.number(u64::from(from)), body.number(u64::from(to)));
            body.emit.call(body.hooks.cast, &[op, from, to, body.parameters[0]])
        });
        self.emit.call(guard, &[shadow])
    }

    /// Makes every symbolic operand concrete, of an instruction whose result is concrete for `reason`.
    pub fn concretise_operands(&mut self, instruction: Value, reason: Concretization) {
        self.emit.before(instruction);
        for index in 0..instruction.operand_count() {
            self.concretise(instruction.operand(index), reason);
        }
    }
}
