//! Integer operators as Z3 expressions.

use crate::backends::encode::Encoder;
use crate::backends::z3::context::{Ast, Binary, Context};
use covet_expr::bits::mask;
use covet_expr::{Op, Pool, Term};
use z3_sys::*;

/// A term whose natural form is Boolean or bits, and that has no float operator on top.
pub(crate) fn term(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let width = pool.width(t);
    let boolean = width == 1;
    match pool.op(t) {
        Op::Const => e.context.bits(width, pool.constant(t).unwrap_or_default()),
        Op::Add => binary(e, pool, t, Z3_mk_bvadd),
        Op::Sub => binary(e, pool, t, Z3_mk_bvsub),
        Op::Mul => binary(e, pool, t, Z3_mk_bvmul),
        Op::UDiv => binary(e, pool, t, Z3_mk_bvudiv),
        Op::SDiv => binary(e, pool, t, Z3_mk_bvsdiv),
        Op::URem => binary(e, pool, t, Z3_mk_bvurem),
        Op::SRem => binary(e, pool, t, Z3_mk_bvsrem),
        Op::Shl => shift(e, pool, t, Z3_mk_bvshl),
        Op::LShr => shift(e, pool, t, Z3_mk_bvlshr),
        Op::AShr => shift(e, pool, t, Z3_mk_bvashr),
        Op::And | Op::Or | Op::Xor if boolean => connective(e, pool, t),
        Op::And => binary(e, pool, t, Z3_mk_bvand),
        Op::Or => binary(e, pool, t, Z3_mk_bvor),
        Op::Xor => binary(e, pool, t, Z3_mk_bvxor),
        Op::Not if boolean => {
            let a = e.boolean(pool, pool.children(t)[0]);
            e.context.unary(Z3_mk_not, a)
        }
        Op::Not => {
            let a = e.bits(pool, pool.children(t)[0]);
            e.context.unary(Z3_mk_bvnot, a)
        }
        Op::Eq if pool.width(pool.children(t)[0]) == 1 => {
            let (a, b) = (e.boolean(pool, pool.children(t)[0]), e.boolean(pool, pool.children(t)[1]));
            e.context.equal(a, b)
        }
        Op::Eq => binary(e, pool, t, Z3_mk_eq),
        Op::Ult => binary(e, pool, t, Z3_mk_bvult),
        Op::Ule => binary(e, pool, t, Z3_mk_bvule),
        Op::Slt => binary(e, pool, t, Z3_mk_bvslt),
        Op::Sle => binary(e, pool, t, Z3_mk_bvsle),
        Op::ZExt | Op::SExt => extension(e, pool, t),
        Op::Extract => {
            let a = e.bits(pool, pool.children(t)[0]);
            e.context.extract(a, pool.immediate(t) as u16, width)
        }
        Op::Concat => binary(e, pool, t, Z3_mk_concat),
        Op::Ite => choice(e, pool, t),
        Op::Select => select(e, pool, t),
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => count(e, pool, t),
        Op::Var | Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt => {
            e.context.keep(None)
        }
        Op::FFma | Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe => {
            e.context.keep(None)
        }
        Op::FUno | Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF | Op::Call => e.context.keep(None),
    }
}

fn operands(e: &mut Encoder, pool: &Pool, t: Term) -> (Ast, Ast) {
    let children = pool.children(t);
    (e.bits(pool, children[0]), e.bits(pool, children[1]))
}

fn binary(e: &mut Encoder, pool: &Pool, t: Term, make: Binary) -> Ast {
    let (a, b) = operands(e, pool, t);
    e.context.binary(make, a, b)
}

fn connective(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let children = pool.children(t);
    let (a, b) = (e.boolean(pool, children[0]), e.boolean(pool, children[1]));
    match pool.op(t) {
        Op::And => e.context.and(&[a, b]),
        Op::Or => e.context.or(&[a, b]),
        _ => e.context.binary(Z3_mk_xor, a, b),
    }
}

fn extension(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let inner = pool.children(t)[0];
    let by = u32::from(pool.width(t) - pool.width(inner));
    let a = e.bits(pool, inner);
    let sign = pool.op(t) == Op::SExt;
    e.context.extend(if sign { Z3_mk_sign_ext } else { Z3_mk_zero_ext }, by, a)
}

fn choice(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let children = pool.children(t);
    let condition = e.boolean(pool, children[0]);
    let (yes, no) = if pool.width(t) == 1 {
        (e.boolean(pool, children[1]), e.boolean(pool, children[2]))
    } else {
        (e.bits(pool, children[1]), e.bits(pool, children[2]))
    };
    e.context.ite(condition, yes, no)
}

/// Amounts count modulo the width; a mask does when the width is a power of two.
fn shift(e: &mut Encoder, pool: &Pool, t: Term, make: Binary) -> Ast {
    let width = pool.width(t);
    let (a, b) = operands(e, pool, t);
    let amount = if width.is_power_of_two() {
        let low = e.context.bits(width, u128::from(width - 1));
        e.context.binary(Z3_mk_bvand, b, low)
    } else {
        let modulus = e.context.bits(width, u128::from(width));
        e.context.binary(Z3_mk_bvurem, b, modulus)
    };
    e.context.binary(make, a, amount)
}

/// A table as a tree of choices on the bits of the index: as many choices as entries, depth the logarithm.
fn select(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let child = pool.children(t)[0];
    let index = e.bits(pool, child);
    let index_width = pool.width(child);
    let entries = pool.table_of(t).map_or(&[][..], |table| pool.entries(table));
    let reach = mask(index_width);
    let within = entries.iter().enumerate().take_while(|(i, _)| *i as u128 <= reach);
    let mut level: Vec<Ast> = within.map(|(_, entry)| e.bits(pool, *entry)).collect();
    let zero = e.context.bits(pool.width(t), 0);
    let mut bit = 0;
    while level.len() > 1 {
        let chosen = bit_is_set(&e.context, index, bit);
        level =
            level.chunks(2).map(|pair| e.context.ite(chosen, pair.get(1).copied().unwrap_or(zero), pair[0])).collect();
        bit += 1;
    }
    let read = level.first().copied().unwrap_or(zero);
    if bit >= index_width {
        return read;
    }
    // Index bits the tree did not look at are past the end.
    let rest = e.context.extract(index, bit, index_width - bit);
    let none = e.context.bits(index_width - bit, 0);
    let inside = e.context.equal(rest, none);
    e.context.ite(inside, read, zero)
}

fn bit_is_set(context: &Context, t: Ast, bit: u16) -> Ast {
    let one = context.bits(1, 1);
    let part = context.extract(t, bit, 1);
    context.equal(part, one)
}

/// Bit counts, bit by bit.
fn count(e: &mut Encoder, pool: &Pool, t: Term) -> Ast {
    let width = pool.width(t);
    let a = e.bits(pool, pool.children(t)[0]);
    let context = &e.context;
    let number = |value: u16| context.bits(width, mask(width) & u128::from(value));
    match pool.op(t) {
        Op::PopCount => (0..width).fold(number(0), |sum, i| {
            let one = context.ite(bit_is_set(context, a, i), number(1), number(0));
            context.binary(Z3_mk_bvadd, sum, one)
        }),
        Op::LeadingZeros => (0..width)
            .fold(number(width), |rest, i| context.ite(bit_is_set(context, a, i), number(width - 1 - i), rest)),
        _ => (0..width).rev().fold(number(width), |rest, i| context.ite(bit_is_set(context, a, i), number(i), rest)),
    }
}
