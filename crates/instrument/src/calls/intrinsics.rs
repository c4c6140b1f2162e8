//! LLVM intrinsics that clang emits for C.
//!
//! Each is one of: transparent (no value to follow), expressed in our operators, memory traffic (`memory_intrinsics.rs`), or concrete and
//! counted by name.

use crate::calls::library::of_intrinsic;
use crate::function::Rewriter;
use crate::ir::{LLVMIntPredicate, LLVMOpcode, Value};
use crate::tracking::shadow::LeafKind;
use covet_abi::event::Concretization;
use covet_abi::node::{Op, Rounding};

/// Intrinsics without a value to follow: markers, hints, traps, and addresses that are concrete.
const TRANSPARENT: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.stacksave",
    "llvm.va_end",
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.ubsantrap",
    "llvm.frameaddress",
    "llvm.returnaddress",
    "llvm.addressofreturnaddress",
    "llvm.sponentry",
    "llvm.eh.",
    "llvm.threadlocal.address",
    "llvm.is.constant",
    "llvm.objectsize",
    "llvm.readcyclecounter",
    "llvm.readsteadycounter",
    "llvm.clear_cache",
    "llvm.var.annotation",
    "llvm.annotation",
    "llvm.experimental.noalias.scope.decl",
    "llvm.invariant.",
    "llvm.x86.sse2.pause",
    "llvm.x86.rdtsc",
    "llvm.get.rounding",
];

