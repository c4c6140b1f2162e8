//! Alarms on made-up inputs → what their callers say: from each caller the same violation is looked for, and from where it is shown on
//! upward, to `main` or to what a library offers.
//!
//! ```text
//! f: alarm ──callers──▶ b: shown ──callers──▶ a1: refuted, a2: shown ──callers──▶ main: shown, natively too: confirmed
//! ```
//!
//! A caller is explored once for all alarms below it, starting from a run that gets near. The levels share the time: each has half of
//! what is left, so that one that is hopeless leaves some for the others.

use super::callers::Callers;
use super::judgement::Judgement;
use super::sought::{self, Sought, can_be_sought};
use super::testimony::Testimonies;
use crate::explore::Explorer;
use crate::job::{Budget, Config, First, Goals, Inputs, Job};
use crate::outcome::Outcome;
use crate::rounds::{Attempt, Rounds};
use covet_budget::Deadline;
use covet_explore::{StrategyName, Until};
use covet_project::{Entry, Prepared, entries};
use covet_results::{Alarm, Record, Test};
use covet_sites::{Counter, FunctionNumber};
use covet_source::Visibility;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Calls upward from the function that raised an alarm.
const MOST_LEVELS: usize = 12;
/// Of the time that is left, the part of a level.
const PART: f64 = 0.5;
/// Ways to an alarm that a caller is led along, and to all.
const MOST_WAYS: usize = 3;
const MOST_LED: usize = 60;
/// Inputs that a caller is tried with at most: what it takes more for is not decided.
const MOST_ITERATIONS: u64 = 10_000;

/// Who asks callers.
pub struct Contexts<'c> {
    pub explorer: &'c Explorer<'c>,
    /// Those that raised the alarms: callers are explored in the same manner.
    pub jobs: &'c [Job],
    pub threads: usize,
    /// Until when.
    pub deadline: Deadline,
    /// What is only known not to happen on the paths that were explored is refuted, as published.
    pub believes_explored: bool,
    /// The names of functions that a library offers.
    pub offered: &'c BTreeSet<&'c str>,
    /// The structures that only the library can fill.
    pub hidden: &'c BTreeSet<String>,
    /// The functions on the calling contexts of those that raised an alarm; all there are where there are none.
    pub on_contexts: &'c dyn Fn(&BTreeSet<FunctionNumber>) -> Option<BTreeSet<FunctionNumber>>,
}

