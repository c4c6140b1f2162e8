//! A finished run becomes knowledge: coverage, its place in the tree, whether it went where it was sent.

use crate::edges::Direction;
use crate::engine::Exploration;
use crate::execution::Execution;
use crate::patience::is_too_long;
use crate::state::{Decision, Explored, Flip, RunNumber};
use covet_abi::event::{Kind, is_growth_site};
use covet_abi::termination::Termination;
use covet_coverage::Gain;
use covet_input::Input;
use covet_path::{Condition, PathCondition};
use covet_sites::{SiteMap, SiteNumber};
use std::sync::Arc;

/// An input to run, and why.
pub(crate) struct Attempt {
    pub input: Input,
    pub flip: Option<Flip>,
    pub speculative: bool,
    /// Of one that is made once more, since something came after its patience had ended.
    pub patience: Option<u32>,
    /// The run whose path it is meant to take, with values that show more.
    pub varies: Option<RunNumber>,
    /// It is that of another run with long texts: worth keeping only if it gets farther.
    pub lengthens: bool,
}

impl Attempt {
    /// A seed input: nobody solved for it.
    pub fn seed(input: Input) -> Attempt {
        Attempt { input, flip: None, speculative: false, patience: None, varies: None, lengthens: false }
    }
}

/// What a run brought.
pub(crate) struct Merged {
    pub arrived: bool,
    pub is_new_path: bool,
    pub gain: Gain,
}

impl Exploration {
    /// Enters a run into the state; it is held there as run `number`.
    pub(crate) fn take_in(&mut self, number: RunNumber, attempt: Attempt, execution: &Execution) -> Merged {
        self.count(execution);
        let counts = says_something(execution.termination);
        let mut gain = Gain::default();
        if counts {
            gain = self.state.cover(number, &execution.covered, &execution.vectors);
        } else {
            self.state.goals.see(&execution.covered);
        }
        if let Some(flip) = attempt.flip.filter(|_| is_abandoned(execution)) {
            self.state.abandon(flip.to);
        }
        let (path, map) = (&execution.path, Arc::clone(&self.state.map));
        let (decisions, placed) = self.state.place(path.len(), steps_of(path, &map));
        gain.goals += if counts { self.state.meet_violations(number, &decisions) } else { 0 };
        let arrived = attempt.flip.is_none_or(|flip| self.went_to(flip, &decisions, execution.termination));
        if !arrived && !execution.is_truncated {
            tracing::info!(
                run = number.0,
                at = attempt.flip.map(|flip| self.state.told(flip)),
                speculative = attempt.speculative,
                input = self.state.told_input(&attempt.input),
                "not where it was sent"
            );
            self.figures.speculations += u64::from(attempt.speculative);
            self.figures.divergences += u64::from(!attempt.speculative);
        }
        // What this run did not use keeps the value it was given, for the runs that use it.
        let input = attempt.input.with(&execution.input);
        let is_too_deep = self.state.bounds.max_depth.is_some_and(|depth| decisions.len() > depth);
        self.figures.too_deep += u64::from(is_too_deep);
        // A seed input may be that of an evicted run, which is there again with all that was open on it.
        let fresh = if attempt.flip.is_some() { placed.shared } else { 0 };
        let (new_goals, parent) = (gain.goals, attempt.flip);
        let asked = if execution.is_cut || execution.is_stalled { 0 } else { execution.asked };
        let reached = execution.covered.len() as u32;
        self.state.hold(Explored { number, input, decisions, fresh, new_goals, reached, parent, asked });
        Merged { arrived, is_new_path: placed.is_new && counts, gain }
    }

