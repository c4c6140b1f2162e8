//! The worked examples of the paper, and conditions of every kind, through both variants.

use crate::*;
use covet_expr::{Evaluator, Op, Pool, Shape, Term};
use covet_input::{Input, VarId};

struct World {
    pool: Pool,
    conditions: Vec<Term>,
}

impl World {
    fn new() -> World {
        World { pool: Pool::new(), conditions: Vec::new() }
    }

    fn var(&mut self, id: u32, width: u16) -> Term {
        self.pool.var_with(VarId(id), width, 0)
    }

    fn double(&mut self, value: f64) -> Term {
        self.pool.bits(64, u128::from(value.to_bits()))
    }

    fn call(&mut self, name: &str, arguments: &[Term]) -> Term {
        let number = covet_abi::library::number_of(name).expect("a library function") as u64;
        self.pool.make(Shape { op: Op::Call, aux: 0, width: 64, imm: number }, arguments)
    }

    fn require(&mut self, op: Op, a: Term, b: Term) {
        let condition = self.pool.binary(op, a, b);
        self.conditions.push(condition);
    }

    /// Solves and checks by evaluation.
    fn solve(&self, config: Config) -> Option<Input> {
        let found = Walk::default().solve(&self.pool, &self.conditions, |_| 0, config);
        let mut input = Input::default();
        found.values?.into_iter().for_each(|(id, bits)| input.set(id, bits));
        let mut evaluator = Evaluator::new(&self.pool, &input);
        assert!(self.conditions.iter().all(|t| evaluator.holds(*t)), "what is found is a solution");
        Some(input)
    }
}

fn paper(seed: u64) -> Config {
    Config { variant: Variant::Paper, seed, ..Config::default() }
}

fn ours(seed: u64) -> Config {
    Config { seed, ..Config::default() }
}

/// `z = x * y; if (x == z) if (x > 2) error`
fn example_1() -> World {
    let mut world = World::new();
    let (x, y) = (world.var(0, 32), world.var(1, 32));
    let z = world.pool.mul(x, y);
    world.require(Op::Eq, x, z);
    let two = world.pool.bits(32, 2);
    world.require(Op::Slt, two, x);
    world
}

/// `v = bits of the double u; w = v & 0xff000; if (w > 0) error`
fn example_2() -> World {
    let mut world = World::new();
    let u = world.var(0, 64);
    let mask = world.pool.bits(64, 0xff000);
    let w = world.pool.binary(Op::And, u, mask);
    let zero = world.pool.bits(64, 0);
    world.require(Op::Slt, zero, w);
    world
}

#[test]
fn figure_1_reaches_both_error_lines() {
    for seed in 0..7 {
        for config in [paper(seed), ours(seed)] {
            let input = example_1().solve(config).expect("x > 2 and y = 1");
            assert!(input.get(VarId(0)).expect("x") as u32 as i32 > 2);
            assert!(example_2().solve(config).is_some(), "{:?}, seed {seed}", config.variant);
        }
    }
}

/// `x * x * x` overflows: positive x with a cube that is not.
#[test]
fn wrap_around_is_found() {
    let mut world = World::new();
    let x = world.var(0, 32);
    let square = world.pool.mul(x, x);
    let cube = world.pool.mul(square, x);
    let zero = world.pool.bits(32, 0);
    world.require(Op::Slt, zero, x);
    world.require(Op::Sle, cube, zero);
    for seed in 0..7 {
        let input = world.solve(ours(seed)).expect("1291 and many others");
        let x = input.get(VarId(0)).expect("x") as u32 as i32;
        assert!(x > 0 && x.wrapping_mul(x).wrapping_mul(x) <= 0);
    }
}

/// `atan2(y, x) == 1`: an exact equation over a library function.
#[test]
fn exact_equations_over_library_functions() {
    let mut world = World::new();
    let (y, x) = (world.var(0, 64), world.var(1, 64));
    let angle = world.call("atan2", &[y, x]);
    let one = world.double(1.0);
    world.require(Op::FEq, angle, one);
    for seed in 0..7 {
        assert!(world.solve(ours(seed)).is_some(), "seed {seed}");
    }
}

/// Powell's badly scaled function: two equations, solutions among the last bits.
#[test]
fn solutions_among_the_last_bits() {
    let mut world = World::new();
    let (x, y) = (world.var(0, 64), world.var(1, 64));
    let (scale, one, sum) = (world.double(1e4), world.double(1.0), world.double(1.0001));
    let zero = world.double(0.0);
    let base = world.double(std::f64::consts::E);
    let scaled = world.pool.binary(Op::FMul, scale, x);
    let product = world.pool.binary(Op::FMul, scaled, y);
    let first = world.pool.binary(Op::FSub, product, one);
    world.require(Op::FEq, first, zero);
    let minus = |world: &mut World, t: Term| world.pool.make(Shape::new(Op::FNeg, 64), &[t]);
    let (minus_x, minus_y) = (minus(&mut world, x), minus(&mut world, y));
    let (a, b) = (world.call("pow", &[base, minus_x]), world.call("pow", &[base, minus_y]));
    let both = world.pool.binary(Op::FAdd, a, b);
    let second = world.pool.binary(Op::FSub, both, sum);
    world.require(Op::FEq, second, zero);
    let solved = (0..7).filter(|seed| world.solve(ours(*seed)).is_some()).count();
    assert!(solved >= 6, "{solved} of 7 seeds");
}

/// `a == b` and `1 / a != 1 / b`: zeros of both signs.
#[test]
fn zeros_of_both_signs() {
    let mut world = World::new();
    let (a, b) = (world.var(0, 64), world.var(1, 64));
    world.require(Op::FEq, a, b);
    let one = world.double(1.0);
    let (x, y) = (world.pool.binary(Op::FDiv, one, a), world.pool.binary(Op::FDiv, one, b));
    let same = world.pool.binary(Op::FEq, x, y);
    let different = world.pool.not(same);
    world.conditions.push(different);
    assert!((0..7).all(|seed| world.solve(ours(seed)).is_some()));
}

#[test]
fn tabu_and_bisection_can_be_switched_off() {
    let config = Config { tabu: Some(0), bisection: false, ..paper(0) };
    assert!(example_2().solve(config).is_some(), "a random walk finds a byte that is not zero");
}

#[test]
fn the_same_seed_finds_the_same() {
    for config in [paper(3), ours(3)] {
        assert_eq!(example_1().solve(config), example_1().solve(config));
    }
}
