//! The loop on made-up programs: the paper's example, exhaustion by every strategy, budgets, assumptions, checks, repeatability.

mod goals;

use crate::testing::{MadeUp, SmallNumbers, Tracer, flat_map, integers};
use crate::{Config, Event, Exploration, Parties, Progress, Report, Stopped, StrategyName};
use covet_abi::termination::Termination;
use covet_budget::{Deadline, Memory};
use covet_coverage::{Criterion, GoalSet};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_sites::{FunctionNumber, SiteMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn config(strategy: StrategyName, map: &SiteMap) -> Config {
    Config {
        strategy,
        seed: 1,
        iterations: Some(500),
        max_depth: None,
        until: crate::Until::Covered,
        goals: GoalSet::of(map, &[FunctionNumber(0)], Criterion::Branch),
        first: vec![Input::default()],
        max_inputs: 1000,
        texts: crate::Texts::default(),
        ways: Vec::new(),
    }
}

struct Told {
    report: Report,
    inputs: Vec<Vec<i32>>,
    sizes: Vec<usize>,
    crashes: usize,
}

fn tell(
    config: Config,
    map: &Arc<SiteMap>,
    variables: Variables,
    jobs: usize,
    body: impl FnMut(&mut Tracer<'_>) -> Termination,
) -> Told {
    tell_in_turns(config, map, variables, jobs, body, || Deadline::default().within(Duration::from_secs(20)))
}

/// Goes on after every pause, with a new deadline.
fn tell_in_turns(
    config: Config,
    map: &Arc<SiteMap>,
    variables: Variables,
    jobs: usize,
    body: impl FnMut(&mut Tracer<'_>) -> Termination,
    deadline: impl Fn() -> Deadline,
) -> Told {
    let sizes = Arc::new(Mutex::new(vec![]));
    let mut program = MadeUp::new(map, body);
    let mut solvers: Vec<Box<dyn crate::Solver>> =
        (0..jobs).map(|_| Box::new(SmallNumbers { sizes: Arc::clone(&sizes) }) as Box<dyn crate::Solver>).collect();
    let mut crashes = 0;
    let mut listener = |event: Event<'_>| match event {
        Event::Ran(ran) => crashes += usize::from(ran.execution.termination == Termination::Signalled),
        Event::Asked { .. } => {}
    };
    let mut exploration = Exploration::new(config, Arc::clone(map), variables, Pool::new());
    let stopped = loop {
        let parties = Parties {
            executor: &mut program,
            solvers: &mut solvers,
            listener: &mut listener,
            memory: &Memory::default(),
        };
        if let Progress::Ended(stopped) = exploration.advance(parties, &deadline()).unwrap() {
            break stopped;
        }
    };
    let report = exploration.finish(stopped);
    let sizes = sizes.lock().unwrap().clone();
    Told { report, inputs: program.inputs, sizes, crashes }
}

fn is_sorted(tracer: &mut Tracer<'_>) -> Termination {
    let (a, b, c) = (tracer.var("a"), tracer.var("b"), tracer.var("c"));
    let in_order = [tracer.pool.sle(a, b), tracer.pool.sle(a, c), tracer.pool.sle(b, c)];
    for (site, term) in in_order.into_iter().enumerate() {
        if !tracer.branch(site as u32, term) {
            break;
        }
    }
    Termination::Returned
}

#[test]
fn depth_first_search_asks_the_questions_of_the_papers_second_figure() {
    let map = flat_map(3);
    let told = tell(config(StrategyName::Dfs, &map), &map, integers(&["a", "b", "c"]), 1, is_sorted);
    assert_eq!(told.sizes, [3, 2, 1]);
    assert_eq!(told.report.stopped, Stopped::Exhausted);
    assert_eq!((told.report.figures.iterations, told.report.figures.paths), (4, 4));
    assert_eq!(told.inputs[0], [0, 0, 0]);
}

/// Sixteen paths: four independent tests.
fn four_tests(tracer: &mut Tracer<'_>) -> Termination {
    for (site, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let (variable, ten) = (tracer.var(name), tracer.constant(10));
        let term = tracer.pool.eq(variable, ten);
        tracer.branch(site as u32, term);
    }
    Termination::Returned
}

#[test]
fn every_solving_strategy_ends() {
    let map = flat_map(4);
    let names = ["a", "b", "c", "d"];
    for strategy in StrategyName::ALL {
        let told = tell(config(strategy, &map), &map, integers(&names), 1, four_tests);
        let Report { stopped, figures, .. } = &told.report;
        match strategy {
            StrategyName::Dfs
            | StrategyName::BoundedDfs
            | StrategyName::RandomBranch
            | StrategyName::Cfg
            | StrategyName::Generational => {
                assert_eq!((*stopped, figures.paths), (Stopped::Exhausted, 16), "{strategy}");
                assert_eq!(figures.executions, 16, "{strategy}");
            }
            StrategyName::Auto => {
                assert_eq!(*stopped, Stopped::Covered);
                // Further paths are tried, and there are no more.
                assert_eq!(figures.paths, 16);
            }
            StrategyName::RandomInput => assert_eq!(*stopped, Stopped::Iterations),
        }
        assert_eq!(figures.divergences, 0);
    }
}

#[test]
fn a_depth_bound_leaves_deeper_decisions_alone() {
    let map = flat_map(4);
    let bounded = Config { max_depth: Some(2), ..config(StrategyName::BoundedDfs, &map) };
    let told = tell(bounded, &map, integers(&["a", "b", "c", "d"]), 1, four_tests);
    assert_eq!((told.report.figures.paths, told.report.stopped), (4, Stopped::Incomplete));
    assert_eq!(told.report.figures.incomplete.keys().collect::<Vec<_>>(), [&"depth"]);
}

#[test]
fn budgets_stop_the_loop() {
    let map = flat_map(4);
    let few = Config { iterations: Some(3), ..config(StrategyName::Dfs, &map) };
    let told = tell(few, &map, integers(&["a", "b", "c", "d"]), 1, four_tests);
    assert_eq!((told.report.stopped, told.report.figures.iterations), (Stopped::Iterations, 3));
    let mut late = Exploration::new(config(StrategyName::Dfs, &map), Arc::clone(&map), integers(&["a"]), Pool::new());
    let mut program = MadeUp::new(&map, |_| panic!("there is no time"));
    let parties =
        Parties { executor: &mut program, solvers: &mut [], listener: &mut |_| {}, memory: &Memory::default() };
    assert_eq!(late.advance(parties, &Deadline::default().within(Duration::ZERO)).unwrap(), Progress::Paused);
}

#[test]
fn an_exploration_in_turns_is_the_same_as_one_at_a_stretch() {
    let map = flat_map(4);
    for (strategy, jobs) in StrategyName::ALL.into_iter().flat_map(|strategy| [(strategy, 1), (strategy, 3)]) {
        let (config, variables) = (config(strategy, &map), integers(&["a", "b", "c", "d"]));
        let whole = tell(config.clone(), &map, variables.clone(), jobs, four_tests);
        // Over at once, now and then.
        let turn = std::cell::Cell::new(0_u32);
        let short = || {
            turn.set(turn.get() + 1);
            Deadline::default().within(Duration::from_micros(u64::from(turn.get() % 3)))
        };
        let parts = tell_in_turns(config, &map, variables, jobs, four_tests, short);
        assert_eq!((&whole.inputs, &whole.sizes.len()), (&parts.inputs, &parts.sizes.len()), "{strategy}");
        assert_eq!((whole.report.stopped, whole.report.figures), (parts.report.stopped, parts.report.figures));
    }
}

#[test]
fn the_same_seed_gives_the_same_runs_and_solvers_in_parallel_agree() {
    let map = flat_map(4);
    for strategy in StrategyName::ALL {
        let run = |jobs| tell(config(strategy, &map), &map, integers(&["a", "b", "c", "d"]), jobs, four_tests);
        assert_eq!(run(1).inputs, run(1).inputs, "{strategy}");
        let (one, three) = (run(1), run(3));
        assert_eq!(run(3).inputs, three.inputs, "{strategy}");
        assert_eq!(one.report.stopped, three.report.stopped, "{strategy}");
    }
}

/// Assumes `a > 0`, which the first input violates; then one branch.
#[test]
fn a_failed_assumption_is_met_and_its_run_covers_nothing() {
    let map = flat_map(1);
    let body = |tracer: &mut Tracer<'_>| {
        let (a, zero, ten) = (tracer.var("a"), tracer.constant(0), tracer.constant(10));
        let positive = tracer.pool.slt(zero, a);
        if !tracer.assume(positive) {
            return Termination::AssumptionFailed;
        }
        let is_ten = tracer.pool.eq(a, ten);
        tracer.branch(0, is_ten);
        Termination::Returned
    };
    for strategy in [StrategyName::Auto, StrategyName::Dfs, StrategyName::Cfg, StrategyName::Generational] {
        let told = tell(config(strategy, &map), &map, integers(&["a"]), 1, body);
        assert_eq!(told.inputs, [[0], [1], [10]], "{strategy}");
        assert_eq!((told.report.figures.abandoned, told.report.figures.divergences), (1, 0));
        assert_eq!(told.report.figures.open_goals, 0);
    }
}

/// Four tests, and then every two variables must be equal: what one run has decided, all others must decide twice.
fn assumed_late(tracer: &mut Tracer<'_>) -> Termination {
    four_tests(tracer);
    for (left, right) in [("a", "b"), ("c", "d")] {
        let (left, right) = (tracer.var(left), tracer.var(right));
        let same = tracer.pool.eq(left, right);
        if !tracer.assume(same) {
            return Termination::AssumptionFailed;
        }
    }
    Termination::Returned
}

#[test]
fn what_is_assumed_late_is_kept_by_the_questions_before_it() {
    let map = flat_map(4);
    for strategy in [StrategyName::Auto, StrategyName::Dfs, StrategyName::Generational] {
        let told = tell(config(strategy, &map), &map, integers(&["a", "b", "c", "d"]), 1, assumed_late);
        let Report { figures, stopped, .. } = &told.report;
        assert_eq!((figures.open_goals, figures.seen), (0, 0), "{strategy}");
        // Branches that no run past the assumptions has are asked for as well.
        let expected = if strategy == StrategyName::Auto { Stopped::Covered } else { Stopped::Incomplete };
        assert_eq!(*stopped, expected, "{strategy}");
    }
}

#[test]
fn a_broken_assumption_is_got_past_before_anything_else_is_tried() {
    let map = flat_map(4);
    let first: covet_input::Input = [(covet_input::VarId(0), 10), (covet_input::VarId(2), 77)].into_iter().collect();
    for strategy in [StrategyName::Auto, StrategyName::RandomBranch] {
        let config = Config { first: vec![first.clone()], ..config(strategy, &map) };
        let told = tell(config, &map, integers(&["a", "b", "c", "d"]), 1, assumed_late);
        // The run decided a == 10 and b != 10, so that is given up; the other assumption is met on the way.
        assert_eq!(told.inputs[0], [10, 0, 77, 0]);
        assert_eq!(told.inputs[1][..2], [0, 0], "{strategy}");
        assert!(told.inputs[2][2] == told.inputs[2][3], "{strategy}: {:?}", told.inputs);
    }
}

#[test]
fn goals_of_abandoned_runs_are_seen_and_not_covered() {
    let map = flat_map(1);
    let body = |tracer: &mut Tracer<'_>| {
        let (a, ten) = (tracer.var("a"), tracer.constant(10));
        let is_ten = tracer.pool.eq(a, ten);
        tracer.branch(0, is_ten);
        let (same, other) = (tracer.pool.eq(a, a), tracer.pool.not(is_ten));
        tracer.assume(same);
        if tracer.assume(other) { Termination::Returned } else { Termination::AssumptionFailed }
    };
    let told = tell(config(StrategyName::Dfs, &map), &map, integers(&["a"]), 1, body);
    let Report { figures, stopped, .. } = &told.report;
    assert_eq!((*stopped, figures.open_goals, figures.seen), (Stopped::Incomplete, 1, 1));
    assert_eq!(figures.incomplete, [("abandoned", 1)].into());
}

