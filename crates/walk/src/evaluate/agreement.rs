//! Compiled constraints read what interpreted ones read, for every operator.

use crate::evaluate::compile::Compiled;
use crate::evaluate::score::Reading;
use crate::problem::Problem;
use crate::random::Random;
use covet_abi::library::LIBRARY;
use covet_expr::{Op, Pool, Shape, Term, arity};
use covet_input::VarId;

const WIDTHS: [u16; 5] = [8, 16, 32, 64, 24];

fn fitted(pool: &mut Pool, t: Term, width: u16) -> Term {
    match pool.width(t).cmp(&width) {
        std::cmp::Ordering::Less => pool.sext(t, width),
        std::cmp::Ordering::Equal => t,
        std::cmp::Ordering::Greater => pool.extract(t, 0, width),
    }
}

/// A random term over earlier ones, of a random operator.
fn grow(pool: &mut Pool, terms: &[Term], random: &mut Random) -> Term {
    let op = *random.pick(Op::ALL);
    let float = op >= Op::FAdd;
    let width = if float { [32, 64][random.below(2)] } else { WIDTHS[random.below(WIDTHS.len())] };
    let pick = |pool: &mut Pool, random: &mut Random, width: u16| {
        let t = *random.pick(terms);
        fitted(pool, t, width)
    };
    let aux = if op == Op::FRound { random.below(5) as u8 } else { 0 };
    match op {
        Op::Const | Op::Var => pool.bits(width, u128::from(random.next())),
        Op::Select => {
            let entries: Vec<Term> = (0..5).map(|_| pick(pool, random, width)).collect();
            let (table, index) = (pool.table(width, &entries), pick(pool, random, 8));
            let three = pool.bits(8, 7);
            let index = pool.binary(Op::And, index, three);
            pool.select(table, index)
        }
        Op::Concat => {
            let (high, low) = (pick(pool, random, 8), pick(pool, random, 24));
            pool.concat(high, low)
        }
        Op::Extract => {
            let t = pick(pool, random, 64);
            pool.extract(t, random.below(32) as u16, 32)
        }
        Op::ZExt | Op::SExt => {
            let t = pick(pool, random, 16);
            pool.make(Shape::new(op, 64), &[t])
        }
        Op::Ite => {
            let (a, b) = (pick(pool, random, width), pick(pool, random, width));
            let condition = pool.binary(Op::Slt, a, b);
            pool.ite(condition, a, b)
        }
        Op::FToF => {
            let t = pick(pool, random, 96 - width);
            pool.make(Shape::new(op, width), &[t])
        }
        Op::FToS | Op::FToU => {
            let t = pick(pool, random, width);
            pool.make(Shape::new(op, 32), &[t])
        }
        Op::SToF | Op::UToF => {
            let t = pick(pool, random, 32);
            pool.make(Shape::new(op, width), &[t])
        }
        Op::Call => {
            let number = random.below(LIBRARY.len());
            let function = LIBRARY[number];
            let kids: Vec<Term> = (0..function.arity).map(|_| pick(pool, random, function.width)).collect();
            pool.make(Shape { op, aux, width: function.width, imm: number as u64 }, &kids)
        }
        _ => {
            let kids: Vec<Term> = (0..arity(op)).map(|_| pick(pool, random, width)).collect();
            let result = if op.is_comparison() { 1 } else { width };
            pool.make(Shape { op, aux, width: result, imm: 0 }, &kids)
        }
    }
}

#[test]
fn compiled_and_interpreted_readings_agree() {
    let mut checked = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut pool = Pool::new();
        let mut terms: Vec<Term> = (0..4).map(|i| pool.var_with(VarId(i), [8, 32, 64, 64][i as usize], 0)).collect();
        for _ in 0..30 {
            let next = grow(&mut pool, &terms, &mut random);
            terms.push(next);
        }
        let (a, b) = (terms[terms.len() - 1], terms[terms.len() - 2]);
        let (a, b) = (fitted(&mut pool, a, 64), fitted(&mut pool, b, 64));
        let op = [Op::FLt, Op::Slt, Op::Eq, Op::Ult, Op::FEq][random.below(5)];
        let condition = pool.binary(op, a, b);
        let Some(problem) = Problem::new(&pool, &[condition]) else { continue };
        let Some(constraint) = problem.constraints.first() else { continue };
        let compiled = Compiled::new(&pool, constraint);
        assert!(compiled.works(), "seed {seed} compiles");
        let mut values = Vec::new();
        let mut reading = Reading {
            measures: vec![0.0; constraint.parts.measures.len()],
            truths: vec![9; constraint.parts.atoms.len()],
        };
        for _ in 0..40 {
            let point: Vec<u64> =
                problem.variables.iter().map(|v| v.moved(random.next() >> (64 - v.width), 0)).collect();
            constraint.schedule.run(&pool, &point, &mut values);
            compiled.run(&point, &mut reading);
            for (atom, truth) in constraint.parts.atoms.iter().zip(&reading.truths) {
                let holds = (values[constraint.schedule.place(atom.condition)] != 0) == atom.positive;
                assert_eq!(holds, *truth != 0, "seed {seed}, point {point:?}");
            }
            for (measure, number) in constraint.parts.measures.iter().zip(&reading.measures) {
                let expected = measure.number(values[constraint.schedule.place(measure.term)]);
                assert!(expected == *number || (expected.is_nan() && number.is_nan()), "seed {seed}, point {point:?}");
            }
            checked += 1;
        }
    }
    assert!(checked > 2000, "{checked} points");
}

/// Chooses from tables that hold what was chosen before.
fn choices(pool: &mut Pool, tables: u32) -> Term {
    let variables: Vec<Term> = (0..200).map(|i| pool.var_with(VarId(i), 32, 0)).collect();
    (0..tables).fold(variables[0], |chosen, number| {
        let entries: Vec<Term> = variables.iter().copied().chain([chosen]).collect();
        let table = pool.table(32, &entries);
        let place = pool.var_with(VarId(1000 + number), 8, 0);
        pool.select(table, place)
    })
}

#[test]
fn what_the_stack_has_no_room_for_is_interpreted() {
    for (tables, works) in [(4, true), (400, false)] {
        let mut pool = Pool::new();
        let chosen = choices(&mut pool, tables);
        let seven = pool.bits(32, 7);
        let condition = pool.binary(Op::Eq, chosen, seven);
        let problem = Problem::new(&pool, &[condition]).unwrap();
        assert_eq!(Compiled::new(&pool, &problem.constraints[0]).works(), works, "{tables} tables");
    }
}
