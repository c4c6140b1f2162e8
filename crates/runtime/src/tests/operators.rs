//! Operator hooks: identities, shapes, and every operator against its definition on small operands.

use covet_abi::node::{Node, Op};

use super::eval::{check_arena, eval};
use super::{Random, Run, variable};
use crate::term::arena::{node, width};
use crate::term::operators::*;

const INTEGER: [Op; 18] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
];

fn b(op: Op, width: u32, a: u32, b: u32, av: u64, bv: u64) -> u32 {
    __covet_binary(op as u32, width, a, b, av, bv)
}

#[test]
fn equal_terms_have_one_node() {
    let _run = Run::new();
    let (_, x, _) = variable("x", 32);
    assert_eq!(b(Op::Add, 32, x, 0, 0, 5), b(Op::Add, 32, 0, x, 5, 0));
    assert_eq!(b(Op::Sub, 32, x, 0, 0, 5), b(Op::Add, 32, x, 0, 0, (-5i32) as u32 as u64));
    let once = b(Op::Add, 32, x, 0, 0, 5);
    assert_eq!(b(Op::Add, 32, once, 0, 0, 7), b(Op::Add, 32, x, 0, 0, 12));
    assert_eq!(b(Op::Sub, 32, once, 0, 0, 5), x);
}

#[test]
fn identities_make_concrete() {
    let _run = Run::new();
    let (_, x, _) = variable("x", 32);
    for op in [Op::Sub, Op::Xor, Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle] {
        assert_eq!(b(op, 32, x, x, 3, 3), 0, "{op:?}");
    }
    assert_eq!(b(Op::And, 32, x, 0, 3, 0), 0);
    assert_eq!(b(Op::Mul, 32, 0, x, 0, 3), 0);
    assert_eq!(b(Op::And, 32, x, x, 3, 3), x);
    assert_eq!(b(Op::Or, 32, x, 0, 3, 0), x);
    let same = b(Op::Add, 32, x, 0, 3, 1);
    assert_eq!(__covet_ternary(Op::Ite as u32, 32, b(Op::Ult, 32, x, 0, 3, 9), same, same, 1, 4, 4), same);
    let not = __covet_unary(Op::Not as u32, 32, x);
    assert_eq!(__covet_unary(Op::Not as u32, 32, not), x);
}

#[test]
fn shapes_come_back() {
    let _run = Run::new();
    let (_, x, _) = variable("x", 32);
    let (_, c, _) = variable("c", 8);
    let bytes = [0, 8, 16, 24].map(|low| __covet_extract(x, low, 8));
    let low = __covet_concat(bytes[1], 8, 0, bytes[0], 8, 0);
    let high = __covet_concat(bytes[3], 8, 0, bytes[2], 8, 0);
    assert_eq!(*node(low), Node { op: Op::Extract as u8, width: 16, a: x, ..Node::default() });
    assert_eq!(__covet_concat(high, 16, 0, low, 16, 0), x);
    let wide = __covet_cast(Op::ZExt as u32, 8, 32, c);
    assert_eq!(__covet_cast(Op::Extract as u32, 32, 8, wide), c);
    assert_eq!(__covet_extract(wide, 8, 8), 0, "the upper bytes are zero");
    assert_eq!(__covet_cast(Op::ZExt as u32, 32, 64, wide), __covet_cast(Op::ZExt as u32, 8, 64, c));
    assert_eq!(__covet_concat(0, 24, 0, c, 8, 0), wide);
    let flag = b(Op::Eq, 8, c, 0, 0, 7);
    let as_int = __covet_cast(Op::ZExt as u32, 1, 32, flag);
    assert_eq!(b(Op::Eq, 32, as_int, 0, 0, 1), flag);
    assert_eq!(b(Op::Eq, 32, as_int, 0, 0, 0), __covet_unary(Op::Not as u32, 1, flag));
}

#[test]
fn malformed_calls_are_concrete() {
    let _run = Run::new();
    let (_, x, _) = variable("x", 32);
    assert_eq!(__covet_binary(200, 32, x, x, 0, 0), 0);
    assert_eq!(__covet_unary(Op::Add as u32, 32, x), 0);
    assert_eq!(__covet_extract(x, 30, 8), 0);
    assert_eq!(__covet_extract(99_999, 0, 8), 0);
    assert_eq!(__covet_binary(Op::Add as u32, 300, x, x, 0, 0), 0);
    assert_eq!(__covet_round(77, 32, x), 0);
    assert_ne!(__covet_binary(Op::Add as u32, 32, x, 0xffff_ffff, 0, 3), 0, "an id without node counts as concrete");
    check_arena();
}

