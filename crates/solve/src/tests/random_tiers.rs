//! Every tier alone, on very many small random conjunctions over random widths: an input it gives satisfies, and where it
//! says Unsat an independent solver agrees.

use crate::backends::reference;
use crate::*;
use covet_expr::bits::{signed_min, truncate};
use covet_expr::query::{Answer, Query, UnknownReason};
use covet_expr::{Evaluator, Op, Pool, Shape, Term, arity};
use covet_input::{Input, VarId};

/// Conjunctions in `make test`; `PROPTEST_CASES` asks for more.
const CONJUNCTIONS: u64 = 24_000;
/// Tiers that take a thousand times longer than the others; one conjunction in so many is theirs.
const COSTLY: [TierName; 5] = [TierName::Linear, TierName::Search, TierName::Walk, TierName::Smt, TierName::LongWalk];
const COSTLY_EVERY: u64 = 101;

const OPERATORS: [Op; 26] = [
    Op::Add,
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
    Op::Not,
    Op::Eq,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Ite,
    Op::ZExt,
    Op::SExt,
    Op::Concat,
    Op::PopCount,
];

struct Random(u64);

impl Random {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }
}

struct World {
    pool: Pool,
    base: Input,
    conditions: Vec<Term>,
    goal: Term,
}

/// Conditions that hold on the base, and a goal that does not.
fn world(random: &mut Random) -> Option<World> {
    if random.below(4) == 0 {
        return related(random);
    }
    let mut pool = Pool::new();
    let mut base = Input::default();
    let mut terms = Vec::new();
    for i in 0..1 + random.below(3) {
        let width = [1, 3, 5, 8, 8, 12, 16, 32, 64, 128][random.below(10)];
        let value = if random.below(2) == 0 { random.below(6) as u128 } else { u128::from(random.draw()) };
        base.set(VarId(i as u32), truncate(value, width));
        terms.push(pool.var_with(VarId(i as u32), width, 0));
    }
    let is_narrow = random.below(3) == 0;
    for _ in 0..3 + random.below(12) {
        let next = if is_narrow { of_one(&mut pool, terms[0], random) } else { grow(&mut pool, &terms, random) };
        terms.push(next);
    }
    let mut conditions = Vec::new();
    let comparisons = 1 + random.below(6);
    for _ in 0..comparisons {
        let op = [Op::Eq, Op::Ult, Op::Slt, Op::Sle, Op::Ule][random.below(5)];
        let a = terms[random.below(terms.len())];
        let b = if is_narrow || random.below(2) == 0 {
            small(&mut pool, random, a)
        } else {
            pick(&mut pool, &terms, random, a)
        };
        let t = pool.binary(op, a, b);
        condition(&mut pool, &base, t, &mut conditions);
    }
    flipped(pool, base, conditions)
}

/// A few variables that are compared with each other and with small constants, and nothing else.
fn related(random: &mut Random) -> Option<World> {
    let mut pool = Pool::new();
    let mut base = Input::default();
    let width = [2, 8, 32, 128][random.below(4)];
    let count = 3 + random.below(4);
    let terms: Vec<Term> = (0..count as u32).map(|i| pool.var_with(VarId(i), width, 0)).collect();
    (0..count as u32).for_each(|i| base.set(VarId(i), random.below(4) as u128));
    let mut conditions = Vec::new();
    for _ in 0..3 + random.below(12) {
        let op = [Op::Eq, Op::Eq, Op::Eq, Op::Ult, Op::Slt, Op::Sle, Op::Ule][random.below(7)];
        let a = terms[random.below(count)];
        let b =
            if random.below(4) == 0 { pool.bits(width, random.below(4) as u128) } else { terms[random.below(count)] };
        let t = pool.binary(op, a, b);
        condition(&mut pool, &base, t, &mut conditions);
    }
    flipped(pool, base, conditions)
}

