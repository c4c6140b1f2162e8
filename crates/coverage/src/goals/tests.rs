//! Goals of small programs, and what runs meet of them.

use super::*;
use crate::testing::small_program;
use covet_sites::{ConditionInfo, Conditions, Next};

fn counters(of: &[u32]) -> Vec<Counter> {
    of.iter().copied().map(Counter).collect()
}

const F: FunctionNumber = FunctionNumber(0);
const G: FunctionNumber = FunctionNumber(1);
const H: FunctionNumber = FunctionNumber(2);

#[test]
fn functions_give_outcomes_of_their_own_and_of_what_they_call() {
    let map = small_program();
    let mut goals = GoalSet::of(&map, &[F], Criterion::Branch);
    assert_eq!(goals.open().collect::<Vec<_>>(), [1, 2, 4, 5].map(|counter| Goal::Branch(Counter(counter))));
    assert_eq!(goals.cover(&map, 0, &counters(&[0, 1])), Gain { goals: 1, counters: 2 });
    assert_eq!(goals.cover(&map, 1, &counters(&[0, 1])), Gain::default());
    assert_eq!(goals.cover(&map, 2, &counters(&[0, 2])), Gain { goals: 1, counters: 1 });
    assert!(goals.required_is_met() && !goals.is_met());
    assert_eq!(goals.by_function()[&G], Count { covered: 0, total: 2 });
    assert_eq!(goals.iter().nth(1), Some((Goal::Branch(Counter(2)), Some(2))));
    assert!(goals.wants(Counter(4)) && !goals.wants(Counter(1)) && !goals.wants(Counter(900)));
    assert_eq!(goals.targets().collect::<Vec<_>>(), [4, 5].map(|counter| Target::Edge(Counter(counter))));
}

#[test]
fn a_function_entered_through_a_pointer_is_taken_in() {
    let map = small_program();
    let mut goals = GoalSet::of(&map, &[G], Criterion::Branch);
    assert_eq!(goals.count().total, 2);
    assert_eq!(goals.cover(&map, 0, &counters(&[3, 4, 6, 7])), Gain { goals: 2, counters: 4 });
    assert_eq!(goals.count(), Count { covered: 2, total: 4 });
    assert_eq!(goals.by_function()[&H], Count { covered: 1, total: 2 });
    assert!(!goals.required_is_met());
}

#[test]
fn a_line_is_covered_by_any_way_to_it() {
    let map = small_program();
    let mut goals = GoalSet::of(&map, &[F], Criterion::Statement);
    let own = [2, 3, 4].map(|line| Goal::Line(F, line));
    assert_eq!(goals.open().take(3).collect::<Vec<_>>(), own);
    // Line 4 follows line 3 and can be had without it.
    assert!(goals.wants(Counter(1)) && goals.wants(Counter(2)));
    assert_eq!(goals.cover(&map, 0, &counters(&[0, 2])).goals, 2);
    assert!(goals.wants(Counter(1)), "line 3");
    assert_eq!(goals.cover(&map, 1, &counters(&[0, 1])).goals, 1);
    assert!(!goals.wants(Counter(1)) && goals.required_is_met());
    assert_eq!(goals.by_kind(), BTreeMap::from([(GoalKind::Line, Count { covered: 3, total: 6 })]));
    assert_eq!(goals.targets().next(), Some(Target::Block(G, 0)));
}

#[test]
fn halves_are_covered_when_their_pair_is() {
    // `a && b` in F, its conditions decided by the only site of F.
    let condition = |if_true| ConditionInfo {
        line: 2,
        column: 1,
        tests: vec![covet_sites::Test { site: SiteNumber(0), is_true_on: true }],
        if_true,
        if_false: Next::Outcome(false),
    };
    let mut map = small_program();
    map.decisions.push(DecisionInfo {
        number: DecisionNumber(0),
        function: F,
        file: "f.c".into(),
        line: 2,
        column: 1,
        conditions: Conditions(vec![condition(Next::Condition(1)), condition(Next::Outcome(true))]),
        vectors: Some(VectorNumber(0)),
    });
    let mut goals = GoalSet::of(&map, &[F], Criterion::Mcdc);
    assert_eq!(goals.by_kind()[&GoalKind::Half], Count { covered: 0, total: 4 });
    assert_eq!(goals.evaluate(&map, 0, &[VectorNumber(0)]), 0, "F- F alone shows nothing");
    let half = |condition, outcome| Half { decision: DecisionNumber(0), condition, outcome };
    let missing = goals.evaluated().completing(&map, half(0, true));
    assert_eq!(missing.iter().map(ToString::to_string).collect::<Vec<_>>(), ["TT T"]);
    assert_eq!(goals.evaluate(&map, 1, &[VectorNumber(2)]), 2, "F- F and TT T: both halves of a");
    assert_eq!(goals.evaluate(&map, 2, &[VectorNumber(1), VectorNumber(2)]), 2, "TF F and TT T: both of b");
    assert_eq!(goals.by_kind()[&GoalKind::Half].covered, 4);
    let named = Goal::Half(half(1, false)).id(&map, &map.ids()).unwrap();
    let text = serde_json::to_string(&named).unwrap();
    assert_eq!(serde_json::from_str::<GoalId>(&text).unwrap().find(&map, &map.ids()), Some(Goal::Half(half(1, false))));
}

#[test]
fn goals_of_all_kinds_by_name() {
    let map = small_program();
    let given = [Goal::Branch(Counter(4)), Goal::Line(F, 3), Goal::Violation(SiteNumber(0), Check::DivisionByZero)];
    let ids = map.ids();
    let names: Vec<_> = given.iter().map(|goal| goal.id(&map, &ids).unwrap()).collect();
    let mut goals = GoalSet::named(&map, &names).unwrap();
    assert_eq!(goals.open().collect::<Vec<_>>(), given);
    let places = [Target::Edge(Counter(4)), Target::Block(F, 1), Target::Within(F, 0)];
    assert_eq!(goals.targets().collect::<Vec<_>>(), places);
    assert!(goals.violate(7, SiteNumber(0), Check::DivisionByZero));
    assert!(!goals.violate(8, SiteNumber(0), Check::DivisionByZero));
    assert!(!goals.violate(8, SiteNumber(0), Check::OutOfBounds));
    assert_eq!(goals.iter().last(), Some((given[2], Some(7))));
    assert_eq!(goals.cover(&map, 9, &counters(&[0, 1, 3, 4])).goals, 2);
    assert!(goals.is_met());
    assert!(GoalSet::only(&map, [Goal::Line(F, 99)]).is_err());
    assert!(GoalSet::only(&map, [Goal::Branch(Counter(0))]).is_err(), "the entry is no outcome");
}