#[test]
fn wide_and_float_operators_have_their_widths() {
    let _run = Run::new();
    let (_, w, _) = variable("w", 128);
    let (_, d, _) = variable("d", 64);
    let sum = __covet_binary_wide(Op::Add as u32, 128, w, 0, 0, 0, 1, 2);
    assert_eq!(width(sum), 128);
    assert_eq!(eval(sum, &|_| 5), 6 + (2 << 64));
    let less = __covet_binary(Op::FLt as u32, 64, d, 0, 0, 1.0f64.to_bits());
    assert_eq!(width(less), 1);
    let narrow = __covet_cast(Op::FToF as u32, 64, 32, d);
    assert_eq!(width(__covet_round(2, 32, narrow)), 32);
    assert_eq!(width(__covet_cast(Op::FToS as u32, 64, 32, d)), 32);
    assert_eq!(width(__covet_ternary(Op::FFma as u32, 64, d, d, 0, 0, 0, 0)), 64);
    let choice = __covet_ite_wide(128, less, w, 0, 1, 0, 0, 7, 8);
    assert_eq!(width(choice), 128);
    check_arena();
}

/// Random terms of all integer operators over three variables: every answer has the right value for many inputs.
#[test]
fn random_terms_keep_their_value() {
    let mut random = Random(1);
    for _ in 0..400 {
        let _run = Run::new();
        let widths = [8u32, 16, 32, 64, 1, 7];
        let mut pool: Vec<(u32, u32)> = Vec::new();
        for (i, name) in ["a", "b", "c", "d", "e", "f"].iter().enumerate() {
            pool.push((variable(name, widths[i]).1, widths[i]));
        }
        // Each term is kept with a closure-free recipe: operator, operands, constants.
        let mut recipes: Vec<Recipe> = (0..6).map(Recipe::Variable).collect();
        for _ in 0..40 {
            let (recipe, id, width) = random_term(&mut random, &pool);
            recipes.push(recipe);
            pool.push((id, width));
        }
        check_arena();
        for _ in 0..6 {
            let input: Vec<u128> = (0..6).map(|_| u128::from(interesting(&mut random))).collect();
            let mut values: Vec<u128> = Vec::new();
            for (recipe, &(id, width)) in recipes.iter().zip(&pool) {
                let expected = recipe.value(&values, &pool, &input, width) & crate::term::arena::mask(width);
                if id != 0 {
                    let lookup =
                        |number: u32| input[number as usize] & crate::term::arena::mask(widths[number as usize]);
                    assert_eq!(eval(id, &lookup), expected, "{recipe:?} {:?}", node(id));
                }
                values.push(expected);
            }
        }
    }
}

fn interesting(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.below(4),
        1 => u64::MAX - random.below(4),
        2 => 1 << random.below(64),
        _ => random.next(),
    }
}

#[derive(Debug)]
enum Recipe {
    Variable(usize),
    /// Operator, left, right: `Err` is a constant operand.
    Binary(Op, Result<usize, u64>, Result<usize, u64>),
    Not(usize),
    Cast(Op, usize),
    Extract(usize, u32),
    Concat(usize, usize),
    Ite(usize, usize, usize),
}

impl Recipe {
    fn value(&self, values: &[u128], pool: &[(u32, u32)], input: &[u128], width: u32) -> u128 {
        let signed = |bits: u128, width: u32| ((bits << (128 - width)) as i128) >> (128 - width);
        match *self {
            Recipe::Variable(number) => input[number],
            Recipe::Not(a) => !values[a],
            Recipe::Cast(Op::SExt, a) => signed(values[a], pool[a].1) as u128,
            Recipe::Cast(_, a) => values[a],
            Recipe::Extract(a, low) => values[a] >> low,
            Recipe::Concat(a, b) => values[a] << pool[b].1 | values[b],
            Recipe::Ite(a, b, c) => {
                if values[a] == 1 {
                    values[b]
                } else {
                    values[c]
                }
            }
            Recipe::Binary(op, a, b) => {
                let of = a.or(b).map_or(width, |known| pool[known].1);
                let bits = |side: Result<usize, u64>| match side {
                    Ok(known) => values[known],
                    Err(constant) => u128::from(constant) & crate::term::arena::mask(of),
                };
                reference(op, of, bits(a), bits(b))
            }
        }
    }
}

