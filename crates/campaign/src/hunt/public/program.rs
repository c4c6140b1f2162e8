//! Alarms of a program's functions → runs of `main` that show them: arguments, standard input and the files that the program names are input.

use crate::explore::Explorer;
use crate::hunt::sought::{self, Sought, can_be_sought};
use crate::job::{Budget, Config, Environment, Globals, Goals, Inputs, Job, Scope};
use crate::outcome::Outcome;
use crate::seeds;
use covet_budget::Deadline;
use covet_compile::CompiledUnit;
use covet_project::{self as project, Failure, HARNESS, Prepared, entries};
use covet_results::{Alarm, Frame, Record, Told, Verdict};
use covet_sites::FunctionNumber;
use covet_sites::cfg::CallGraph;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Runs of `main` in one environment; where a command has a time, that decides.
const ITERATIONS: u64 = 1500;
const ITERATIONS_IN_TIME: u64 = 50_000;
/// What is left is divided by so much at most: the first environments, which are the most usual, have more of it.
const PARTS: u32 = 3;
/// Environments in which runs go from examples to all that is new, whatever is sought.
const LOOKING_AROUND: usize = 2;

/// Looks for runs of each `main` (or fuzz harness), in these environments one after the other, that show the alarms of a record. An alarm that one shows is told by it; its test is one of `main`.
/// Without a deadline it takes no longer than `patience`.
pub fn from_main(
    explorer: &Explorer<'_>,
    like: &Job,
    environments: &[Environment],
    deadline: &Deadline,
    patience: Duration,
    record: &mut Record,
) -> Result<(), Failure> {
    let prepared = explorer.prepared;
    let is_whole = |entry: &project::Entry<'_>| matches!(entry.function.name.as_str(), "main" | HARNESS);
    let calls = CallGraph::of(&prepared.map);
    let programs: Vec<Program<'_>> = entries::all(prepared)
        .filter(|entry| is_whole(entry) && is_of_these_files(prepared, entry))
        .map(|entry| {
            let below = calls.reachable([entry.number]);
            let name = |number: &FunctionNumber| prepared.map.functions[number.index()].name.as_str();
            Program { entry, below: below.iter().map(name).collect() }
        })
        .collect();
    let mut worth: BTreeMap<FunctionNumber, Vec<Vec<u8>>> = BTreeMap::new();
    // All programs have a turn in the first environment before one has its second.
    let turns: Vec<(&Environment, &Program<'_>)> = (environments.iter())
        .flat_map(|environment| programs.iter().map(move |program| (environment, program)))
        .collect();
    let begun = Instant::now();
    for (turn, (environment, program)) in turns.iter().enumerate() {
        let sought = program.sought(&record.alarms);
        if deadline.is_over() {
            break;
        }
        if sought.is_empty() {
            continue;
        }
        let part = ((turns.len() - turn) as u32).min(PARTS);
        // Who has most of it below has most of the time.
        let most = programs.iter().map(|program| program.sought(&record.alarms).len()).max().unwrap_or(1).max(1);
        let weighed = |time: Duration| (time / part).mul_f64(sought.len() as f64 / most as f64);
        let share = deadline.left().map(weighed);
        let of_patience = weighed(patience.saturating_sub(begun.elapsed()));
        let iterations = if share.is_some() { ITERATIONS_IN_TIME } else { ITERATIONS };
        let job = Job {
            sought: sought.iter().map(|at| Sought::with_way(&record.alarms[*at])).collect(),
            goals: Goals { scope: Scope::Program, ..Goals::default() },
            environment: (*environment).clone(),
            inputs: Inputs {
                globals: Globals::Initial,
                allocations: sought::allocations(&sought, record),
                ..Inputs::default()
            },
            budget: Budget { time: share.unwrap_or(of_patience), iterations: Some(iterations) },
            seed: like.seed,
            config: Config { workers: 1, ..like.config.clone() },
            ..Job::new(prepared.id_of(program.entry))
        };
        let seeds = match worth.entry(program.entry.number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(seeds::worth(explorer, &job)?),
        };
        let mut job = Job { environment: environment.holding(seeds), ..job };
        if !seeds.is_empty() && turn < LOOKING_AROUND * programs.len() {
            // What is sought may take another option than the example's first run: what is near to that run does not lead there.
            job.sought.clear();
        }
        let outcome = explorer.explore(&job)?;
        let counters = &outcome.function.counters;
        tracing::info!(
            sought = sought.len(),
            seconds = outcome.function.seconds,
            runs = counters.executions,
            branches = counters.branches.covered,
            alarms = ?outcome.alarms.iter().map(|alarm| (&alarm.function, alarm.line)).collect::<Vec<_>>(),
            "a whole program was explored"
        );
        adopt(outcome, turn, record);
    }
    Ok(())
}

/// Whether a program is made of the files beside its own: one that defines what they define too is built without some of them, or with other
/// macros, and what it does here says nothing.
fn is_of_these_files(prepared: &Prepared, entry: &project::Entry<'_>) -> bool {
    let units = &prepared.program.units;
    let is_own = |unit: &&CompiledUnit| unit.model.functions.iter().any(|own| std::ptr::eq(own, entry.function));
    let is_shared = |unit: &&CompiledUnit| unit.model.function("main").is_none_or(|main| !main.has_body);
    let defines = |unit: &CompiledUnit, symbol: &str| {
        let mut functions = unit.model.functions.iter().filter(|own| own.has_body && !own.is_static);
        let mut globals = unit.model.globals.iter().filter(|own| own.is_defined && !own.is_static);
        functions.any(|own| own.symbol == symbol) || globals.any(|own| own.symbol == symbol)
    };
    let is_theirs = |symbol: &String| units.iter().filter(is_shared).any(|unit| defines(unit, symbol));
    !units.iter().find(is_own).is_some_and(|unit| unit.private.iter().any(is_theirs))
}

/// A whole program.
struct Program<'a> {
    entry: project::Entry<'a>,
    /// The names of the functions that it gets to by calls by name.
    below: BTreeSet<&'a str>,
}