    fn count(&mut self, execution: &Execution) {
        // One that stalled is made once more, if it can be.
        let is_truncated = execution.is_truncated && !execution.is_stalled || is_too_long(execution);
        self.figures.truncated += u64::from(is_truncated || execution.is_capped);
        self.figures.cut += u64::from(execution.is_cut && !execution.is_capped);
        self.figures.bounded += u64::from(execution.is_bounded);
        self.figures.timeouts += u64::from(execution.termination == Termination::TimedOut);
        let is_lost = matches!(execution.termination, Termination::WorkerLost | Termination::OutOfMemory);
        self.figures.lost += u64::from(is_lost);
        self.figures.abandoned += u64::from(is_abandoned(execution));
        for (reason, count) in &execution.concretised {
            *self.figures.concretised.entry(reason).or_default() += count;
        }
    }

    /// The run passed the flipped point and took the direction wanted there.
    fn went_to(&self, flip: Flip, decisions: &[Decision], termination: Termination) -> bool {
        let at = flip.decision as usize;
        let Some(old) = self.state.run(flip.run).map(|run| run.decisions[at]) else { return true };
        if is_growth_site(self.state.edges.get(flip.to).site.0) {
            // An object that is long enough leaves no trace.
            return decisions.get(at).is_none_or(|new| new.point == old.point);
        }
        let Some(new) = decisions.get(at) else {
            // A fault that was asked for may end the run before it is noted.
            let asked_for_fault = matches!(self.state.edges.get(flip.to).direction, Direction::Check(_, true));
            return asked_for_fault && decisions.len() == at && termination == Termination::Signalled;
        };
        let wanted = match self.state.edges.get(flip.to).direction {
            Direction::Elsewhere(_) => new.edge != old.edge,
            Direction::Number(_)
            | Direction::Target(_)
            | Direction::Object(_)
            | Direction::Check(..)
            | Direction::Assumption(_) => new.edge == flip.to,
        };
        new.point == old.point && wanted
    }
}

/// Whether an assumption of the program did not hold. (One about the length of the input's objects is ours, and is made good by the next run.)
fn is_abandoned(execution: &Execution) -> bool {
    let is_ours = execution.path.conditions.last().is_some_and(|last| is_growth_site(last.site.0));
    execution.termination == Termination::AssumptionFailed && !is_ours
}

/// The decisions of a path as steps of the tree: site, direction, number of the condition.
pub(crate) fn steps_of<'a>(
    path: &'a PathCondition,
    map: &'a SiteMap,
) -> impl Iterator<Item = (SiteNumber, Direction, u32)> + use<'a> {
    let step = |(number, condition): (usize, &Condition)| {
        direction_of(condition, map).map(|direction| (condition.site, direction, number as u32))
    };
    path.conditions.iter().enumerate().filter_map(step)
}

/// What the condition decided; none for conditions that only follow from others.
pub(crate) fn direction_of(condition: &Condition, map: &SiteMap) -> Option<Direction> {
    match condition.kind {
        Kind::Branch => Some(Direction::Number(u32::from(condition.taken))),
        Kind::Switch => Some(Direction::Number(case_number(condition, map))),
        Kind::Target => Some(Direction::Target(condition.value)),
        Kind::Check => Some(Direction::Check(condition.detail, condition.taken)),
        Kind::Assume => Some(Direction::Assumption(condition.taken)),
        Kind::Follow if condition.taken => Some(Direction::Target(condition.value)),
        Kind::Follow => Some(Direction::Object(condition.value)),
        Kind::Bounds | Kind::Concretise => None,
    }
}

/// 0 for the default, otherwise the position of the case from 1.
fn case_number(condition: &Condition, map: &SiteMap) -> u32 {
    let cases = map.sites.get(condition.site.index()).map_or(&[][..], |site| &site.cases);
    cases.iter().position(|case| *case == condition.value).map_or(0, |at| at as u32 + 1)
}

/// Whether coverage of a run that ended so counts.
pub(crate) fn says_something(termination: Termination) -> bool {
    match termination {
        Termination::Returned
        | Termination::Exited
        | Termination::Signalled
        | Termination::Aborted
        | Termination::AssertFailed
        | Termination::ErrorReached
        | Termination::StackOverflow
        | Termination::TimedOut
        | Termination::OutOfMemory
        | Termination::WorkerLost
        | Termination::Violated => true,
        Termination::AssumptionFailed => false,
    }
}
