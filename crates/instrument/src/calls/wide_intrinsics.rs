//! Intrinsics that need more than one operator: funnel shifts, arithmetic with an overflow flag, classes of floats.
//!
//! All of their work is inside the guard, off the fast path.

use crate::function::Rewriter;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, Type, Value};
use crate::tracking::guards::{Body, type_key};
use crate::tracking::shadow::{Leaf, LeafKind};
use covet_abi::node::Op;

impl Rewriter<'_> {
    /// `fshl(a, b, c)`: the high half of `a:b` shifted left by `c` modulo the width; `fshr`: the low half shifted right.
    pub fn funnel(&mut self, call: Value, left: bool) -> Value {
        let operands = [0, 1, 2].map(|i| call.operand(i));
        let shadows = operands.map(|operand| self.shadow_of_scalar(operand));
        let leaf = self.leaf(operands[0]);
        let name = format!("funnel.{}.{}", u32::from(left), type_key(&leaf));
        let guard = self.guards.on_shadows(&name, 3, &[leaf.ty; 3], |body| {
            let [sa, sb, sc, a, b, c] = body.parameters[..] else { unreachable!("six parameters") };
            let ops = Operators { body, leaf };
            let most = leaf.ty.constant(u64::from(leaf.width) - 1);
            let one = Term { shadow: body.number(0), value: leaf.ty.constant(1) };
            let amount = ops.apply(Op::And, Term { shadow: sc, value: c }, ops.constant(most));
            let rest = ops.apply(Op::Sub, ops.constant(most), amount);
            let (a, b) = (Term { shadow: sa, value: a }, Term { shadow: sb, value: b });
            let (high, low) = if left {
                (ops.apply(Op::Shl, a, amount), ops.apply(Op::LShr, ops.apply(Op::LShr, b, one), rest))
            } else {
                (ops.apply(Op::Shl, ops.apply(Op::Shl, a, one), rest), ops.apply(Op::LShr, b, amount))
            };
            ops.apply(Op::Or, high, low).shadow
        });
        let ([sa, sb, sc], [a, b, c]) = (shadows, operands);
        self.emit.call(guard, &[sa, sb, sc, a, b, c])
    }

    /// Result and overflow flag, computed in twice the width.
    pub fn overflow(&mut self, call: Value, op: Op, signed: bool) -> Option<Vec<Value>> {
        let (a, b) = (call.operand(0), call.operand(1));
        let leaf = self.leaf(a);
        if leaf.width > 64 {
            return None;
        }
        let result = self.operator(op, a, b);
        let double = Leaf { ty: self.emit.integer(2 * leaf.width), width: 2 * leaf.width, ..leaf };
        let name = format!("overflow.{}.{}.{}", op.name(), u32::from(signed), type_key(&leaf));
        let guard = self.guards.on_shadows(&name, 2, &[leaf.ty; 2], |body| {
            let [sa, sb, a, b] = body.parameters[..] else { unreachable!("four parameters") };
            let extend = |shadow: Value, value: Value| {
                let (how, opcode) =
                    if signed { (Op::SExt, LLVMOpcode::LLVMSExt) } else { (Op::ZExt, LLVMOpcode::LLVMZExt) };
                let widths = [body.number(u64::from(leaf.width)), body.number(u64::from(double.width))];
                let arguments = [body.number(how as u64), widths[0], widths[1], shadow];
                let shadow = body.emit.call(body.hooks.cast, &arguments);
                Term { shadow, value: body.emit.cast(opcode, value, double.ty) }
            };
            let wide = Operators { body, leaf: double };
            let exact = wide.apply(op, extend(sa, a), extend(sb, b));
            let cut = body.emit.cast(LLVMOpcode::LLVMTrunc, exact.value, leaf.ty);
            let arguments = [exact.shadow, body.number(0), body.number(u64::from(leaf.width))];
            let cut_shadow = body.emit.call(body.hooks.extract, &arguments);
            let fits = wide.compare(Op::Eq, exact, extend(cut_shadow, cut));
            body.emit.call(body.hooks.unary, &[body.number(Op::Not as u64), body.number(1), fits])
        });
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        let flag = self.emit.call(guard, &[sa, sb, a, b]);
        Some(vec![result, flag])
    }

    /// `llvm.is.fpclass(x, mask)` as comparisons of the bits of `x`. Telling quiet from signalling NaNs is left concrete.
    pub fn float_class(&mut self, call: Value) -> Option<Value> {
        let (a, mask) = (call.operand(0), call.operand(1).as_constant()? as u32);
        let float = self.leaf(a);
        let ty = self.emit.integer(float.width);
        let leaf = Leaf { ty, kind: LeafKind::Integer, ..float };
        let format = FloatFormat::of(float.width);
        if !matches!(mask & 3, 0 | 3) {
            return None;
        }
        let shadow = self.shadow_of_scalar(a);
        let guard = self.guards.on_shadows(&format!("class.{mask}.{}", float.width), 1, &[float.ty], |body| {
            let bits = body.emit.cast(LLVMOpcode::LLVMBitCast, body.parameters[1], ty);
            let whole = Term { shadow: body.parameters[0], value: bits };
            class_test(&Operators { body, leaf }, whole, mask, &format, body.emit.i1)
        });
        Some(self.emit.call(guard, &[shadow, a]))
    }
}

