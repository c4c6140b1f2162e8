//! Flips become queries, and queries go to the solvers: number `k` always to solver `k` modulo their count, so answers do
//! not depend on timing.

use crate::edges::{Direction, Edges};
use crate::execution::Solver;
use crate::merge::steps_of;
use crate::state::{Flip, RunNumber, State};
use crate::tree::EdgeId;
use covet_expr::query::{Answer, Query, TierLabel, Unknown, UnknownReason};
use covet_expr::{Pool, Term};
use covet_input::{Input, ValueKind, VarId, Variables};
use covet_path::{Condition, PathCondition, differs, equals, none_of};
use covet_sites::SiteMap;
use std::collections::BTreeMap;

/// A run whose conditions are to come out another way, and what gives its sites and variables their meaning.
#[derive(Clone, Copy)]
pub struct BaseRun<'a> {
    pub map: &'a SiteMap,
    pub variables: &'a Variables,
    pub path: &'a PathCondition,
    pub input: &'a Input,
}

/// What is asked to have one condition of a run come out another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlipQuery {
    /// Number of the flipped condition in its path.
    pub condition: usize,
    /// What has to hold instead of it.
    pub goal: Term,
    /// The same, and that the assumption at which the run was abandoned holds.
    pub assumed: Term,
    /// An input that breaks what the run assumes further on will do, if there is no other: on another way that may not be assumed.
    pub may_break: bool,
    /// Asked for too, if it can be had: no pointer of the goal comes to share an object.
    pub unshared: Term,
    /// The same for violations: sizes are such as memory has.
    pub sensible: Term,
    /// States of the program itself to ask for besides, the best first.
    pub states: Vec<Vec<Term>>,
    /// Whether it may also be in another one. Nothing is broken that way: what state the program may be in is a guess.
    pub may_change_state: bool,
}