/// Adds a comparison, or its opposite, so that it holds on the base.
fn condition(pool: &mut Pool, base: &Input, t: Term, conditions: &mut Vec<Term>) {
    let holds = Evaluator::new(pool, base).holds(t);
    let condition = if holds { t } else { pool.not(t) };
    if pool.constant(condition).is_none() && !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// The opposite of the last condition is wanted.
fn flipped(mut pool: Pool, base: Input, mut conditions: Vec<Term>) -> Option<World> {
    let last = conditions.pop()?;
    let goal = pool.not(last);
    Some(World { pool, base, conditions, goal })
}

/// One operator on a variable and a constant: several of these say much about that variable.
fn of_one(pool: &mut Pool, variable: Term, random: &mut Random) -> Term {
    let op = [Op::URem, Op::SRem, Op::And, Op::Mul, Op::Add, Op::UDiv][random.below(6)];
    let constant = small(pool, random, variable);
    let t = pool.binary(op, variable, constant);
    match random.below(4) {
        0 if pool.width(t) < 64 => pool.zext(t, 64),
        1 if pool.width(t) < 64 => pool.sext(t, 64),
        _ => t,
    }
}

/// A constant as wide as `like`, likely small, or where signs change.
fn small(pool: &mut Pool, random: &mut Random, like: Term) -> Term {
    let width = pool.width(like);
    let value = match random.below(8) {
        0 | 1 => u128::from(random.draw()),
        2 => signed_min(width),
        _ => random.below(20) as u128,
    };
    pool.bits(width, value)
}

/// A term as wide as `like`.
fn pick(pool: &mut Pool, terms: &[Term], random: &mut Random, like: Term) -> Term {
    let (t, width) = (terms[random.below(terms.len())], pool.width(like));
    fit(pool, t, width, random)
}

fn fit(pool: &mut Pool, t: Term, width: u16, random: &mut Random) -> Term {
    let from = pool.width(t);
    match from.cmp(&width) {
        std::cmp::Ordering::Equal => t,
        std::cmp::Ordering::Less if random.below(3) == 0 => pool.sext(t, width),
        std::cmp::Ordering::Less => pool.zext(t, width),
        std::cmp::Ordering::Greater => pool.extract(t, random.below(usize::from(from - width) + 1) as u16, width),
    }
}

fn grow(pool: &mut Pool, terms: &[Term], random: &mut Random) -> Term {
    let op = OPERATORS[random.below(OPERATORS.len())];
    let first = terms[random.below(terms.len())];
    let wide = pool.width(first);
    match op {
        Op::ZExt => return pool.zext(first, (wide + 1 + random.below(32) as u16).min(128)),
        Op::SExt => return pool.sext(first, (wide + 1 + random.below(32) as u16).min(128)),
        Op::Concat if wide > 64 => return first,
        _ => {}
    }
    let mut kids = Vec::new();
    for i in 0..arity(op) {
        let chosen = if random.below(3) == 0 { small(pool, random, first) } else { terms[random.below(terms.len())] };
        let width = if op == Op::Ite && i == 0 { 1 } else { wide };
        kids.push(fit(pool, chosen, width, random));
    }
    let width = match op {
        Op::Concat => 2 * wide,
        _ if op.is_comparison() => 1,
        _ => wide,
    };
    pool.make(Shape::new(op, width), &kids)
}

/// Puts the query to one set of tiers; true when it said Unsat.
fn says_unsat(world: &World, tiers: TierSet, mode: Mode, seed: u64) -> bool {
    let limits = Config { quick_effort: 200_000, thorough_effort: 1_000_000, timeout_ms: 2000, ..Config::default() };
    let mut solver = Solver::new(Config { tiers, mode, ..limits });
    let query = Query { prefix: &world.conditions, concretizations: &[], goal: world.goal, base: &world.base };
    let answer = solver.solve(&world.pool, &query);
    match &answer {
        Answer::Sat { input, .. } => {
            let mut evaluator = Evaluator::new(&world.pool, input);
            let all = world.conditions.iter().chain([&world.goal]);
            assert!(all.into_iter().all(|t| evaluator.holds(*t)), "seed {seed}: {} does not satisfy", answer.tier().0);
            false
        }
        Answer::Unsat { .. } => true,
        Answer::Unknown(unknown) => {
            assert_ne!(unknown.reason, UnknownReason::ModelRejected, "seed {seed}");
            false
        }
    }
}

fn check(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let Some(world) = world(&mut random) else { return };
    let with_costly = seed.is_multiple_of(COSTLY_EVERY);
    let mut is_unsat = false;
    for &name in TierName::ALL {
        if COSTLY.contains(&name) && !with_costly {
            continue;
        }
        is_unsat |= says_unsat(&world, TierSet::of(&[name]), Mode::Full, seed);
    }
    let cheap = COSTLY.iter().fold(TierSet::all(), |set, tier| set.without(*tier));
    is_unsat |= says_unsat(&world, if with_costly { TierSet::all() } else { cheap }, Mode::Auto, seed);
    is_unsat |= says_unsat(&world, if with_costly { TierSet::all() } else { cheap }, Mode::Ippc, seed);
    if is_unsat {
        let mut all = world.conditions.clone();
        all.push(world.goal);
        assert_ne!(reference::satisfiable(&world.pool, &all), Some(true), "seed {seed}: wrong Unsat");
    }
}

/// The share of one of four threads.
fn share(part: u64) {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let count = wanted.map_or(CONJUNCTIONS, |cases: u64| cases.max(CONJUNCTIONS));
    (0..count).filter(|seed| seed % 4 == part).for_each(check);
}

#[test]
fn conjunctions_of_the_first_quarter() {
    share(0);
}

#[test]
fn conjunctions_of_the_second_quarter() {
    share(1);
}

#[test]
fn conjunctions_of_the_third_quarter() {
    share(2);
}

#[test]
fn conjunctions_of_the_fourth_quarter() {
    share(3);
}
