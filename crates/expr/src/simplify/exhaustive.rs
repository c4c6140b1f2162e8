//! Every rewrite against evaluation, on all small operands.
//!
//! Operands are drawn from a family of shapes that the rules look for (extensions, sums with a constant, concatenations,
//! choices, ...) over two variables of 4 bits; each operator is built once plainly and once by its constructor, and both
//! are evaluated under all 256 inputs.

use crate::simplify::build::Shape;
use crate::{Evaluator, Op, Pool, Term, bits};
use covet_input::{Input, VarId};

const WIDTH: u16 = 4;

/// Shapes of width `WIDTH` over x (variable 0) and y (variable 1).
fn family(pool: &mut Pool) -> Vec<Term> {
    let x = pool.var_with(VarId(0), WIDTH, 0);
    let y = pool.var_with(VarId(1), WIDTH, 0);
    let mut all = vec![x, y];
    all.extend((0..16).map(|value| pool.bits(WIDTH, value)));
    let low = pool.raw(Shape { op: Op::Extract, aux: 0, width: 2, imm: 0 }, &[x]);
    let high = pool.raw(Shape { op: Op::Extract, aux: 0, width: 2, imm: 2 }, &[x]);
    let other = pool.raw(Shape { op: Op::Extract, aux: 0, width: 2, imm: 0 }, &[y]);
    let bit = pool.raw(Shape { op: Op::Extract, aux: 0, width: 1, imm: 1 }, &[y]);
    let two = pool.bits(2, 0);
    let three = pool.bits(2, 3);
    for op in [Op::ZExt, Op::SExt] {
        all.extend([low, other, bit].map(|t| pool.raw(Shape::new(op, WIDTH), &[t])));
    }
    for (h, l) in [(high, low), (low, high), (other, low), (low, two), (two, low), (three, other), (other, three)] {
        all.push(pool.raw2(Op::Concat, WIDTH, h, l));
    }
    all.push(pool.raw(Shape::new(Op::Not, WIDTH), &[x]));
    for value in [1, 3, 6, 8, 15] {
        let c = pool.bits(WIDTH, value);
        for op in [Op::Add, Op::Xor, Op::And, Op::Or, Op::Mul, Op::URem] {
            all.push(pool.raw2(op, WIDTH, x, c));
        }
        all.push(pool.raw2(Op::Sub, WIDTH, c, x));
        let zero = pool.bits(WIDTH, 0);
        all.push(pool.raw(Shape::new(Op::Ite, WIDTH), &[bit, c, zero]));
        all.push(pool.raw(Shape::new(Op::Ite, WIDTH), &[bit, c, x]));
    }
    // Terms whose range their operators tell.
    for (op, by, plus) in [(Op::URem, 5, 3), (Op::UDiv, 3, 10), (Op::LShr, 2, 12), (Op::And, 6, 7), (Op::URem, 6, 12)] {
        let (by, plus, two) = (pool.bits(WIDTH, by), pool.bits(WIDTH, plus), pool.bits(WIDTH, 2));
        let part = pool.raw2(op, WIDTH, x, by);
        let sum = pool.raw2(Op::Add, WIDTH, part, plus);
        let twice = pool.raw2(Op::Mul, WIDTH, part, two);
        let rest = pool.raw2(Op::Sub, WIDTH, plus, part);
        let choice = pool.raw(Shape::new(Op::Ite, WIDTH), &[bit, sum, plus]);
        let narrow = pool.raw(Shape { op: Op::Extract, aux: 0, width: 3, imm: 1 }, &[sum]);
        let wide = pool.raw(Shape::new(Op::ZExt, WIDTH), &[narrow]);
        all.extend([part, sum, twice, rest, choice, wide]);
    }
    let zero = pool.bits(WIDTH, 0);
    all.push(pool.raw2(Op::Sub, WIDTH, zero, y));
    all.push(pool.raw2(Op::Sub, WIDTH, y, x));
    all.push(pool.raw2(Op::Add, WIDTH, x, y));
    all
}