impl BaseRun<'_> {
    /// The conditions that have another way, after this run alone.
    pub fn flippable(&self) -> Vec<usize> {
        let (edges, decisions) = self.decisions();
        let has_other = |(_, edge): &(usize, EdgeId)| !edges.alternatives(*edge).is_empty();
        decisions.into_iter().filter(has_other).map(|(condition, _)| condition).collect()
    }

    /// The queries for every other way at one condition, after this run alone.
    pub fn queries(&self, pool: &mut Pool, condition: usize) -> Vec<FlipQuery> {
        let (edges, decisions) = self.decisions();
        let taken = decisions.into_iter().find(|(number, _)| *number == condition);
        let others = taken.map_or(&[][..], |(_, edge)| edges.alternatives(edge));
        others.iter().map(|to| self.query(pool, &edges, condition, *to)).collect()
    }

    /// The decisions of the path by number of the condition, with what else could have been decided.
    fn decisions(&self) -> (Edges, Vec<(usize, EdgeId)>) {
        let mut edges = Edges::default();
        let mut decisions = Vec::new();
        for (site, direction, condition) in steps_of(self.path, self.map) {
            let edge = edges.intern(self.map, site, direction);
            edges.prepare(self.map, edge);
            decisions.push((condition as usize, edge));
        }
        (edges, decisions)
    }

    /// What is asked for `to` in place of a condition.
    fn query(&self, pool: &mut Pool, edges: &Edges, condition: usize, to: EdgeId) -> FlipQuery {
        let edge = edges.get(to);
        let old = &self.path.conditions[condition];
        let goal = match edge.direction {
            Direction::Elsewhere(count) => elsewhere(pool, old, edges.targets(edge.site, count)),
            Direction::Number(number) => number_term(pool, self.map, old, number),
            Direction::Target(address) | Direction::Object(address) => equals(pool, old.subject, address),
            Direction::Check(_, true) | Direction::Assumption(true) => old.subject,
            Direction::Check(_, false) | Direction::Assumption(false) => pool.not(old.subject),
        };
        let broken = self.path.broken_assumption().filter(|broken| *broken > condition);
        let assumed = match broken {
            Some(broken) => pool.and(goal, self.path.conditions[broken].subject),
            None => goal,
        };
        let unshared = no_new_alias(pool, self.variables, goal, self.input);
        let is_violation = matches!(edge.direction, Direction::Check(_, true));
        let sensible = if is_violation { sensible(pool, self.variables, goal) } else { Pool::TRUE };
        let (states, may_change_state) = self.states(pool, is_violation);
        FlipQuery { condition, goal, assumed, may_break: true, unshared, sensible, states, may_change_state }
    }

    /// The states that the program itself is to be in: that of this run, and any other if need be. What breaks something is first asked for in
    /// the state that the program starts in; so is everything else once there is nothing more to get to.
    fn states(&self, pool: &mut Pool, from_the_start: bool) -> (Vec<Vec<Term>>, bool) {
        if self.variables.held().is_empty() {
            return (Vec::new(), true);
        }
        let as_it_is = self.state(pool, self.input);
        if !from_the_start {
            return (vec![as_it_is], true);
        }
        let first = self.state(pool, self.variables.first());
        let states = if first == as_it_is { vec![first] } else { vec![first, as_it_is] };
        (states, false)
    }

    /// What is held has these values.
    fn state(&self, pool: &mut Pool, values: &Input) -> Vec<Term> {
        let mut same = |id: &VarId| {
            let value = pool.bits(self.variables.get(*id).width, values.get(*id)?);
            let variable = pool.var(self.variables, *id);
            Some(pool.eq(variable, value))
        };
        self.variables.held().iter().filter_map(&mut same).collect()
    }

    /// Puts a query to a solver, in one state of the program after the other.
    pub fn ask(&self, solver: &mut dyn Solver, pool: &Pool, flip: &FlipQuery, may_share: bool) -> Answer {
        let mut last = None;
        for state in &flip.states {
            let answer = self.ask_assuming(solver, pool, flip, may_share, state);
            if matches!(answer, Answer::Sat { .. }) {
                return answer;
            }
            last = Some(answer);
        }
        match last.filter(|_| !flip.may_change_state) {
            Some(answer) => answer,
            None => self.ask_assuming(solver, pool, flip, may_share, &[]),
        }
    }

    /// What the run assumes further on is asked for along with a query, if it can be had: a run that breaks an assumption says nothing.
    fn ask_assuming(
        &self,
        solver: &mut dyn Solver,
        pool: &Pool,
        flip: &FlipQuery,
        may_share: bool,
        held: &[Term],
    ) -> Answer {
        let later: Vec<Term> = self.path.assumed_after(flip.condition).collect();
        if !later.is_empty() || flip.assumed != flip.goal {
            let kept = [&later[..], held].concat();
            let answer = self.ask_with(solver, pool, flip, flip.assumed, may_share, &kept);
            if matches!(answer, Answer::Sat { .. }) || !flip.may_break {
                return answer;
            }
        }
        self.ask_with(solver, pool, flip, flip.goal, may_share, held)
    }

    /// The goal without the way to it, but for the assumptions on it: what the run decided may be what keeps it from there.
    pub fn ask_relaxed(&self, solver: &mut dyn Solver, pool: &Pool, flip: &FlipQuery) -> Answer {
        let prefix: Vec<Term> = self.path.assumed_before(flip.condition).collect();
        let concretizations = self.path.concretizations(flip.condition);
        solver.solve(pool, &Query { prefix: &prefix, concretizations, goal: flip.goal, base: self.input })
    }

    /// Asks for `goal` and keeps `kept` besides the way there; pointers may share objects only where that is allowed, and only if nothing else helps.
    fn ask_with(
        &self,
        solver: &mut dyn Solver,
        pool: &Pool,
        flip: &FlipQuery,
        goal: Term,
        may_share: bool,
        kept: &[Term],
    ) -> Answer {
        let all: Vec<Term>;
        let prefix = match kept {
            [] => self.path.prefix(flip.condition),
            kept => {
                all = self.path.prefix(flip.condition).iter().chain(kept).copied().collect();
                &all
            }
        };
        let concretizations = self.path.concretizations(flip.condition);
        let query = Query { prefix, concretizations, goal, base: self.input };
        if flip.sensible != Pool::TRUE {
            let narrow: Vec<Term> = prefix.iter().copied().chain([flip.unshared, flip.sensible]).collect();
            let answer = solver.solve(pool, &Query { prefix: &narrow, ..query });
            if matches!(answer, Answer::Sat { .. }) {
                return answer;
            }
        }
        if flip.unshared != Pool::TRUE {
            let narrow: Vec<Term> = prefix.iter().copied().chain([flip.unshared]).collect();
            let answer = solver.solve(pool, &Query { prefix: &narrow, ..query });
            if matches!(answer, Answer::Sat { .. }) || !may_share {
                return answer;
            }
        }
        solver.solve(pool, &query)
    }
}