#[test]
fn without_memory_an_exploration_ends_and_says_so() {
    let map = flat_map(4);
    let mut exploration = Exploration::new(
        config(StrategyName::Dfs, &map),
        Arc::clone(&map),
        integers(&["a", "b", "c", "d"]),
        Pool::new(),
    );
    let mut program = MadeUp::new(&map, four_tests);
    let mut solvers: Vec<Box<dyn crate::Solver>> = vec![Box::new(SmallNumbers::default())];
    let memory = Memory::of(1);
    let parties = Parties { executor: &mut program, solvers: &mut solvers, listener: &mut |_| {}, memory: &memory };
    let progress = exploration.advance(parties, &Deadline::default()).unwrap();
    assert_eq!(progress, Progress::Ended(Stopped::Incomplete));
    let Report { figures, stopped, .. } = exploration.finish(Stopped::Incomplete);
    assert_eq!((stopped, figures.executions), (Stopped::Incomplete, 1));
    assert!(figures.incomplete.contains_key("memory"));
}

#[test]
fn what_was_forgotten_is_run_again() {
    let map = flat_map(4);
    let variables = integers(&["a", "b", "c", "d"]);
    let mut exploration = Exploration::new(config(StrategyName::Dfs, &map), Arc::clone(&map), variables, Pool::new());
    let mut program = MadeUp::new(&map, four_tests);
    let mut solvers: Vec<Box<dyn crate::Solver>> = vec![Box::new(SmallNumbers::default())];
    let memory = Memory::default();
    let stopped = loop {
        let parties = Parties { executor: &mut program, solvers: &mut solvers, listener: &mut |_| {}, memory: &memory };
        match exploration.advance(parties, &Deadline::default().within(Duration::from_micros(50))).unwrap() {
            Progress::Paused => exploration.shed(),
            Progress::Ended(stopped) => break stopped,
        }
    };
    let Report { figures, stopped, .. } = exploration.finish(stopped);
    assert_eq!((stopped, figures.paths), (Stopped::Exhausted, 16));
}