fn inputs() -> Vec<Input> {
    let mut all = Vec::new();
    for x in 0..16 {
        for y in 0..16 {
            let mut input = Input::default();
            input.set(VarId(0), x);
            input.set(VarId(1), y);
            all.push(input);
        }
    }
    all
}

/// Checks pairs (plain, simplified) under every input.
fn agree(pool: &Pool, pairs: &[(Term, Term)]) {
    for input in inputs() {
        let mut evaluator = Evaluator::new(pool, &input);
        for &(plain, simplified) in pairs {
            assert_eq!(pool.width(plain), pool.width(simplified));
            let (expected, got) = (evaluator.value(plain), evaluator.value(simplified));
            assert!(
                expected == got,
                "{} became {}: {expected} is not {got} under {input:?}",
                crate::text::text(pool, &Default::default(), plain),
                crate::text::text(pool, &Default::default(), simplified),
            );
        }
    }
}

#[test]
fn binary_operators() {
    let ops = [
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
    for op in ops {
        let mut pool = Pool::new();
        let family = family(&mut pool);
        let mut pairs = Vec::new();
        for &a in &family {
            for &b in &family {
                let width = if op.is_comparison() { 1 } else { WIDTH };
                let plain = pool.raw2(op, width, a, b);
                let simplified = pool.binary(op, a, b);
                pairs.push((plain, simplified));
                if width == 1 {
                    let negated = pool.raw(Shape::new(Op::Not, 1), &[plain]);
                    let opposite = pool.not(simplified);
                    pairs.push((negated, opposite));
                }
            }
        }
        agree(&pool, &pairs);
    }
}

#[test]
fn unary_operators_and_slices() {
    let mut pool = Pool::new();
    let family = family(&mut pool);
    let mut pairs = Vec::new();
    for &a in &family {
        for op in [Op::Not, Op::PopCount, Op::LeadingZeros, Op::TrailingZeros] {
            let shape = Shape::new(op, WIDTH);
            pairs.push((pool.raw(shape, &[a]), pool.make(shape, &[a])));
        }
        for op in [Op::ZExt, Op::SExt] {
            let shape = Shape::new(op, 7);
            let wide = pool.make(shape, &[a]);
            pairs.push((pool.raw(shape, &[a]), wide));
            for low in 0..7 {
                for width in 1..=7 - low {
                    let part = Shape { op: Op::Extract, aux: 0, width, imm: u64::from(low) };
                    pairs.push((pool.raw(part, &[wide]), pool.extract(wide, low, width)));
                }
            }
        }
        for low in 0..WIDTH {
            for width in 1..=WIDTH - low {
                let shape = Shape { op: Op::Extract, aux: 0, width, imm: u64::from(low) };
                pairs.push((pool.raw(shape, &[a]), pool.make(shape, &[a])));
            }
        }
    }
    agree(&pool, &pairs);
}

#[test]
fn concatenations_extensions_and_comparisons_of_them() {
    let mut pool = Pool::new();
    let family = family(&mut pool);
    let mut pairs = Vec::new();
    for &a in &family {
        for &b in &family {
            pairs.push((pool.raw2(Op::Concat, 8, a, b), pool.concat(a, b)));
        }
        for op in [Op::ZExt, Op::SExt] {
            let wide = pool.make(Shape::new(op, 6), &[a]);
            for value in 0..64 {
                let c = pool.bits(6, value);
                for compare in [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::And, Op::Or, Op::Xor, Op::Add] {
                    let width = if compare.is_comparison() { 1 } else { 6 };
                    pairs.push((pool.raw2(compare, width, wide, c), pool.binary(compare, wide, c)));
                    pairs.push((pool.raw2(compare, width, c, wide), pool.binary(compare, c, wide)));
                }
            }
        }
    }
    agree(&pool, &pairs);
}

#[test]
fn choices_and_tables() {
    let mut pool = Pool::new();
    let family = family(&mut pool);
    let x = pool.var_with(VarId(0), WIDTH, 0);
    let y = pool.var_with(VarId(1), WIDTH, 0);
    let (equal, less) = (pool.eq(x, y), pool.slt(x, y));
    let differs = pool.not(equal);
    let mut pairs = Vec::new();
    for condition in [equal, less, differs] {
        for &a in &family {
            for &b in &family {
                let shape = Shape::new(Op::Ite, WIDTH);
                pairs.push((pool.raw(shape, &[condition, a, b]), pool.ite(condition, a, b)));
            }
        }
        let booleans = [Pool::TRUE, Pool::FALSE, equal, less, differs];
        for a in booleans {
            for b in booleans {
                let shape = Shape::new(Op::Ite, 1);
                pairs.push((pool.raw(shape, &[condition, a, b]), pool.ite(condition, a, b)));
                for op in [Op::And, Op::Or, Op::Xor, Op::Eq] {
                    pairs.push((pool.raw2(op, 1, a, b), pool.binary(op, a, b)));
                }
            }
        }
    }
    agree(&pool, &pairs);
    // A table of 5 entries read at every index.
    let entries: Vec<Term> = family.iter().copied().skip(20).take(5).collect();
    let table = pool.table(WIDTH, &entries);
    let read = pool.select(table, y);
    for input in inputs() {
        let mut evaluator = Evaluator::new(&pool, &input);
        let index = evaluator.value(y) as usize;
        let expected = entries.get(index).map_or(0, |entry| evaluator.value(*entry));
        assert_eq!(evaluator.value(read), expected);
    }
}

#[test]
fn peeling_reaches_the_variable() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 8, 0);
    let wide = pool.sext(x, 32);
    let one = pool.bits(32, 1);
    let sum = pool.add(wide, one);
    let limit = pool.bits(32, 100);
    let is = pool.eq(sum, limit);
    let expected = pool.bits(8, 99);
    assert_eq!(pool.children(is).to_vec(), [x, expected]);
    let too_big = pool.bits(32, 300);
    assert_eq!(pool.eq(sum, too_big), Pool::FALSE);
    // Bytes taken apart and put together again are the whole.
    let word = pool.var_with(VarId(1), 32, 0);
    let bytes: Vec<Term> = (0..4).map(|i| pool.extract(word, i * 8, 8)).collect();
    let mut whole = bytes[0];
    for byte in &bytes[1..] {
        whole = pool.concat(*byte, whole);
    }
    assert_eq!(whole, word);
    let mut shifted = pool.zext(bytes[0], 32);
    for (i, byte) in bytes.iter().enumerate().skip(1) {
        let part = pool.zext(*byte, 32);
        let amount = pool.bits(32, 8 * i as u128);
        let moved = pool.make(Shape::new(Op::Shl, 32), &[part, amount]);
        shifted = pool.or(shifted, moved);
    }
    assert_eq!(shifted, word);
    assert_eq!(bits::mask(8), 255);
}

#[test]
fn deep_terms_need_no_stack() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 32, 0);
    let mut t = x;
    for i in 0..200_000u128 {
        let c = pool.bits(32, i | 1);
        t = if i % 2 == 0 { pool.add(t, c) } else { pool.xor(t, c) };
    }
    let goal = pool.bits(32, 12345);
    let peeled = pool.eq(t, goal);
    let solution = pool.constant(pool.children(peeled)[1]).expect("peeled down to a constant");
    let mut input = Input::default();
    input.set(VarId(0), solution);
    let mut evaluator = Evaluator::new(&pool, &input);
    assert!(evaluator.holds(peeled));
    assert_eq!(evaluator.value(t), 12345);
    assert!(crate::smtlib::script(&pool, &Default::default(), &[peeled]).len() < 300);
}
