//! Worked queries through every tier.

use crate::*;
use covet_abi::library::LIBRARY;
use covet_expr::library::{Declared, Library, Native};
use covet_expr::query::{Answer, Query, TierLabel, Unknown, UnknownReason};
use covet_expr::{Evaluator, Op, Pool, Shape, Term};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use std::sync::Arc;

fn solve(solver: &mut Solver, pool: &Pool, prefix: &[Term], goal: Term, base: &Input) -> Answer {
    solver.solve(pool, &Query { prefix, concretizations: &[], goal, base })
}

fn sat(answer: &Answer) -> &Input {
    match answer {
        Answer::Sat { input, .. } => input,
        other => panic!("not satisfiable: {other:?}"),
    }
}

fn smt_only() -> Solver {
    // Patient, so that a busy machine changes nothing.
    let limits = Config { thorough_effort: 100_000_000, timeout_ms: 60_000, ..Config::default() };
    Solver::new(Config { tiers: TierSet::of(&[TierName::Smt]), mode: Mode::Full, ..limits })
}

#[test]
fn peels_down_to_the_variable() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 8, 0);
    let wide = pool.sext(x, 32);
    let three = pool.bits(32, 3);
    let tripled = pool.mul(wide, three);
    let seven = pool.bits(32, 7);
    let shifted = pool.sub(tripled, seven);
    let target = pool.bits(32, 20);
    let goal = pool.eq(shifted, target);
    let mut solver = Solver::default();
    let answer = solve(&mut solver, &pool, &[], goal, &Input::default());
    assert_eq!((sat(&answer).get(VarId(0)), answer.tier().0), (Some(9), "nearest"));
    assert_eq!(solver.statistics.smt_calls, 0);
}

#[test]
fn a_value_forbidden_by_the_path_is_stepped_over() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 32, 0);
    let (five, six, seven) = (pool.bits(32, 5), pool.bits(32, 6), pool.bits(32, 7));
    let not_six = pool.ne(x, six);
    let not_seven = pool.ne(x, seven);
    let goal = pool.slt(five, x);
    let answer = solve(&mut Solver::default(), &pool, &[not_six, not_seven], goal, &Input::default());
    assert_eq!((sat(&answer).get(VarId(0)), answer.tier().0), (Some(8), "interval"));
}

#[test]
fn bytes_of_a_word_are_set_together() {
    let mut pool = Pool::new();
    let bytes: Vec<Term> = (0..4).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
    let mut word = bytes[0];
    for byte in &bytes[1..] {
        word = pool.concat(*byte, word);
    }
    let magic = pool.bits(32, 0x464c_457f);
    let goal = pool.eq(word, magic);
    let answer = solve(&mut Solver::default(), &pool, &[], goal, &Input::default());
    let input = sat(&answer);
    let found: Vec<u128> = (0..4).map(|i| input.get(VarId(i)).expect("set")).collect();
    assert_eq!(found, [0x7f, 0x45, 0x4c, 0x46]);
    assert_eq!(answer.tier().0, "nearest");
}

#[test]
fn remainders_exclude_each_other_or_meet() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 32, 0);
    let mut remainder = |op: Op, by: u128, value: u128| {
        let by = pool.bits(32, by);
        let left = pool.binary(op, x, by);
        let value = pool.bits(32, value);
        pool.eq(left, value)
    };
    let (even, by_six, by_seven) = (remainder(Op::And, 1, 0), remainder(Op::SRem, 6, 3), remainder(Op::SRem, 7, 5));
    let minus_two = remainder(Op::SRem, 9, 0xffff_fffe);
    let mut solver = Solver::new(Config { tiers: TierSet::of(&[TierName::Congruence]), ..Config::default() });
    assert!(matches!(solve(&mut solver, &pool, &[even], by_six, &Input::default()), Answer::Unsat { .. }));
    let answer = solve(&mut solver, &pool, &[even], by_seven, &Input::default());
    assert_eq!((sat(&answer).get(VarId(0)), answer.tier().0), (Some(12), "congruence"));
    let answer = solve(&mut solver, &pool, &[even], minus_two, &Input::default());
    assert_eq!(sat(&answer).get(VarId(0)), Some(0xffff_fffe));
}

