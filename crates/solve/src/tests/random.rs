//! Random conjunctions: answers satisfy, Unsat agrees with an independent solver.

use crate::backends::reference;
use crate::*;
use covet_expr::bits::truncate;
use covet_expr::query::{Answer, Query, Unknown, UnknownReason};
use covet_expr::{Evaluator, Op, Pool, Shape, Term, arity};
use covet_input::{Input, VarId};
use proptest::prelude::*;

type Recipe = (u8, u8, u16, u16, u16);

const WIDTHS: [u16; 4] = [8, 8, 16, 32];
const INTEGER: [Op; 22] = [
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
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Ite,
    Op::PopCount,
    Op::LeadingZeros,
];
const LINEAR: [Op; 14] = [
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Slt,
    Op::Ite,
    Op::And,
];
const FLOAT: [Op; 14] = [
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FNeg,
    Op::FAbs,
    Op::FMin,
    Op::FMax,
    Op::FEq,
    Op::FLt,
    Op::FLe,
    Op::FUno,
    Op::SToF,
    Op::FToS,
    Op::FRound,
];

/// An earlier term of this width, or one made to fit.
fn pick(pool: &mut Pool, terms: &[Term], at: u16, width: u16) -> Term {
    let t = terms[at as usize % terms.len()];
    let from = pool.width(t);
    match from.cmp(&width) {
        std::cmp::Ordering::Equal => t,
        std::cmp::Ordering::Less if at.is_multiple_of(3) => pool.sext(t, width),
        std::cmp::Ordering::Less => pool.zext(t, width),
        std::cmp::Ordering::Greater => pool.extract(t, at % (from - width + 1), width),
    }
}

fn grow(pool: &mut Pool, terms: &[Term], ops: &[Op], (op, w, a, b, c): Recipe) -> Term {
    let op = ops[op as usize % ops.len()];
    let wide = WIDTHS[w as usize % WIDTHS.len()];
    let float = op >= Op::FAdd && op <= Op::FUno;
    let operand = if float || op == Op::FToS { 32 } else { wide };
    let width = match op {
        Op::FToS => wide,
        Op::SToF => 32,
        _ if op.is_comparison() => 1,
        _ => operand,
    };
    let mut kids = Vec::new();
    for (i, at) in [a, b, c].into_iter().enumerate().take(arity(op)) {
        let wanted = if op == Op::Ite && i == 0 { 1 } else { operand };
        kids.push(pick(pool, terms, at, wanted));
    }
    let aux = if op == Op::FRound { (c % 5) as u8 } else { 0 };
    pool.make(Shape { op, aux, width, imm: 0 }, &kids)
}

struct World {
    pool: Pool,
    base: Input,
    conditions: Vec<Term>,
    goal: Term,
}

/// Conditions that hold on the base, and a goal that does not.
fn world(values: &[u32], constants: &[(u32, bool)], recipes: &[Recipe], ops: &[Op]) -> Option<World> {
    let mut pool = Pool::new();
    let mut base = Input::default();
    let mut terms = Vec::new();
    for (i, value) in values.iter().enumerate() {
        let width = WIDTHS[i % WIDTHS.len()];
        base.set(VarId(i as u32), truncate(u128::from(*value), width));
        terms.push(pool.var_with(VarId(i as u32), width, 0));
    }
    for (value, small) in constants {
        let value = if *small { value % 20 } else { *value };
        terms.push(pool.bits(32, u128::from(value)));
    }
    let table: Vec<Term> = (0..11u128).map(|i| pool.bits(8, i * i)).collect();
    let table = pool.table(8, &table);
    terms.push(pool.select(table, terms[0]));
    for recipe in recipes {
        let next = grow(&mut pool, &terms, ops, *recipe);
        terms.push(next);
    }
    let mut conditions = Vec::new();
    let candidates: Vec<Term> = terms.iter().copied().filter(|t| pool.width(*t) == 1).collect();
    for t in candidates {
        let holds = Evaluator::new(&pool, &base).holds(t);
        let condition = if holds { t } else { pool.not(t) };
        if pool.constant(condition).is_none() && !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    let last = conditions.pop()?;
    let goal = pool.not(last);
    Some(World { pool, base, conditions, goal })
}

fn check(world: &World, config: Config) -> Result<(), TestCaseError> {
    let mut solver = Solver::new(config);
    let query = Query { prefix: &world.conditions, concretizations: &[], goal: world.goal, base: &world.base };
    let first = solver.solve(&world.pool, &query);
    let again = solver.solve(&world.pool, &query);
    let mut all = world.conditions.clone();
    all.push(world.goal);
    for answer in [&first, &again] {
        match answer {
            Answer::Sat { input, .. } => {
                let mut evaluator = Evaluator::new(&world.pool, input);
                for t in &all {
                    prop_assert!(evaluator.holds(*t), "tier {} broke a condition", answer.tier().0);
                }
            }
            Answer::Unsat { .. } => {
                prop_assert_ne!(reference::satisfiable(&world.pool, &all), Some(true), "wrong Unsat")
            }
            Answer::Unknown(Unknown { reason, .. }) => {
                prop_assert!(
                    *reason != UnknownReason::Failed && *reason != UnknownReason::ModelRejected,
                    "{reason:?} of {}",
                    answer.tier().0
                )
            }
        }
    }
    Ok(())
}

/// The usual number of cases; `PROPTEST_CASES` asks for more.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn integers() -> Config {
    Config { quick_effort: 300_000, thorough_effort: 2_000_000, timeout_ms: 2000, ..Config::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(120)))]

    #[test]
    fn integer_conjunctions(
        values in proptest::collection::vec(prop_oneof![any::<u32>(), 0u32..9], 5),
        constants in proptest::collection::vec(any::<(u32, bool)>(), 4),
        recipes in proptest::collection::vec(any::<Recipe>(), 4..40),
    ) {
        let Some(world) = world(&values, &constants, &recipes, &INTEGER) else { return Ok(()) };
        check(&world, integers())?;
        check(&world, Config { tiers: TierSet::of(&[TierName::Cache, TierName::Smt]), mode: Mode::Full, ..integers() })?;
        check(&world, Config { mode: Mode::Ippc, ..integers() })?;
    }

    #[test]
    fn linear_conjunctions(
        values in proptest::collection::vec(prop_oneof![any::<u32>(), 0u32..9, Just(u32::MAX)], 4),
        constants in proptest::collection::vec(any::<(u32, bool)>(), 8),
        recipes in proptest::collection::vec(any::<Recipe>(), 4..30),
    ) {
        let Some(world) = world(&values, &constants, &recipes, &LINEAR) else { return Ok(()) };
        check(&world, integers())?;
        check(&world, Config { auto_limit: 2, tiers: TierSet::all().without(TierName::Cache), ..integers() })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(30)))]

    #[test]
    fn float_conjunctions(
        values in proptest::collection::vec(prop_oneof![any::<u32>(), (-9i16..9).prop_map(|i| f32::from(i).to_bits())], 4),
        constants in proptest::collection::vec((prop_oneof![any::<u32>(), (-9i16..9).prop_map(|i| f32::from(i).to_bits())], Just(false)), 3),
        recipes in proptest::collection::vec(any::<Recipe>(), 3..10),
    ) {
        let Some(world) = world(&values, &constants, &recipes, &FLOAT) else { return Ok(()) };
        check(&world, integers())?;
        check(&world, Config { tiers: TierSet::of(&[TierName::Cache, TierName::Smt]), mode: Mode::Full, ..integers() })?;
    }
}
