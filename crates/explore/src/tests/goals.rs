//! Goals other than branches, and explorations that end as soon as they have them.

use super::*;
use crate::Until;
use covet_abi::check::Check;
use covet_coverage::{Count, Goal};
use covet_sites::{Counter, SiteKind, SiteNumber};

const SOLVING: [StrategyName; 5] =
    [StrategyName::Dfs, StrategyName::RandomBranch, StrategyName::Cfg, StrategyName::Generational, StrategyName::Auto];

/// Four tests in a row, each with a line of its own for equality (10, 11, ...) on the way to the next.
fn with_lines() -> Arc<SiteMap> {
    let mut map = (*flat_map(4)).clone();
    let blocks = &mut map.functions[0].blocks;
    for at in 0..4 {
        let line =
            covet_sites::BlockInfo { lines: vec![10 + at], ..covet_sites::testing::block(&[(at + 1, None)], &[]) };
        blocks.push(line);
        blocks[at as usize].successors[1].block = 5 + at;
    }
    Arc::new(map)
}

#[test]
fn lines_are_covered_where_outcomes_are_left_open() {
    let map = with_lines();
    let variables = integers(&["a", "b", "c", "d"]);
    let mut tens = Input::default();
    variables.iter().for_each(|(id, _)| tens.set(id, 10));
    let goals = GoalSet::of(&map, &[FunctionNumber(0)], Criterion::Statement);
    let config = |first| Config {
        goals: goals.clone(),
        until: Until::Reached,
        first: vec![first],
        ..config(StrategyName::Auto, &map)
    };
    // All lines at once, whatever becomes of the other outcomes.
    let told = tell(config(tens), &map, variables.clone(), 1, four_tests);
    assert_eq!((told.report.stopped, told.report.figures.executions), (Stopped::Reached, 1));
    assert_eq!(told.report.goals.count(), Count { covered: 4, total: 4 });
    let told = tell(config(Input::default()), &map, variables, 1, four_tests);
    assert_eq!((told.report.stopped, told.report.figures.open_goals), (Stopped::Reached, 0));
    assert!(told.report.figures.executions <= 5, "{:?}", told.inputs);
}

#[test]
fn one_line_is_reached_by_every_strategy_and_nothing_more_is_run() {
    let map = with_lines();
    let goals = GoalSet::only(&map, [Goal::Line(FunctionNumber(0), 13)]).unwrap();
    for strategy in SOLVING {
        let reach = Config { goals: goals.clone(), until: Until::Reached, ..config(strategy, &map) };
        let told = tell(reach, &map, integers(&["a", "b", "c", "d"]), 1, four_tests);
        assert_eq!(told.report.stopped, Stopped::Reached, "{strategy}");
        assert_eq!(told.inputs.last().unwrap()[3], 10, "{strategy}");
        let last = told.inputs.len() as u32 - 1;
        assert_eq!(told.report.goals.iter().collect::<Vec<_>>(), [(Goal::Line(FunctionNumber(0), 13), Some(last))]);
    }
    // The nearest way there is one flip.
    let cfg = Config { goals, until: Until::Reached, ..config(StrategyName::Auto, &map) };
    assert_eq!(tell(cfg, &map, integers(&["a", "b", "c", "d"]), 1, four_tests).inputs.len(), 2);
}

#[test]
fn what_cannot_be_reached_is_sought_until_nothing_is_left() {
    let map = flat_map(1);
    let body = |tracer: &mut Tracer<'_>| {
        let (a, odd) = (tracer.var("a"), tracer.constant(12345));
        let equal = tracer.pool.eq(a, odd);
        tracer.branch(0, equal);
        Termination::Returned
    };
    for strategy in SOLVING {
        let goals = GoalSet::only(&map, [Goal::Branch(Counter(2))]).unwrap();
        let reach = Config { goals, until: Until::Reached, ..config(strategy, &map) };
        let told = tell(reach, &map, integers(&["a"]), 1, body);
        assert_eq!((told.report.stopped, told.report.figures.open_goals), (Stopped::Exhausted, 1), "{strategy}");
    }
}

/// Where `a` is 10, there is a division by `b - 77`.
fn divides(tracer: &mut Tracer<'_>) -> Termination {
    let (a, b, ten, bad) = (tracer.var("a"), tracer.var("b"), tracer.constant(10), tracer.constant(77));
    let is_ten = tracer.pool.eq(a, ten);
    if tracer.branch(0, is_ten) {
        let violation = tracer.pool.eq(b, bad);
        if tracer.check(1, violation) {
            return Termination::Violated;
        }
    }
    Termination::Returned
}

#[test]
fn a_violation_is_a_goal_like_any_other() {
    let mut map = (*flat_map(2)).clone();
    (map.sites[1].kind, map.sites[1].outcomes) = (SiteKind::Check, 0);
    let map = Arc::new(map);
    let wanted = Goal::Violation(SiteNumber(1), Check::DivisionByZero);
    for strategy in SOLVING {
        let goals = GoalSet::only(&map, [wanted]).unwrap();
        let reach = Config { goals, until: Until::Reached, ..config(strategy, &map) };
        let told = tell(reach, &map, integers(&["a", "b"]), 1, divides);
        assert_eq!(told.report.stopped, Stopped::Reached, "{strategy}");
        assert_eq!(told.inputs, [[0, 0], [10, 0], [10, 77]], "{strategy}");
        assert_eq!(told.report.goals.iter().next(), Some((wanted, Some(2))));
    }
    // Another check at that site is another goal.
    let goals = GoalSet::only(&map, [Goal::Violation(SiteNumber(1), Check::OutOfBounds)]).unwrap();
    let reach = Config { goals, until: Until::Reached, ..config(StrategyName::Auto, &map) };
    assert_eq!(tell(reach, &map, integers(&["a", "b"]), 1, divides).report.stopped, Stopped::Exhausted);
}

#[test]
fn goals_of_functions_end_as_soon_as_the_required_ones_are_covered() {
    let map = flat_map(4);
    let reach = Config { until: Until::Reached, ..config(StrategyName::Auto, &map) };
    let told = tell(reach, &map, integers(&["a", "b", "c", "d"]), 1, four_tests);
    assert_eq!((told.report.stopped, told.report.figures.open_goals), (Stopped::Reached, 0));
    let covered = tell(config(StrategyName::Auto, &map), &map, integers(&["a", "b", "c", "d"]), 1, four_tests);
    assert!(told.inputs.len() < covered.inputs.len());
    // Runs that only show more of a path are made for tests, not on the way to a goal.
    let mut all = covered.inputs.iter();
    assert!(told.inputs.iter().all(|input| all.any(|other| other == input)), "the same way, as far as it goes");
}
