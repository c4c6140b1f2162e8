//! What an exploration tells: events while it goes on, a report when it stops.

use crate::execution::Execution;
use covet_coverage::GoalSet;
use covet_expr::Pool;
use covet_expr::query::Unknown;
use covet_input::{Input, Variables};
use std::collections::BTreeMap;
use std::time::Duration;

/// Why an exploration stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// No path is left to try.
    Exhausted,
    /// No path is left to try, but not all is known about those tried: [`Figures::incomplete`] says why.
    Incomplete,
    /// Every goal is covered.
    Covered,
    /// Every required goal is covered, and nothing else was sought.
    Reached,
    Time,
    Iterations,
    Interrupted,
}

impl Stopped {
    pub const fn text(self) -> &'static str {
        match self {
            Stopped::Exhausted => "exhausted",
            Stopped::Incomplete => "incomplete",
            Stopped::Covered => "covered",
            Stopped::Reached => "reached",
            Stopped::Time => "time",
            Stopped::Iterations => "iterations",
            Stopped::Interrupted => "interrupted",
        }
    }
}

/// Counters of an exploration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Runs of the program, for whatever purpose.
    pub executions: u64,
    /// Runs of the first and of solved inputs, as the IPPC paper counts them.
    pub iterations: u64,
    /// Distinct paths.
    pub paths: u64,
    /// Runs that did not go where their input was made to go.
    pub divergences: u64,
    /// The same, for inputs that drop a concretization constraint: expected now and then.
    pub speculations: u64,
    /// Runs whose outcome was a time-out.
    pub timeouts: u64,
    /// Runs abandoned because an assumption did not hold.
    pub abandoned: u64,
    /// Runs in which symbolic tracking stopped early, or that were ended because they asked for more inputs than a run may have.
    pub truncated: u64,
    /// Runs that went on asking for inputs without anything new and were ended there.
    pub cut: u64,
    /// Runs that came to where the limits of inputs (depths, lengths) have ended what was built for them.
    pub bounded: u64,
    /// Runs that ended in a way nobody could tell, or out of memory.
    pub lost: u64,
    /// Runs with decisions too deep to be flipped.
    pub too_deep: u64,
    /// Inputs that could not be kept for want of memory, and the stop that it led to.
    pub shed: u64,
    /// Goals that only abandoned runs have been to.
    pub seen: u64,
    /// What keeps "no path is left" from meaning "every path was tried", and how often.
    pub incomplete: BTreeMap<&'static str, u64>,
    /// Uses of symbolic values as plain ones, by reason.
    pub concretised: BTreeMap<&'static str, u64>,
    /// Flips that the solver gave up on, by reason and tier.
    pub unknown: BTreeMap<Unknown, u64>,
    /// Decisions still open when it stopped.
    pub open_goals: u64,
}

/// The end of an exploration.
#[derive(Clone, Debug)]
pub struct Report {
    pub stopped: Stopped,
    pub figures: Figures,
    pub elapsed: Duration,
    /// What was wanted, and which run brought it.
    pub goals: GoalSet,
}

/// Something a reporter may want to show or keep.
pub enum Event<'a> {
    /// A run was made.
    Ran(Ran<'a>),
    /// A question was put to the solver.
    Asked { figures: &'a Figures, solving: Duration },
}

/// A run and what it brought.
pub struct Ran<'a> {
    pub execution: &'a Execution,
    /// The input it was given: also the values the run did not use.
    pub given: &'a Input,
    pub variables: &'a Variables,
    /// What the terms of its path are in.
    pub pool: &'a Pool,
    /// Position among the runs of this exploration.
    pub number: u32,
    /// The run whose path it was to take with other values.
    pub varies: Option<u32>,
    /// Its path had not been seen.
    pub is_new_path: bool,
    /// Goals that no run before had covered.
    pub new_goals: usize,
    /// Counters of any kind that no run before had bumped.
    pub new_counters: usize,
    pub figures: &'a Figures,
    pub covered_goals: usize,
    pub all_goals: usize,
}