/// The bit patterns that separate the classes of a float format.
struct FloatFormat {
    sign: u64,
    infinity: u64,
    smallest_normal: u64,
}

impl FloatFormat {
    fn of(width: u32) -> FloatFormat {
        if width == 32 {
            FloatFormat { sign: 1 << 31, infinity: 0x7f80_0000, smallest_normal: 0x0080_0000 }
        } else {
            FloatFormat { sign: 1 << 63, infinity: 0x7ff0 << 48, smallest_normal: 0x0010 << 48 }
        }
    }
}

/// The shadow of "the float with these bits is in a class of `mask`".
fn class_test(ops: &Operators, whole: Term, mask: u32, format: &FloatFormat, i1: Type) -> Value {
    let constant = |number: u64| ops.constant(ops.leaf.ty.constant(number));
    let truth = Operators { body: ops.body, leaf: Leaf { ty: i1, kind: LeafKind::Integer, width: 1, offset: 0 } };
    let magnitude = ops.apply(Op::And, whole, constant(!format.sign & (format.sign | (format.sign - 1))));
    let negative = ops.test(Op::Ule, constant(format.sign), whole);
    let (infinity, normal) = (constant(format.infinity), constant(format.smallest_normal));
    // (bits of the mask when negative, when positive, the test on the magnitude)
    let classes = [
        (0x001, 0x002, ops.test(Op::Ult, infinity, magnitude)),
        (0x004, 0x200, ops.test(Op::Eq, magnitude, infinity)),
        (0x008, 0x100, {
            let finite = ops.test(Op::Ult, magnitude, infinity);
            truth.apply(Op::And, ops.test(Op::Ule, normal, magnitude), finite)
        }),
        (0x010, 0x080, {
            let not_zero = ops.test(Op::Ult, constant(0), magnitude);
            truth.apply(Op::And, ops.test(Op::Ult, magnitude, normal), not_zero)
        }),
        (0x020, 0x040, ops.test(Op::Eq, magnitude, constant(0))),
    ];
    let one = truth.constant(i1.constant(1));
    let mut any = truth.constant(i1.null());
    for (when_negative, when_positive, inside) in classes {
        let wanted = match (mask & when_negative != 0, mask & when_positive != 0) {
            (true, true) => inside,
            (true, false) => truth.apply(Op::And, inside, negative),
            (false, true) => truth.apply(Op::And, inside, truth.apply(Op::Xor, negative, one)),
            (false, false) => continue,
        };
        any = truth.apply(Op::Or, any, wanted);
    }
    any.shadow
}

/// A value inside a guard, with its shadow.
#[derive(Clone, Copy)]
struct Term {
    shadow: Value,
    value: Value,
}

/// Applies operators inside a guard to both the shadow and the value.
struct Operators<'b> {
    body: &'b Body<'b>,
    leaf: Leaf,
}

impl Operators<'_> {
    fn constant(&self, value: Value) -> Term {
        Term { shadow: self.body.number(0), value }
    }

    fn apply(&self, op: Op, a: Term, b: Term) -> Term {
        let opcode = match op {
            Op::Add => LLVMOpcode::LLVMAdd,
            Op::Sub => LLVMOpcode::LLVMSub,
            Op::Mul => LLVMOpcode::LLVMMul,
            Op::And => LLVMOpcode::LLVMAnd,
            Op::Or => LLVMOpcode::LLVMOr,
            Op::Xor => LLVMOpcode::LLVMXor,
            Op::Shl => LLVMOpcode::LLVMShl,
            Op::LShr => LLVMOpcode::LLVMLShr,
            other => unreachable!("{other:?} is not used inside guards"),
        };
        Term { shadow: self.hook(op, a, b), value: self.body.emit.binary(opcode, a.value, b.value) }
    }

    fn compare(&self, op: Op, a: Term, b: Term) -> Value {
        self.hook(op, a, b)
    }

    /// A comparison as a one-bit term.
    fn test(&self, op: Op, a: Term, b: Term) -> Term {
        let predicate = match op {
            Op::Eq => LLVMIntPredicate::LLVMIntEQ,
            Op::Ult => LLVMIntPredicate::LLVMIntULT,
            Op::Ule => LLVMIntPredicate::LLVMIntULE,
            other => unreachable!("{other:?} is not used inside guards"),
        };
        Term { shadow: self.hook(op, a, b), value: self.body.emit.compare(predicate, a.value, b.value) }
    }

    fn hook(&self, op: Op, a: Term, b: Term) -> Value {
        let body = self.body;
        let (op, width) = (body.number(op as u64), body.number(u64::from(self.leaf.width)));
        let ((al, ah), (bl, bh)) = (body.halves(a.value, &self.leaf), body.halves(b.value, &self.leaf));
        if self.leaf.width <= 64 {
            body.emit.call(body.hooks.binary, &[op, width, a.shadow, b.shadow, al, bl])
        } else {
            body.emit.call(body.hooks.binary_wide, &[op, width, a.shadow, b.shadow, al, ah, bl, bh])
        }
    }
}