/// Divides by `a - 77` twice: asked for at most twice, found, and not asked again.
#[test]
fn a_violation_is_sought_although_every_branch_is_covered() {
    let map = flat_map(1);
    let body = |tracer: &mut Tracer<'_>| {
        let (a, bad) = (tracer.var("a"), tracer.constant(77));
        let violation = tracer.pool.eq(a, bad);
        for _ in 0..2 {
            if tracer.check(500, violation) {
                return Termination::Signalled;
            }
        }
        Termination::Returned
    };
    for strategy in [StrategyName::Auto, StrategyName::Dfs] {
        let told = tell(config(strategy, &map), &map, integers(&["a"]), 1, body);
        assert_eq!(told.crashes, 1, "{strategy}");
        assert!(told.sizes.len() <= 3, "{strategy}: {:?}", told.sizes);
    }
}

#[test]
fn a_run_that_strays_is_counted_and_loses_nothing() {
    let map = flat_map(4);
    let mut runs = 0;
    let body = |tracer: &mut Tracer<'_>| {
        runs += 1;
        if runs == 2 {
            return Termination::Returned;
        }
        four_tests(tracer)
    };
    let told = tell(config(StrategyName::Dfs, &map), &map, integers(&["a", "b", "c", "d"]), 1, body);
    assert_eq!(told.report.figures.divergences, 1);
    // The direction strayed from is not asked for again; everything else is found.
    assert_eq!(told.report.figures.paths, 16);
}

#[test]
fn comparisons_are_tried_where_their_sides_meet() {
    let map = flat_map(1);
    let told = tell(config(StrategyName::Auto, &map), &map, integers(&["x", "y"]), 1, |tracer| {
        let (x, y) = (tracer.var("x"), tracer.var("y"));
        let (product, twenty) = (tracer.pool.mul(x, y), tracer.pool.bits(32, 20));
        let is_less = tracer.pool.slt(product, twenty);
        tracer.branch(0, is_less);
        Termination::Returned
    });
    assert!(told.inputs.iter().any(|input| input[0] * input[1] == 20), "{:?}", told.inputs);
}