/// The runs that flips start from.
#[derive(Clone, Copy)]
pub(crate) struct Bases<'a> {
    pub state: &'a State,
    pub paths: &'a BTreeMap<RunNumber, PathCondition>,
}

impl<'a> Bases<'a> {
    pub fn of(self, flip: Flip) -> Option<BaseRun<'a>> {
        let (run, path) = (self.state.run(flip.run)?, self.paths.get(&flip.run)?);
        let State { map, variables, .. } = self.state;
        Some(BaseRun { map, variables, path, input: &run.input })
    }

    /// The queries of `flips`, in order.
    pub fn queries(self, pool: &mut Pool, flips: &[Flip]) -> Vec<(Flip, FlipQuery)> {
        let mut queries = Vec::with_capacity(flips.len());
        for &flip in flips {
            let (Some(run), Some(base)) = (self.state.run(flip.run), self.of(flip)) else { continue };
            let condition = run.decisions[flip.decision as usize].condition as usize;
            let mut query = base.query(pool, &self.state.edges, condition, flip.to);
            query.may_break = self.state.may_break_assumptions(flip.to);
            if query.may_change_state && self.state.goals_met() {
                (query.states, query.may_change_state) = base.states(pool, true);
                query.states.truncate(1);
            }
            queries.push((flip, query));
        }
        queries
    }

    /// Asks all queries, each solver on its own thread when there are several.
    pub fn ask<'s>(
        self,
        solvers: &mut [Box<dyn Solver + 's>],
        pool: &Pool,
        queries: &[(Flip, FlipQuery)],
    ) -> Vec<Answer> {
        let answer = |solver: &mut Box<dyn Solver + 's>, (flip, query): &(Flip, FlipQuery)| match self.of(*flip) {
            Some(base) => base.ask(&mut **solver, pool, query, self.state.may_share(flip.to)),
            None => Answer::Unknown(FAILED),
        };
        let threads = solvers.len();
        if threads <= 1 || queries.len() <= 1 {
            return queries.iter().enumerate().map(|(at, query)| answer(&mut solvers[at % threads], query)).collect();
        }
        let mut answers = vec![Answer::Unknown(FAILED); queries.len()];
        std::thread::scope(|scope| {
            let answer = &answer;
            let handles: Vec<_> = (solvers.iter_mut().enumerate())
                .map(|(number, solver)| {
                    scope.spawn(move || {
                        let mine = (number..queries.len()).step_by(threads);
                        mine.map(|at| (at, answer(solver, &queries[at]))).collect::<Vec<_>>()
                    })
                })
                .collect();
            for handle in handles {
                // A solver that panicked has answered nothing.
                for (at, found) in handle.join().unwrap_or_default() {
                    answers[at] = found;
                }
            }
        });
        answers
    }
}

/// The answer of a solver that gave none.
const FAILED: Unknown = Unknown { reason: UnknownReason::Failed, tier: TierLabel::NONE };

/// Pointers of the goal that are NULL or point at an object of their own stay so: a shared object, and with it a cycle, is for
/// goals that cannot be had otherwise.
fn no_new_alias(pool: &mut Pool, variables: &Variables, goal: Term, base: &Input) -> Term {
    const OWN: u128 = 1;
    let is_choice = |id: &VarId| {
        let variable = variables.get(*id);
        variable.kind == ValueKind::Pointer && (2..=4).contains(&variable.width)
    };
    let pointers: Vec<VarId> = pool.variables(goal).iter().filter(is_choice).collect();
    let mut none_shared = Pool::TRUE;
    for id in pointers {
        if base.get(id).unwrap_or(u128::from(variables.get(id).default)) <= OWN {
            let (pointer, own) = (pool.var(variables, id), pool.bits(variables.get(id).width, OWN));
            let unshared = pool.ule(pointer, own);
            none_shared = pool.and(none_shared, unshared);
        }
    }
    none_shared
}