#[test]
fn characters_that_depend_on_each_other_are_set_one_after_the_other() {
    let mut pool = Pool::new();
    let text: Vec<Term> = (0..6).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
    let one = pool.bits(8, 1);
    let next: Vec<Term> = text.iter().map(|c| pool.add(*c, one)).collect();
    // Each is the successor of the one before, or equal to it, so that all hold at zero.
    let steps: Vec<Term> = (0..5)
        .map(|i| {
            let (same, follows) = (pool.eq(text[i + 1], text[i]), pool.eq(text[i + 1], next[i]));
            pool.or(same, follows)
        })
        .collect();
    let three = pool.bits(8, 3);
    let apart = pool.sub(text[5], text[0]);
    let goal = pool.eq(apart, three);
    let mut solver = Solver::new(Config { tiers: TierSet::of(&[TierName::Backtrack]), ..Config::default() });
    let answer = solve(&mut solver, &pool, &steps, goal, &Input::default());
    let mut evaluator = Evaluator::new(&pool, sat(&answer));
    assert!(steps.iter().chain([&goal]).all(|t| evaluator.holds(*t)));
    let six = pool.bits(8, 6);
    let goal = pool.eq(apart, six);
    assert_eq!(solve(&mut solver, &pool, &steps[..3], goal, &Input::default()).tier().0, "backtrack");
}

#[test]
fn only_the_slice_is_asked() {
    let mut pool = Pool::new();
    let vars: Vec<Term> = (0..6).map(|i| pool.var_with(VarId(i), 32, 0)).collect();
    let mut prefix: Vec<Term> = (0..5).step_by(2).map(|i| pool.sle(vars[i], vars[i + 1])).collect();
    prefix.push(prefix[2]);
    let goal = pool.slt(vars[1], vars[0]);
    let mut solver = Solver::default();
    let answer = solve(&mut solver, &pool, &prefix, goal, &Input::default());
    assert!(matches!(answer, Answer::Unsat { .. }));
    assert_eq!(solver.statistics.max_constraints, 2);
    let unrelated = pool.slt(vars[5], vars[3]);
    solve(&mut solver, &pool, &prefix, unrelated, &Input::default());
    assert_eq!(solver.statistics.max_constraints, 4, "a repeated condition counts each time");
}

#[test]
fn concretization_constraints_are_kept_when_possible_and_dropped_when_not() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var_with(VarId(0), 32, 0), pool.var_with(VarId(1), 32, 0));
    let zero = pool.bits(32, 0);
    let pin = pool.eq(x, zero);
    let sum = pool.add(x, y);
    let ten = pool.bits(32, 10);
    let goal = pool.eq(sum, ten);
    let mut solver = Solver::default();
    let base = Input::default();
    let kept = solver.solve(&pool, &Query { prefix: &[], concretizations: &[pin], goal, base: &base });
    assert!(matches!(kept, Answer::Sat { speculative: false, .. }));
    assert_eq!((sat(&kept).get(VarId(0)), sat(&kept).get(VarId(1))), (None, Some(10)));
    let direct = pool.eq(x, ten);
    let dropped = solver.solve(&pool, &Query { prefix: &[], concretizations: &[pin], goal: direct, base: &base });
    assert!(matches!(dropped, Answer::Sat { speculative: true, .. }));
    assert_eq!(sat(&dropped).get(VarId(0)), Some(10));
    assert_eq!(solver.statistics.speculative, 1);
}

#[test]
fn repeated_questions_come_from_the_cache() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var_with(VarId(0), 32, 0), pool.var_with(VarId(1), 32, 0));
    let prefix = [pool.sle(x, y)];
    let goal = pool.not(prefix[0]);
    let mut solver = Solver::new(Config { mode: Mode::Full, ..Config::default() });
    assert_eq!(solve(&mut solver, &pool, &prefix, goal, &Input::default()).tier().0, "order");
    let again = solve(&mut solver, &pool, &prefix, goal, &Input::default());
    assert_eq!(again, Answer::Unsat { tier: TierLabel("cache") });
    assert_eq!((solver.statistics.calls, solver.statistics.unsat), (1, 1));
}

#[test]
fn models_stay_close_to_the_base() {
    let mut pool = Pool::new();
    let vars: Vec<Term> = (0..4).map(|i| pool.var_with(VarId(i), 32, 0)).collect();
    let product = pool.mul(vars[0], vars[1]);
    let target = pool.bits(32, 221);
    let goal = pool.eq(product, target);
    let one = pool.bits(32, 1);
    let factors = [pool.ult(one, vars[0]), pool.ult(one, vars[1])];
    let hundred = pool.bits(32, 100);
    let small = [pool.ult(vars[0], hundred), pool.ult(vars[1], hundred)];
    let linked = pool.ule(vars[0], vars[2]);
    let mut base = Input::default();
    for (i, value) in [7u128, 5, 90, 4].into_iter().enumerate() {
        base.set(VarId(i as u32), value);
    }
    let prefix = [factors[0], factors[1], small[0], small[1], linked];
    let answer = solve(&mut smt_only(), &pool, &prefix, goal, &base);
    let input = sat(&answer);
    let pair = (input.get(VarId(0)), input.get(VarId(1)));
    assert!(pair == (Some(13), Some(17)) || pair == (Some(17), Some(13)), "{pair:?}");
    assert_eq!((input.get(VarId(2)), input.get(VarId(3))), (Some(90), Some(4)));
}

