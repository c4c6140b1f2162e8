//! The outcome of a job, as plain data: what was found, what it cost, what a person should know.

use crate::alarms;
use covet_coverage::Summary;
use covet_explore::Report;
use covet_results::{Alarm, Counters, FunctionResult, Record, SolverCounters, Stopped, Test, TierCounters};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub function: FunctionResult,
    /// Runs worth keeping, by provisional ids; [`Test::alarm`] counts the alarms here.
    pub tests: Vec<Test>,
    pub alarms: Vec<Alarm>,
    pub notes: Vec<String>,
}

impl Outcome {
    /// Adds this to what others have found: alarms of several units become one, tests keep pointing at theirs. Gives the place of each of its
    /// alarms among all.
    pub fn join(self, record: &mut Record) -> Vec<usize> {
        let Outcome { function, mut tests, alarms, notes } = self;
        let places = alarms::add(&mut record.alarms, alarms);
        for test in &mut tests {
            test.alarm = test.alarm.map(|alarm| places[alarm]);
        }
        record.tests.append(&mut tests);
        for note in notes {
            let note = format!("{}: {note}", function.name);
            if !record.notes.contains(&note) {
                record.notes.push(note);
            }
        }
        record.stopped = function.stopped.map(|now| overall(record.stopped, now)).or(record.stopped);
        record.functions.push(function);
        places
    }
}

/// Of two reasons to stop, the one that says more was left undone.
fn overall(before: Option<Stopped>, now: Stopped) -> Stopped {
    // In the order of the enumeration; exhausted paths may leave branches that nothing can reach.
    before.map_or(now, |before| before.max(now))
}

/// Why an exploration stopped, as results tell it.
pub fn stopped(stopped: covet_explore::Stopped) -> Stopped {
    match stopped {
        covet_explore::Stopped::Exhausted => Stopped::Exhausted,
        covet_explore::Stopped::Incomplete => Stopped::Incomplete,
        covet_explore::Stopped::Covered => Stopped::Covered,
        covet_explore::Stopped::Reached => Stopped::Reached,
        covet_explore::Stopped::Time => Stopped::Time,
        covet_explore::Stopped::Iterations => Stopped::Iterations,
        covet_explore::Stopped::Interrupted => Stopped::Interrupted,
    }
}

/// What an exploration reported, what its solvers counted and what it covered, as one list of counters.
pub fn counters(report: Report, solver: &covet_solve::Statistics, coverage: Summary) -> Counters {
    let figures = report.figures;
    Counters {
        executions: figures.executions,
        iterations: figures.iterations,
        paths: figures.paths,
        timeouts: figures.timeouts,
        divergences: figures.divergences,
        speculations: figures.speculations,
        abandoned: figures.abandoned,
        truncated: figures.truncated,
        cut: figures.cut,
        seen: figures.seen,
        incomplete: figures.incomplete.into_iter().map(|(reason, count)| (reason.to_string(), count)).collect(),
        open_goals: figures.open_goals,
        statements: coverage.statements,
        branches: coverage.branches,
        solver: solver_counters(solver),
        concretised: figures.concretised.into_iter().map(|(reason, count)| (reason.to_string(), count)).collect(),
        ..Counters::default()
    }
}

fn solver_counters(statistics: &covet_solve::Statistics) -> SolverCounters {
    let tier = |(name, tier): (&covet_solve::TierName, &covet_solve::TierStatistics)| {
        let counters = TierCounters {
            asked: tier.asked,
            answered: tier.answered(),
            sat: tier.sat,
            unsat: tier.unsat,
            seconds: tier.seconds,
        };
        (name.text().to_string(), counters)
    };
    SolverCounters {
        calls: statistics.calls,
        mean_constraints: statistics.mean_constraints(),
        max_constraints: statistics.max_constraints,
        sat: statistics.sat,
        unsat: statistics.unsat,
        unknown: statistics.unknown,
        seconds: statistics.seconds,
        smt_calls: statistics.smt_calls,
        tiers: statistics.tiers.iter().map(tier).collect(),
    }
}