impl Rewriter<'_> {
    pub fn intrinsic(&mut self, call: Value, name: &str) {
        if TRANSPARENT.iter().any(|prefix| name.starts_with(prefix)) {
            return;
        }
        let base = base_name(name);
        self.emit.before(call);
        match base {
            "llvm.memcpy" | "llvm.memcpy.inline" | "llvm.memmove" => return self.copy_memory(call),
            "llvm.memset" | "llvm.memset.inline" => return self.fill_memory(call),
            "llvm.stackrestore" => {
                let top = self.emit.cast(LLVMOpcode::LLVMPtrToInt, call.operand(0), self.emit.i64);
                self.emit.call(self.guards.hooks.restore, &[top]);
                return;
            }
            "llvm.va_start" => return self.va_start(call),
            "llvm.va_copy" => return self.va_copy(call),
            "llvm.expect" | "llvm.expect.with.probability" | "llvm.launder.invariant.group" => {
                let shadow = self.shadow(call.operand(0));
                return self.set_shadow(call, shadow);
            }
            _ => {}
        }
        let arguments = call.arguments();
        let shadows: Vec<Value> = arguments.iter().map(|argument| self.shadow_of_scalar(*argument)).collect();
        if self.all_concrete(&shadows) {
            return;
        }
        let width = self.leaf(call.operand(0)).width;
        let known = of_intrinsic(base, width).and_then(|name| self.library_call(call, name));
        match known.map(|shadow| vec![shadow]).or_else(|| self.operator_intrinsic(call, base)) {
            Some(shadow) => self.set_shadow(call, shadow),
            None => self.unmodelled(call, name, &shadows),
        }
    }

    fn unmodelled(&mut self, call: Value, name: &str, shadows: &[Value]) {
        let live: Vec<Value> = shadows.iter().copied().filter(|shadow| !self.is_concrete(*shadow)).collect();
        self.announce_external(&live, name);
        for argument in call.arguments() {
            self.concretise(argument, Concretization::External);
        }
    }

    /// The result's shadow, for intrinsics that our operators express.
    fn operator_intrinsic(&mut self, call: Value, base: &str) -> Option<Vec<Value>> {
        let a = call.operand(0);
        let leaf = self.leaf(a);
        let width = leaf.width;
        let shadow = match (base, leaf.kind) {
            ("llvm.fabs", LeafKind::Float | LeafKind::Double) => self.unary(Op::FAbs, a),
            ("llvm.sqrt", LeafKind::Float | LeafKind::Double) => self.unary(Op::FSqrt, a),
            ("llvm.floor", LeafKind::Float | LeafKind::Double) => self.rounded(Rounding::Down, a),
            ("llvm.ceil", LeafKind::Float | LeafKind::Double) => self.rounded(Rounding::Up, a),
            ("llvm.trunc", LeafKind::Float | LeafKind::Double) => self.rounded(Rounding::Zero, a),
            ("llvm.round", LeafKind::Float | LeafKind::Double) => self.rounded(Rounding::NearestAway, a),
            ("llvm.rint" | "llvm.nearbyint" | "llvm.roundeven", LeafKind::Float | LeafKind::Double) => {
                self.rounded(Rounding::NearestEven, a)
            }
            ("llvm.minnum", LeafKind::Float | LeafKind::Double) => self.operator(Op::FMin, a, call.operand(1)),
            ("llvm.maxnum", LeafKind::Float | LeafKind::Double) => self.operator(Op::FMax, a, call.operand(1)),
            ("llvm.copysign", LeafKind::Float | LeafKind::Double) => self.operator(Op::FCopySign, a, call.operand(1)),
            ("llvm.fma", LeafKind::Float | LeafKind::Double) => self.fused(call),
            ("llvm.is.fpclass", LeafKind::Float | LeafKind::Double) => self.float_class(call)?,
            ("llvm.ctpop", LeafKind::Integer) => self.unary(Op::PopCount, a),
            ("llvm.ctlz", LeafKind::Integer) => self.unary(Op::LeadingZeros, a),
            ("llvm.cttz", LeafKind::Integer) => self.unary(Op::TrailingZeros, a),
            ("llvm.bswap", LeafKind::Integer) => self.permuted(a, 8),
            ("llvm.bitreverse", LeafKind::Integer) => self.permuted(a, 1),
            ("llvm.fshl", LeafKind::Integer) if width <= 64 => self.funnel(call, true),
            ("llvm.fshr", LeafKind::Integer) if width <= 64 => self.funnel(call, false),
            ("llvm.smax", LeafKind::Integer) => self.extreme(call, Op::Slt, true),
            ("llvm.smin", LeafKind::Integer) => self.extreme(call, Op::Slt, false),
            ("llvm.umax", LeafKind::Integer) => self.extreme(call, Op::Ult, true),
            ("llvm.umin", LeafKind::Integer) => self.extreme(call, Op::Ult, false),
            ("llvm.abs", LeafKind::Integer) => self.absolute(a),
            ("llvm.sadd.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Add, true),
            ("llvm.uadd.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Add, false),
            ("llvm.ssub.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Sub, true),
            ("llvm.usub.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Sub, false),
            ("llvm.smul.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Mul, true),
            ("llvm.umul.with.overflow", LeafKind::Integer) => return self.overflow(call, Op::Mul, false),
            _ => return None,
        };
        Some(vec![shadow])
    }

    pub fn rounded(&mut self, mode: Rounding, a: Value) -> Value {
        let (shadow, width) = (self.shadow_of_scalar(a), self.leaf(a).width);
        let guard = self.guards.on_shadows(&format!("round.{}.{width}", mode as u8), 1, &[], |body| {
            let (mode, width) = (body.number(mode as u64), body.number(u64::from(width)));
            body.emit.call(body.hooks.round, &[mode, width, body.parameters[0]])
        });
        self.emit.call(guard, &[shadow])
    }

    pub fn fused(&mut self, call: Value) -> Value {
        let operands = [0, 1, 2].map(|i| call.operand(i));
        let shadows = operands.map(|operand| self.shadow_of_scalar(operand));
        let leaf = self.leaf(operands[0]);
        let guard = self.guards.on_shadows(&format!("fma.{}", leaf.width), 3, &[leaf.ty; 3], |body| {
            let (op, width) = (body.number(Op::FFma as u64), body.number(u64::from(leaf.width)));
            let [sa, sb, sc, a, b, c] = body.parameters[..] else { unreachable!("six parameters") };
            let [a, b, c] = [a, b, c].map(|value| body.low(value, &leaf));
            body.emit.call(body.hooks.ternary, &[op, width, sa, sb, sc, a, b, c])
        });
        let [sa, sb, sc] = shadows;
        let [a, b, c] = operands;
        self.emit.call(guard, &[sa, sb, sc, a, b, c])
    }

    fn extreme(&mut self, call: Value, less: Op, largest: bool) -> Value {
        let (a, b) = (call.operand(0), call.operand(1));
        let below = self.operator(less, a, b);
        let predicate = if less == Op::Slt { LLVMIntPredicate::LLVMIntSLT } else { LLVMIntPredicate::LLVMIntULT };
        let truth = self.emit.compare(predicate, a, b);
        let (sa, sb) = (self.shadow_of_scalar(a), self.shadow_of_scalar(b));
        if largest {
            self.choice((below, truth), (sb, b), (sa, a))
        } else {
            self.choice((below, truth), (sa, a), (sb, b))
        }
    }

    fn absolute(&mut self, a: Value) -> Value {
        let zero = a.ty().null();
        let shadow = self.shadow_of_scalar(a);
        let negative = self.operator(Op::Slt, a, zero);
        let truth = self.emit.compare(LLVMIntPredicate::LLVMIntSLT, a, zero);
        let opposite = self.operator_on(Op::Sub, (self.concrete(), zero), (shadow, a));
        let value = self.emit.binary(LLVMOpcode::LLVMSub, zero, a);
        self.choice((negative, truth), (opposite, value), (shadow, a))
    }

    /// The pieces of `step` bits in reverse order.
    fn permuted(&mut self, a: Value, step: u32) -> Value {
        let (shadow, width) = (self.shadow_of_scalar(a), self.leaf(a).width);
        let guard = self.guards.on_shadows(&format!("reverse.{step}.{width}"), 1, &[], |body| {
            let take = |low: u32| {
                body.emit.call(
                    body.hooks.extract,
                    &[body.parameters[0], body.number(u64::from(low)), body.number(u64::from(step))],
                )
            };
            let zero = body.wide_number(0);
            let mut whole = take(0);
            for low in (step..width).step_by(step as usize) {
                let done = body.number(u64::from(low));
                let arguments = [whole, done, zero, take(low), body.number(u64::from(step)), zero];
                whole = body.emit.call(body.hooks.concat, &arguments);
            }
            whole
        });
        self.emit.call(guard, &[shadow])
    }
}

/// An intrinsic's name without its type suffixes: `llvm.smax.i32` → `llvm.smax`.
fn base_name(name: &str) -> &str {
    let mut base = name;
    while let Some((front, tail)) = base.rsplit_once('.') {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_scalar = tail.starts_with(['i', 'f', 'p']) && digits(&tail[1..]);
        let is_vector = tail.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_type = is_scalar || is_vector;
        if !is_type {
            break;
        }
        base = front;
    }
    base
}