/// Bytes of a file, and those at a place that an input decides and behind it.
fn file(pool: &mut Pool) -> (Term, Term) {
    let bytes: Vec<Term> = (1..=100).map(|at| pool.var_with(VarId(at), 8, 0)).collect();
    let (table, place) = (pool.table(8, &bytes), pool.var_with(VarId(0), 16, 0));
    let one = pool.bits(16, 1);
    let behind = pool.add(place, one);
    (pool.select(table, place), pool.select(table, behind))
}

#[test]
fn what_is_read_is_changed_where_it_is_read() {
    let mut pool = Pool::new();
    let (first, second) = file(&mut pool);
    let base: Input = [(VarId(0), 70)].into_iter().collect();
    let seven = pool.bits(8, 7);
    let goal = pool.eq(first, seven);
    let mut solver = Solver::default();
    let answer = solve(&mut solver, &pool, &[], goal, &base);
    let input = sat(&answer);
    assert_eq!((input.get(VarId(0)), input.get(VarId(71)), answer.tier().0), (Some(70), Some(7), "nearest"));
    // Two bytes at once.
    let mut only = Solver::new(Config { tiers: TierSet::of(&[TierName::Place]), ..Config::default() });
    let product = pool.mul(first, second);
    let (prime, nonzero) = (pool.bits(8, 35), pool.bits(8, 5));
    let product = pool.eq(product, prime);
    let least = pool.ule(nonzero, first);
    let goal = pool.all(&[product, least]);
    let answer = solve(&mut only, &pool, &[], goal, &base);
    let input = sat(&answer);
    assert_eq!(
        (Evaluator::new(&pool, input).holds(goal), input.get(VarId(0)), answer.tier().0),
        (true, Some(70), "place")
    );
    // Behind the end there is a zero, here; another place may have an answer.
    let beyond: Input = [(VarId(0), 200)].into_iter().collect();
    assert!(!matches!(solve(&mut only, &pool, &[], goal, &beyond), Answer::Unsat { .. }));
}

#[test]
fn large_tables_are_searched() {
    let mut pool = Pool::new();
    let index = pool.var_with(VarId(0), 16, 0);
    let entries: Vec<Term> = (0..4096u128).map(|i| pool.bits(32, i * i * 7919 % 65_537)).collect();
    let table = pool.table(32, &entries);
    let read = pool.select(table, index);
    let five = pool.bits(16, 5);
    let above = pool.add(index, five);
    let second = pool.select(table, above);
    let sum = pool.add(read, second);
    let expected = (1234u128 * 1234 * 7919 % 65_537) + (1239u128 * 1239 * 7919 % 65_537);
    let target = pool.bits(32, expected);
    let goal = pool.eq(sum, target);
    let answer = solve(&mut smt_only(), &pool, &[], goal, &Input::default());
    assert!(Evaluator::new(&pool, sat(&answer)).holds(goal));
}

#[test]
fn floats_are_solved_exactly() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var_with(VarId(0), 64, 0), pool.var_with(VarId(1), 64, 0));
    let double = |pool: &mut Pool, value: f64| pool.bits(64, u128::from(value.to_bits()));
    let sum = pool.make(Shape::new(Op::FAdd, 64), &[x, y]);
    let (low, high) = (double(&mut pool, 0.25), double(&mut pool, 0.5));
    let conditions = [
        pool.make(Shape::new(Op::FLt, 1), &[low, x]),
        pool.make(Shape::new(Op::FLt, 1), &[x, high]),
        pool.make(Shape::new(Op::FLt, 1), &[low, y]),
    ];
    let one = double(&mut pool, 1.0);
    let goal = pool.make(Shape::new(Op::FEq, 1), &[sum, one]);
    let mut base = Input::default();
    base.set(VarId(0), u128::from(0.3f64.to_bits()));
    base.set(VarId(1), u128::from(0.3f64.to_bits()));
    for mut solver in [smt_only(), Solver::default()] {
        let answer = solve(&mut solver, &pool, &conditions, goal, &base);
        assert!(Evaluator::new(&pool, sat(&answer)).holds(goal));
    }
    // A float above one and below the next: nothing lies between.
    let next = double(&mut pool, 1.0f64.next_up());
    let between = [pool.make(Shape::new(Op::FLt, 1), &[one, x]), pool.make(Shape::new(Op::FLt, 1), &[x, next])];
    let mut base = Input::default();
    base.set(VarId(0), u128::from(2.0f64.to_bits()));
    let answer = solve(&mut smt_only(), &pool, &between[..1], between[1], &base);
    assert!(matches!(answer, Answer::Unsat { .. }));
}

