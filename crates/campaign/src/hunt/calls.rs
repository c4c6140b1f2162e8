//! Call profiles → what a hunt knows about calls: those that the user gives, or what exploring the program's own entries shows.
//!
//! Where no system test was recorded, runs that begin in `main`, in a fuzz harness or in a function that others can call are the next best thing:
//! their inputs are made up, but what is between there and a function is the program.

use super::{Hunt, UnitChoice};
use crate::explore::Explorer;
use crate::job::{Budget, Environment, Job};
use covet_budget::Deadline;
use covet_explore::Progress;
use covet_profile::{Calls, Profile, Relevance, State};
use covet_project::{Entry, Failure, Prepared, entries};
use covet_sites::FunctionNumber;
use std::collections::BTreeSet;
use std::time::Duration;

/// What is known about calls of the program.
pub struct KnownCalls {
    profile: Profile,
    calls: Calls,
    /// What a person should know about where it comes from.
    pub notes: Vec<String>,
}

/// For each entry that is explored to see calls.
const ITERATIONS: u64 = 200;
const SECONDS: Duration = Duration::from_secs(5);
/// Of the time for exploring that there is, for all of them.
const SHARE: f64 = 0.1;
/// What a program finds around it: two arguments, and something to read.
const ARGUMENTS: [u64; 2] = [8, 8];
const STDIN: u64 = 32;

impl KnownCalls {
    /// What recorded profiles say.
    pub fn recorded(hunt: &Hunt, prepared: &Prepared) -> Result<KnownCalls, Failure> {
        let mut profile = Profile::default();
        for file in &hunt.profiles {
            let read = Profile::read(file).map_err(|error| Failure::User(error.to_string()))?;
            profile.merge(&read);
        }
        let calls = Calls::of(&profile, &prepared.map);
        let mut notes = Vec::new();
        if !profile.is_empty() && calls.run_count() > 0 && !has_any(&calls, prepared) {
            notes.push("none of the functions in the profile is one of this program".to_string());
        }
        Ok(KnownCalls { profile, calls, notes })
    }

    /// What Covet's own runs show, where units are to be built from dependencies and nobody has recorded any.
    pub fn or_explored(self, hunt: &Hunt, explorer: &Explorer<'_>, like: &Job, deadline: &Deadline) -> KnownCalls {
        let needs_runs = hunt.unit == UnitChoice::Conbrio && hunt.profiles.is_empty();
        if !needs_runs {
            return self;
        }
        let deadline = deadline.part(SHARE);
        let mut profile = Profile::default();
        let mut explored = 0;
        for entry in outer(explorer.prepared) {
            if deadline.is_over() {
                break;
            }
            // What cannot be explored says so where it is explored for its own sake.
            explored += usize::from(explore(explorer, entry, like, &deadline, &mut profile).is_ok());
        }
        let calls = Calls::of(&profile, &explorer.prepared.map);
        let (runs, entries) = (profile.run_count(), plural(explored, "entry", "entries"));
        let note = format!(
            "no profile: dependencies are those of {runs} runs of Covet's own from {entries}; record system tests with `covet profile`"
        );
        KnownCalls { profile, calls, notes: vec![note] }
    }

    /// Whom a function depends on, its extended unit and its calling contexts.
    pub fn relevance(&self, function: FunctionNumber, tau: f64) -> Relevance {
        Relevance::of(function, &self.calls, tau)
    }

    /// The functions on the calling contexts of any of these functions, where a hunt goes by published contexts.
    pub fn on_contexts(&self, hunt: &Hunt, functions: &BTreeSet<FunctionNumber>) -> Option<BTreeSet<FunctionNumber>> {
        let of = |function: &FunctionNumber| self.relevance(*function, hunt.tau).contexts.all.into_iter().flatten();
        (hunt.unit == UnitChoice::Conbrio).then(|| functions.iter().flat_map(of).collect())
    }

    /// The calls themselves: in the source, and in every run.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// States that calls of a function were seen to begin in.
    pub fn states(&self, function: FunctionNumber) -> Vec<State> {
        self.calls.seen(&self.profile, function).flat_map(|seen| seen.states.iter().cloned()).collect()
    }
}

fn has_any(calls: &Calls, prepared: &Prepared) -> bool {
    prepared.map.functions.iter().any(|function| calls.is_called(function.number))
}

/// Where the program is entered from outside: `main` or a harness, and what other programs can call.
fn outer(prepared: &Prepared) -> Vec<Entry<'_>> {
    let mut outer: Vec<Entry<'_>> = entries::program(prepared).into_iter().collect();
    let exported = |entry: &Entry<'_>| entry.function.in_main_file && !entry.function.is_static;
    let others: Vec<_> = entries::all(prepared).filter(exported).collect();
    for entry in others {
        if !outer.iter().any(|known| known.number == entry.number) {
            outer.push(entry);
        }
    }
    outer
}

fn explore(
    explorer: &Explorer<'_>,
    entry: Entry<'_>,
    like: &Job,
    deadline: &Deadline,
    profile: &mut Profile,
) -> Result<(), Failure> {
    let job = Job {
        environment: Environment { stdin: Some(STDIN), arguments: ARGUMENTS.to_vec(), ..Environment::default() },
        budget: Budget { time: SECONDS, iterations: Some(ITERATIONS) },
        inputs: like.inputs.clone(),
        seed: like.seed,
        config: like.config.clone(),
        ..Job::new(explorer.prepared.id_of(entry))
    };
    let mut underway = explorer.begin(&job)?;
    underway.log_calls();
    while let Progress::Paused = underway.advance(deadline, deadline, &mut |_| {})? {}
    underway.calls().iter().for_each(|calls| calls.join(&explorer.prepared.ids, profile));
    Ok(())
}

fn plural(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("one {one}") } else { format!("{count} {many}") }
}
