//! Float operators and conversions as Z3 expressions.

use crate::backends::encode::Encoder;
use crate::backends::z3::context::{Ast, Context};
use covet_expr::{Op, Pool, Term};
use z3_sys::*;

/// A term whose natural form is a float.
pub(crate) fn arithmetic(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let width = pool.width(t);
    let children = pool.children(t);
    let rne = e.context.nearest_even();
    match pool.op(t) {
        Op::SToF => {
            let a = e.bits(pool, children[0]);
            return e.context.to_float(Z3_mk_fpa_to_fp_signed, a, width);
        }
        Op::UToF => {
            let a = e.bits(pool, children[0]);
            return e.context.to_float(Z3_mk_fpa_to_fp_unsigned, a, width);
        }
        Op::FRem | Op::Call => return e.context.fresh_float(width),
        _ => {}
    }
    let a = e.float(pool, children[0]);
    let mut operand = |i: usize| children.get(i).map_or(a, |t| e.float(pool, *t));
    let (b, third) = (operand(1), operand(2));
    let mode = e.context.rounding(pool.aux(t));
    match pool.op(t) {
        Op::FAdd => e.context.ternary(Z3_mk_fpa_add, rne, a, b),
        Op::FSub => e.context.ternary(Z3_mk_fpa_sub, rne, a, b),
        Op::FMul => e.context.ternary(Z3_mk_fpa_mul, rne, a, b),
        Op::FDiv => e.context.ternary(Z3_mk_fpa_div, rne, a, b),
        Op::FNeg => e.context.unary(Z3_mk_fpa_neg, a),
        Op::FAbs => e.context.unary(Z3_mk_fpa_abs, a),
        Op::FSqrt => e.context.binary(Z3_mk_fpa_sqrt, rne, a),
        Op::FFma => e.context.fused(a, b, third),
        Op::FRound => e.context.binary(Z3_mk_fpa_round_to_integral, mode, a),
        Op::FToF if pool.width(children[0]) == width => a,
        Op::FToF => e.context.to_float(Z3_mk_fpa_to_fp_float, a, width),
        // The first of two equals, the number beside a NaN: Z3's own minimum leaves zeros open.
        Op::FMin => minimum(&e.context, a, b, (b, a)),
        Op::FMax => minimum(&e.context, a, b, (a, b)),
        _ => e.context.keep(None),
    }
}

/// `b` when `a` is NaN or `less.0 < less.1`, otherwise `a`.
fn minimum(context: &Context, a: Ast, b: Ast, less: (Ast, Ast)) -> Ast {
    let is_nan = context.unary(Z3_mk_fpa_is_nan, a);
    let second_wins = context.binary(Z3_mk_fpa_lt, less.0, less.1);
    let second = context.or(&[is_nan, second_wins]);
    context.ite(second, b, a)
}

pub(crate) fn comparison(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let children = pool.children(t);
    let (a, b) = (e.float(pool, children[0]), e.float(pool, children[1]));
    match pool.op(t) {
        Op::FEq => e.context.binary(Z3_mk_fpa_eq, a, b),
        Op::FLt => e.context.binary(Z3_mk_fpa_lt, a, b),
        Op::FLe => e.context.binary(Z3_mk_fpa_leq, a, b),
        _ => {
            let first = e.context.unary(Z3_mk_fpa_is_nan, a);
            let second = e.context.unary(Z3_mk_fpa_is_nan, b);
            e.context.or(&[first, second])
        }
    }
}

/// Works on bits, so that a NaN keeps its payload.
pub(crate) fn copy_sign(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let children = pool.children(t);
    let (a, b) = (e.bits(pool, children[0]), e.bits(pool, children[1]));
    let top = pool.width(t) - 1;
    let (sign, magnitude) = (e.context.extract(b, top, 1), e.context.extract(a, 0, top));
    e.context.binary(Z3_mk_concat, sign, magnitude)
}

/// Float to integer with the processor's answer out of range, as evaluation has it.
pub(crate) fn to_integer(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let child = pool.children(t)[0];
    let (from, width) = (pool.width(child), pool.width(t));
    let x = e.float(pool, child);
    let context = &e.context;
    let unsigned = pool.op(t) == Op::FToU;
    let cut = |ast: Ast, bits: u16| if bits == width { ast } else { context.extract(ast, 0, width) };
    match (unsigned, width) {
        (false, 0..=32) | (true, 0..=16) => cut(indefinite(context, x, from, 32), 32),
        (false, 33..=64) | (true, 17..=32) => cut(indefinite(context, x, from, 64), 64),
        (true, 33..=64) => {
            let split = power_of_two(context, from, 63);
            let below = context.binary(Z3_mk_fpa_lt, x, split);
            let rne = context.nearest_even();
            let rest = context.ternary(Z3_mk_fpa_sub, rne, x, split);
            let upper = indefinite(context, rest, from, 64);
            let top = context.bits(64, 1 << 63);
            let flipped = context.binary(Z3_mk_bvxor, upper, top);
            let lower = indefinite(context, x, from, 64);
            cut(context.ite(below, lower, flipped), 64)
        }
        _ => wide(context, x, from, width, unsigned),
    }
}

/// The signed conversion to `bits` bits; its smallest value when out of range or NaN.
fn indefinite(context: &Context, x: Ast, from: u16, bits: u16) -> Ast {
    let bound = power_of_two(context, from, bits - 1);
    let lowest = context.unary(Z3_mk_fpa_neg, bound);
    // Between lowest - 1 and lowest the truncated value is the smallest as well.
    let above = context.binary(Z3_mk_fpa_leq, lowest, x);
    let below = context.binary(Z3_mk_fpa_lt, x, bound);
    let inside = context.and(&[above, below]);
    let converted = context.to_bits(Z3_mk_fpa_to_sbv, x, bits);
    let smallest = context.bits(bits, 1 << (bits - 1));
    context.ite(inside, converted, smallest)
}

/// Over 64 bits: in range exact, otherwise left open.
fn wide(context: &Context, x: Ast, from: u16, width: u16, unsigned: bool) -> Ast {
    let bound = power_of_two(context, from, if unsigned { width } else { width - 1 });
    let lowest = if unsigned { context.float(from, 0) } else { context.unary(Z3_mk_fpa_neg, bound) };
    let above = context.binary(Z3_mk_fpa_leq, lowest, x);
    let below = context.binary(Z3_mk_fpa_lt, x, bound);
    let inside = context.and(&[above, below]);
    let converted = context.to_bits(if unsigned { Z3_mk_fpa_to_ubv } else { Z3_mk_fpa_to_sbv }, x, width);
    let open = context.fresh(width);
    context.ite(inside, converted, open)
}

/// The float 2^power; 2^128 is infinite as a `float`, which bounds as well.
fn power_of_two(context: &Context, width: u16, power: u16) -> Ast {
    let value = f64::from(2.0f32).powi(i32::from(power));
    let bits = if width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) };
    context.float(width, bits)
}