#[test]
fn operators_left_open_do_not_mislead() {
    let mut pool = Pool::new();
    let x = pool.var_with(VarId(0), 64, 0);
    let three = pool.bits(64, u128::from(3.0f64.to_bits()));
    let rest = pool.make(Shape::new(Op::FRem, 64), &[x, three]);
    let goal = pool.make(Shape::new(Op::FLt, 1), &[three, rest]);
    let answer = solve(&mut smt_only(), &pool, &[], goal, &Input::default());
    assert_eq!(answer, Answer::Unknown(Unknown { reason: UnknownReason::Opaque, tier: TierLabel("smt") }));
}

#[test]
fn long_prefixes_cost_what_the_slice_costs() {
    let mut pool = Pool::new();
    let count = 50_000u32;
    let vars: Vec<Term> = (0..count).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
    let mut prefix = Vec::new();
    for &var in &vars {
        let limit = pool.bits(8, 200);
        prefix.push(pool.ult(var, limit));
        let other = pool.bits(8, 77);
        prefix.push(pool.ne(var, other));
    }
    let mut solver = Solver::default();
    let start = std::time::Instant::now();
    let base = Input::default();
    for i in (0..prefix.len()).rev().step_by(500) {
        let goal = pool.not(prefix[i]);
        let answer = solve(&mut solver, &pool, &prefix[..i], goal, &base);
        sat(&answer);
    }
    assert_eq!(solver.statistics.max_constraints, 2);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn solvers_work_side_by_side() {
    let threads: Vec<_> = (0..3u32)
        .map(|seed| {
            std::thread::spawn(move || {
                let mut pool = Pool::new();
                let (x, y) = (pool.var_with(VarId(0), 16, 0), pool.var_with(VarId(1), 16, 0));
                let product = pool.mul(x, y);
                let mut solver = smt_only();
                for value in 1..20u32 {
                    let target = pool.bits(16, u128::from(value * 31 + seed));
                    let goal = pool.eq(product, target);
                    let answer = solve(&mut solver, &pool, &[], goal, &Input::default());
                    assert!(Evaluator::new(&pool, sat(&answer)).holds(goal));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no panic");
    }
}

unsafe extern "C" fn halved(x: f64) -> f64 {
    x / 2.0
}

unsafe extern "C" fn squared(x: f64) -> f64 {
    x * x
}

/// A pool that knows these functions, by prototype, and an impossible query: `h` of a byte is not 0.3.
fn impossible(declared: &[(&str, &str, Native)], number: usize) -> (Pool, Term) {
    let named = |(name, prototype, native): &(&str, &str, Native)| Declared {
        name: (*name).into(),
        prototype: (*prototype).into(),
        native: *native,
    };
    // SAFETY: functions of this program, which only compute.
    let library = unsafe { Library::new(declared.iter().map(named).collect(), Box::new(())) };
    let mut pool = Pool::with_library(Arc::new(library));
    let mut variables = Variables::default();
    let id = variables.intern(Variable { name: "arg.x".into(), width: 8, kind: ValueKind::Unsigned, default: 0 });
    let x = pool.var(&variables, id);
    let number = (LIBRARY.len() + number) as u64;
    let float = pool.make(Shape::new(Op::UToF, 64), &[x]);
    let call = pool.make(Shape { op: Op::Call, aux: 0, width: 64, imm: number }, &[float]);
    let wanted = pool.bits(64, u128::from(0.3f64.to_bits()));
    let goal = pool.make(Shape::new(Op::FEq, 1), &[call, wanted]);
    (pool, goal)
}

#[test]
fn nogoods_of_declared_calls_mean_the_function_whatever_its_number() {
    let halving = ("h", "double h(double)", Native::One64(halved));
    let squaring = ("s", "double s(double)", Native::One64(squared));
    let (pool, goal) = impossible(&[halving], 0);
    let mut first =
        Solver::new(Config { tiers: TierSet::of(&[TierName::Cache, TierName::Enumerate]), ..Config::default() });
    let answer = solve(&mut first, &pool, &[], goal, &Input::default());
    assert_eq!(answer, Answer::Unsat { tier: TierLabel("enumerate") });
    let nogoods = Arc::new(first.found_nogoods().clone());
    assert_eq!(nogoods.iter().count(), 1);
    let known = |declared: &[(&str, &str, Native)], number| {
        let (pool, goal) = impossible(declared, number);
        let mut solver = Solver::new(Config { tiers: TierSet::of(&[TierName::Cache]), ..Config::default() });
        solver.use_nogoods(Arc::clone(&nogoods));
        matches!(solve(&mut solver, &pool, &[], goal, &Input::default()), Answer::Unsat { .. })
    };
    assert!(known(&[squaring, halving], 1), "declared second, it is the same function");
    assert!(!known(&[squaring, halving], 0), "the number alone says nothing");
    assert!(!known(&[("h", "float h(float)", Native::One64(halved))], 0), "another function of that name");
}