impl Program<'_> {
    /// The alarms, by number, that it may show and nobody has shown from outside yet.
    fn sought(&self, alarms: &[Alarm]) -> Vec<usize> {
        let is_open = |alarm: &Alarm| {
            let is_outside = |frame: &Frame| matches!(frame.function.as_str(), "main" | HARNESS);
            alarm.verdict != Verdict::Filtered && !alarm.stack.last().is_some_and(is_outside)
        };
        let is_below = |alarm: &Alarm| {
            let entered = alarm.stack.last().map_or(&alarm.function, |frame| &frame.function);
            self.below.contains(entered.as_str()) || self.below.contains(alarm.function.as_str())
        };
        (0..alarms.len()).filter(|at| is_open(&alarms[*at]) && is_below(&alarms[*at])).collect()
    }
}

/// Takes over what a program has shown in its turn: alarms that are known, and others.
fn adopt(outcome: Outcome, turn: usize, record: &mut Record) {
    for mut test in outcome.tests {
        let Some(alarm) = test.alarm.and_then(|alarm| outcome.alarms.get(alarm)) else { continue };
        if !alarm.assumptions.is_empty() {
            continue;
        }
        let known = record.alarms.iter().position(|known| Sought::of(known).is(alarm));
        // Of functions that nobody asked about, nothing is told.
        let is_wanted = record.functions.iter().any(|function| function.name == alarm.function);
        if known.is_none() && !(is_wanted && can_be_sought(alarm.kind)) {
            continue;
        }
        let at = known.unwrap_or_else(|| {
            record.alarms.push(alarm.clone());
            record.alarms.len() - 1
        });
        // Runs of other environments, and of another `main`, have the same numbers.
        let id = format!("{}@{turn}", test.id);
        if alarm.test.as_ref() == Some(&test.id) {
            let reason = Some(format!("a run from `{}` gets there", test.function));
            let told = Told { reason, ..alarm.told.clone() };
            record.alarms[at] = Alarm { told, test: Some(id.clone()), ..alarm.clone() };
        }
        (test.id, test.alarm) = (id, Some(at));
        record.tests.push(test);
    }
}