/// Native arithmetic, written apart from the evaluator.
fn reference(op: Op, width: u32, a: u128, b: u128) -> u128 {
    let (x, y) = (a as u64, b as u64);
    let signed = |bits: u64| ((bits << (64 - width)) as i64) >> (64 - width);
    let amount = y % u64::from(width);
    u128::from(match op {
        Op::Add => x.wrapping_add(y),
        Op::Sub => x.wrapping_sub(y),
        Op::Mul => x.wrapping_mul(y),
        Op::UDiv => x.checked_div(y).unwrap_or(u64::MAX),
        Op::URem => x.checked_rem(y).unwrap_or(x),
        Op::SDiv => match signed(y) {
            0 => {
                if signed(x) < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            by => signed(x).wrapping_div(by) as u64,
        },
        Op::SRem => match signed(y) {
            0 => x,
            by => signed(x).wrapping_rem(by) as u64,
        },
        Op::Shl => x << amount,
        Op::LShr => x >> amount,
        Op::AShr => (signed(x) >> amount) as u64,
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Eq => u64::from(x == y),
        Op::Ult => u64::from(x < y),
        Op::Ule => u64::from(x <= y),
        Op::Slt => u64::from(signed(x) < signed(y)),
        Op::Sle => u64::from(signed(x) <= signed(y)),
        other => panic!("{other:?} is not an integer operator of two operands"),
    })
}

/// A term over symbolic members of the pool.
fn random_term(random: &mut Random, pool: &[(u32, u32)]) -> (Recipe, u32, u32) {
    loop {
        let pick = |random: &mut Random, width: Option<u32>| {
            let fits: Vec<usize> =
                (0..pool.len()).filter(|&i| pool[i].0 != 0 && width.is_none_or(|width| pool[i].1 == width)).collect();
            if fits.is_empty() { None } else { Some(fits[random.below(fits.len() as u64) as usize]) }
        };
        let a = pick(random, None).unwrap();
        let (id, width) = pool[a];
        match random.below(10) {
            0 => return (Recipe::Not(a), __covet_unary(Op::Not as u32, width, id), width),
            1 => {
                let op = if random.below(2) == 0 { Op::ZExt } else { Op::SExt };
                let to = width + random.below(u64::from(64 - width) + 1) as u32;
                if to > width {
                    return (Recipe::Cast(op, a), __covet_cast(op as u32, width, to, id), to);
                }
            }
            2 => {
                let low = random.below(u64::from(width)) as u32;
                let wanted = 1 + random.below(u64::from(width - low)) as u32;
                return (Recipe::Extract(a, low), __covet_extract(id, low, wanted), wanted);
            }
            3 => {
                let b = pick(random, None).unwrap();
                if width + pool[b].1 <= 64 {
                    let glued = __covet_concat(id, width, 0, pool[b].0, pool[b].1, 0);
                    return (Recipe::Concat(a, b), glued, width + pool[b].1);
                }
            }
            4 => {
                if let (Some(c), Some(other)) = (pick(random, Some(1)), pick(random, Some(width))) {
                    let ite = __covet_ternary(Op::Ite as u32, width, pool[c].0, id, pool[other].0, 0, 0, 0);
                    return (Recipe::Ite(c, a, other), ite, width);
                }
            }
            _ => {
                let op = INTEGER[random.below(INTEGER.len() as u64) as usize];
                let other = match random.below(2) {
                    0 => Err(interesting(random)),
                    _ => pick(random, Some(width)).ok_or(1),
                };
                let (left, right) = if random.below(2) == 0 { (Ok(a), other) } else { (other, Ok(a)) };
                let side = |side: Result<usize, u64>| match side {
                    Ok(known) => (pool[known].0, 0),
                    Err(constant) => (0, constant),
                };
                let ((ia, va), (ib, vb)) = (side(left), side(right));
                let result = __covet_binary(op as u32, width, ia, ib, va, vb);
                return (Recipe::Binary(op, left, right), result, if op.is_comparison() { 1 } else { width });
            }
        }
    }
}