/// Sizes of the goal are no larger than memory: what needs more than that is a guess, so it is asked for only if nothing else helps.
fn sensible(pool: &mut Pool, variables: &Variables, goal: Term) -> Term {
    const LARGE: u128 = 1 << 32;
    let is_size = |id: &VarId| {
        let variable = variables.get(*id);
        variable.kind == ValueKind::Unsigned && variable.width == 64
    };
    let sizes: Vec<VarId> = pool.variables(goal).iter().filter(is_size).collect();
    let mut all = Pool::TRUE;
    for id in sizes {
        let (size, large) = (pool.var(variables, id), pool.bits(64, LARGE));
        let is_sensible = pool.ule(size, large);
        all = pool.and(all, is_sensible);
    }
    all
}

/// The target differs from this run's and from all of `seen`.
fn elsewhere(pool: &mut Pool, condition: &Condition, seen: &[u64]) -> Term {
    let mut term = pool.not(condition.term);
    for &address in seen {
        let other = differs(pool, condition.subject, address);
        term = pool.and(term, other);
    }
    term
}

/// A branch goes the other way; a switch goes to the case of this number (from 1), or to none of all.
fn number_term(pool: &mut Pool, map: &SiteMap, condition: &Condition, number: u32) -> Term {
    let cases: &[u64] = map.sites.get(condition.site.index()).map_or(&[], |site| &site.cases);
    if cases.is_empty() {
        return pool.not(condition.term);
    }
    match number.checked_sub(1).and_then(|at| cases.get(at as usize)) {
        Some(&case) => equals(pool, condition.subject, case),
        None => none_of(pool, condition.subject, cases),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::integers;
    use covet_abi::event::Kind;
    use covet_sites::testing::{block, function, program};
    use covet_sites::{SiteKind, SiteNumber};

    fn condition(kind: Kind, site: u32, subject: Term, term: Term, value: u64) -> Condition {
        Condition { term, subject, kind, taken: true, detail: 0, site: SiteNumber(site), value, event: 0, asked: 0 }
    }

    /// Writes down what it is asked.
    #[derive(Default)]
    struct Listener {
        asked: Vec<(usize, usize, Term)>,
    }

    impl Solver for Listener {
        fn solve(&mut self, _pool: &Pool, query: &Query<'_>) -> Answer {
            self.asked.push((query.prefix.len(), query.concretizations.len(), query.goal));
            Answer::Unsat { tier: TierLabel::NONE }
        }
    }

    #[test]
    fn every_other_way_is_a_query_that_keeps_what_lies_before() {
        let mut map = program(vec![function(0, 0, vec![block(&[], &[])])], &[(0, 0, 1), (0, 0, 3)]);
        map.sites[1].kind = SiteKind::Switch;
        (map.sites[1].outcomes, map.sites[1].cases) = (3, vec![4, 7]);
        let variables = integers(&["x", "y"]);
        let mut pool = Pool::new();
        let (x, y) = (pool.var(&variables, VarId(0)), pool.var(&variables, VarId(1)));
        let (less, is_five) = (pool.slt(x, y), equals(&mut pool, y, 5));
        let is_four = equals(&mut pool, x, 4);
        let path = PathCondition::from_conditions(vec![
            condition(Kind::Branch, 0, less, less, 0),
            condition(Kind::Concretise, 0, is_five, is_five, 0),
            condition(Kind::Switch, 1, x, is_four, 4),
            condition(Kind::Target, 2, y, is_five, 5),
        ]);
        let input = Input::default();
        let run = BaseRun { map: &map, variables: &variables, path: &path, input: &input };
        assert_eq!(run.flippable(), [0, 2, 3]);
        let goals = |pool: &mut Pool, at| run.queries(pool, at).iter().map(|flip| flip.goal).collect::<Vec<_>>();
        assert_eq!(goals(&mut pool, 0), [pool.not(less)]);
        assert_eq!(goals(&mut pool, 1), []);
        let (is_seven, neither) = (equals(&mut pool, x, 7), none_of(&mut pool, x, &[4, 7]));
        assert_eq!(goals(&mut pool, 2), [is_seven, neither]);
        let flip = run.queries(&mut pool, 3).remove(0);
        let mut listener = Listener::default();
        run.ask(&mut listener, &pool, &flip, true);
        assert_eq!(listener.asked, [(2, 1, pool.not(is_five))]);
    }
}