impl Contexts<'_> {
    /// Asks the callers, and makes the alarms of `record` say what came of it.
    pub fn judge(&self, mut said: Testimonies, record: &mut Record) {
        if record.alarms.is_empty() {
            return;
        }
        let mut callers = Callers::of(self.explorer.prepared, self.offered);
        for at in 0..record.alarms.len() {
            let context = (self.on_contexts)(&said.showing(at));
            context.into_iter().for_each(|context| callers.narrow(at, context));
        }
        let mut asked = 0;
        for level in 0..MOST_LEVELS {
            let wanted = self.wanted(&callers, &said, &record.alarms);
            if wanted.is_empty() || self.deadline.is_over() {
                break;
            }
            asked += wanted.len();
            let with_job = |(caller, alarms): (FunctionNumber, Vec<usize>)| {
                let job = self.job(caller, &alarms, &said, record)?;
                Some(((caller, alarms), job))
            };
            let (wanted, jobs): (Vec<_>, Vec<Job>) = wanted.into_iter().filter_map(with_job).unzip();
            let outcomes = self.explore(&jobs);
            for ((caller, alarms), outcome) in wanted.iter().zip(&outcomes) {
                said.ask(*caller, alarms, &record.alarms, outcome.as_ref(), level);
            }
        }
        tracing::info!(asked, alarms = record.alarms.len(), "callers asked");
        Judgement {
            map: &self.explorer.prepared.map,
            callers: &callers,
            said: &said,
            hidden: self.hidden,
            unseen: &unseen(self.explorer.prepared),
            believes_explored: self.believes_explored,
        }
        .tell(record);
    }

    /// The callers to be asked next, each with the alarms it is asked about: those of what it calls, and whatever else lies below.
    fn wanted(&self, callers: &Callers, said: &Testimonies, alarms: &[Alarm]) -> Vec<(FunctionNumber, Vec<usize>)> {
        let is_open = |at: &usize| can_be_sought(alarms[*at].kind) && !self.is_settled(callers, said, *at);
        let open: BTreeMap<usize, BTreeSet<FunctionNumber>> =
            (0..alarms.len()).filter(is_open).map(|at| (at, said.showing(at))).collect();
        let mut next: BTreeMap<FunctionNumber, BTreeSet<usize>> = BTreeMap::new();
        for (at, showing) in &open {
            for caller in showing.iter().flat_map(|callee| callers.callers(*callee, *at).functions) {
                // A whole program is asked for itself, in all its environments.
                if !said.is_known(caller, *at) && !callers.is_whole_program(caller) {
                    next.entry(caller).or_default().insert(*at);
                }
            }
        }
        for (caller, wanted) in &mut next {
            let below = callers.below(*caller);
            let is_below = |(at, showing): &(&usize, &BTreeSet<FunctionNumber>)| {
                !said.is_known(*caller, **at) && callers.may_call(*caller, **at) && !below.is_disjoint(showing)
            };
            wanted.extend(open.iter().filter(is_below).map(|(at, _)| *at));
        }
        let mut next: Vec<(FunctionNumber, Vec<usize>)> =
            next.into_iter().map(|(caller, wanted)| (caller, wanted.into_iter().collect())).collect();
        // Those first whose alarms need no guess, and many of them.
        let promise = |wanted: &[usize]| wanted.iter().filter(|at| alarms[**at].assumptions.is_empty()).count();
        next.sort_by_key(|(caller, wanted)| (std::cmp::Reverse(promise(wanted)), *caller));
        next
    }

    /// Whether an alarm is shown from outside without a guess: no caller can say more.
    fn is_settled(&self, callers: &Callers, said: &Testimonies, alarm: usize) -> bool {
        let is_outside = |entry: &FunctionNumber| {
            let needs_nothing = said.shown(*entry, alarm).is_some_and(|shown| shown.alarm.assumptions.is_empty());
            needs_nothing && callers.is_outside(*entry)
        };
        said.showing(alarm).iter().any(is_outside)
    }

    /// The exploration of a caller that looks for these alarms.
    fn job(&self, caller: FunctionNumber, alarms: &[usize], said: &Testimonies, record: &Record) -> Option<Job> {
        let prepared = self.explorer.prepared;
        let entry = entries::all(prepared).find(|entry| entry.number == caller)?;
        let id = prepared.id_of(entry);
        let own = self.jobs.iter().find(|job| job.entry == id);
        let like = own.or(self.jobs.first())?;
        let inputs = match own {
            Some(own) => own.inputs.clone(),
            None => Inputs { sizes: Vec::new(), ..like.inputs.clone() },
        };
        let inputs = Inputs { allocations: sought::allocations(alarms, record), ..inputs };
        let callees: BTreeSet<FunctionNumber> = alarms.iter().flat_map(|at| said.showing(*at)).collect();
        let map = &prepared.map;
        let entered: Vec<Counter> = callees.iter().map(|callee| map.functions[callee.index()].counter_start).collect();
        let first = nearest(&record.tests, entry, &entered).map_or(First::Zeros, |test| First::Test(Box::new(test)));
        let iterations = like.budget.iterations.map_or(MOST_ITERATIONS, |most| most.min(MOST_ITERATIONS));
        Some(Job {
            entry: id,
            goals: Goals::default(),
            is_whole: true,
            sought: self.all_sought(caller, alarms, said, record),
            states: Vec::new(),
            environment: like.environment.clone(),
            inputs,
            budget: Budget { iterations: Some(iterations), time: like.budget.time / 2 },
            seed: like.seed,
            config: Config { strategy: StrategyName::Auto, until: Until::Exhausted, first, ..like.config.clone() },
        })
    }

    /// Alarms, by the ways of those that show them, as far as these are not too many to be laid beside each run.
    fn all_sought(&self, caller: FunctionNumber, alarms: &[usize], said: &Testimonies, record: &Record) -> Vec<Sought> {
        let mut sought: Vec<Sought> = alarms.iter().flat_map(|at| self.sought(caller, *at, said, record)).collect();
        sought.iter_mut().skip(MOST_LED).for_each(|sought| sought.way.clear());
        sought
    }

    /// An alarm, by the ways of those that show it.
    fn sought(&self, caller: FunctionNumber, alarm: usize, said: &Testimonies, record: &Record) -> Vec<Sought> {
        let through = record.alarms[alarm].stack.last().map(|frame| frame.function.clone());
        let shown = said.showing(alarm).into_iter().filter(|entry| *entry != caller);
        let shown = shown.filter_map(|entry| said.shown(entry, alarm));
        let mut sought: Vec<Sought> = shown.map(|shown| Sought::with_way(&shown.alarm)).take(MOST_WAYS).collect();
        if sought.is_empty() {
            sought.push(Sought::of(&record.alarms[alarm]));
        }
        sought.iter_mut().for_each(|sought| sought.through = through.clone());
        sought
    }

    /// What became of each job, as far as anything did.
    fn explore(&self, jobs: &[Job]) -> Vec<Option<Outcome>> {
        let end = self.deadline.part(PART);
        let until = || end.clone();
        let threads = self.threads.clamp(1, jobs.len().max(1));
        let rounds = Rounds { explorer: self.explorer, jobs, journal: None, until: &until, threads, sink: &() };
        let outcome = |attempt| match attempt {
            Attempt::Done(outcome) => Some(*outcome),
            Attempt::NotBegun | Attempt::Failed(..) => None,
        };
        rounds.explore().into_iter().map(outcome).collect()
    }
}

/// The names of functions that no other program can call: hidden by their visibility.
fn unseen(prepared: &Prepared) -> BTreeSet<&str> {
    let functions = prepared.program.units.iter().flat_map(|unit| &unit.model.functions);
    let unseen = functions.filter(|function| function.visibility == Visibility::Hidden);
    unseen.map(|function| function.name.as_str()).collect()
}

/// The smallest test of an entry that gets to one of the functions that begin with these counters.
fn nearest(tests: &[Test], entry: Entry<'_>, entered: &[Counter]) -> Option<Test> {
    let is_own = |test: &&Test| test.function == entry.function.name && Path::new(&test.file) == entry.function.file;
    let is_near = |test: &&Test| entered.iter().any(|counter| test.covers.binary_search(counter).is_ok());
    tests.iter().filter(is_own).filter(is_near).min_by_key(|test| covet_suite::minimal::size(test)).cloned()
}
