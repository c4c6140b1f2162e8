//! Alarms → tests that use the public interface alone: the library itself makes the objects that lead to the mistake.
//!
//! ```text
//! alarm ─above→ exported functions ─compose→ sequences of calls ─symbolic→ one C file ─Prepared::with→ one more build
//!    ─explore, alarm sought→ a run ─concrete→ a C program ─proof: plain, sanitizers→ confirmed
//! ```

mod compose;
mod concrete;
mod opening;
mod program;
mod proof;
mod sequence;
mod success;
mod symbolic;

pub use program::from_main;

use crate::event::Sink;
use crate::explore::Explorer;
use crate::hunt::Sought;
use crate::job::{Allocations, Budget, Config, Globals, Inputs, Job};
use covet_budget::{Deadline, Memory};
use covet_explore::Progress;
use covet_launch::Bounds;
use covet_project::interface::{Exported, Interface, complaints};
use covet_project::{Failure, Prepared, entries, shipped_headers};
use covet_results::{Alarm, AlarmKind, Record, Step, Test, Verdict};
use covet_scratch::Scratch;
use covet_source::{Translation, Unit};
use proof::{Bench, Proof};
use sequence::Sequence;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What it takes to show alarms from outside.
pub struct Outside<'a> {
    pub prepared: &'a Prepared,
    pub interface: &'a Interface<'a>,
    /// How others were explored.
    pub like: &'a Job,
    /// The output folder.
    pub out: &'a Path,
    pub bounds: &'a Bounds,
    /// Where objects of the project's files are, as far as they were made.
    pub objects: &'a Path,
    pub memory: &'a Memory,
    pub deadline: Deadline,
    /// What it may take where the command has no time.
    pub patience: Duration,
    pub sink: &'a dyn Sink,
}

/// The folder of the tests below the output folder.
const FOLDER: &str = "public";
/// Exported functions that are tried for one alarm, and in all.
const TARGETS_OF_ONE: usize = 3;
const TARGETS: usize = 48;
/// Runs of one sequence; where a command has a time, that decides.
const ITERATIONS: u64 = 800;
const ITERATIONS_IN_TIME: u64 = 20_000;
/// The time of one sequence at least and at most.
const TIMES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(20));

/// Alarms, by number in the record, and the exported functions above each, nearest first.
type Wanted<'i, 'a> = Vec<(usize, Vec<&'i Exported<'a>>)>;

impl Outside<'_> {
    /// Looks for public tests of the alarms of a record that are not confirmed, and makes the record say what came of it.
    pub fn show(&self, record: &mut Record) -> Result<(), Failure> {
        let folder = self.out.join(FOLDER);
        clean(&folder);
        let open = self.open(&record.alarms);
        if open.is_empty() || self.deadline.is_over() {
            return Ok(());
        }
        let interface = self.interface;
        let wanted = self.above(interface, &record.alarms, &open);
        let mut sequences = self.sequences(interface, &record.alarms, &wanted);
        if sequences.is_empty() {
            return Ok(());
        }
        let scratch = Scratch::new().map_err(Failure::machine)?;
        let Some(file) = self.file(interface, scratch.path(), &mut sequences)? else { return Ok(()) };
        let harness = match self.prepared.with(vec![file]) {
            Ok(harness) => harness,
            Err(failure) => {
                record.notes.push(format!("nothing was tried through the public interface: {}", failure.message()));
                return Ok(());
            }
        };
        std::fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let bench = Bench::new(self.prepared, self.bounds.clone(), self.objects, &self.deadline)?;
        let mut explorer = Explorer::new(&harness, &self.deadline, self.sink)?;
        explorer.memory = self.memory.clone();
        let mut search = Search { outside: self, interface, explorer, bench, folder, tried: BTreeMap::new() };
        search.go_through(&sequences, &wanted, record)?;
        search.tell(&wanted, record);
        Ok(())
    }

    /// The alarms to show, the most promising first.
    fn open(&self, alarms: &[Alarm]) -> Vec<usize> {
        let is_open = |alarm: &Alarm| match (alarm.verdict, alarm.kind) {
            _ if alarm.told.is_deliberate => false,
            (Verdict::Confirmed | Verdict::Filtered, _) => false,
            // Whether they show depends on more than the calls.
            (_, AlarmKind::Timeout | AlarmKind::OutOfMemory | AlarmKind::Lost) => false,
            (Verdict::Likely | Verdict::Latent, _) => true,
        };
        let mut open: Vec<usize> = (0..alarms.len()).filter(|at| is_open(&alarms[*at])).collect();
        open.sort_by_key(|at| (alarms[*at].verdict == Verdict::Latent, alarms[*at].assumptions.len()));
        open
    }

    /// The exported functions from which the functions of alarms can be reached.
    fn above<'i, 'a>(&self, interface: &'i Interface<'a>, alarms: &[Alarm], open: &[usize]) -> Wanted<'i, 'a> {
        let units: Vec<&Unit> = self.prepared.program.units.iter().map(|unit| &unit.model).collect();
        // How far below each exported function the others are.
        let mut below: Vec<(&'i Exported<'a>, BTreeMap<&str, usize>)> = Vec::new();
        for exported in interface.functions.iter().filter(|exported| interface.cost_of(exported, None).is_some()) {
            let found = covet_source::reachable(&units, exported.unit, exported.function);
            let mut places = BTreeMap::new();
            for (at, (_, function)) in found.iter().enumerate() {
                places.entry(function.name.as_str()).or_insert(at);
            }
            below.push((exported, places));
        }
        let above = |at: &usize| {
            let name = alarms[*at].function.as_str();
            let mut found: Vec<(usize, &'i Exported<'a>)> =
                below.iter().filter_map(|(exported, places)| Some((*places.get(name)?, *exported))).collect();
            found.sort_by_key(|(distance, exported)| {
                (*distance, interface.cost_of(exported, None), exported.function.line)
            });
            let nearest: Vec<&'i Exported<'a>> =
                found.into_iter().take(TARGETS_OF_ONE).map(|(_, exported)| exported).collect();
            (*at, nearest)
        };
        open.iter().map(above).filter(|(_, targets)| !targets.is_empty()).collect()
    }

    /// Sequences for all that is wanted: those for the most promising alarms first, and of each function the short ones before the long ones.
    fn sequences(&self, interface: &Interface<'_>, alarms: &[Alarm], wanted: &Wanted<'_, '_>) -> Vec<Sequence> {
        let mut targets: Vec<(&Exported<'_>, BTreeSet<String>)> = Vec::new();
        for rank in 0..TARGETS_OF_ONE {
            for (alarm, exported) in wanted.iter().filter_map(|(at, above)| Some((&alarms[*at], *above.get(rank)?))) {
                let matters = self.matters(&alarm.function);
                match targets.iter_mut().find(|(known, _)| known.function.name == exported.function.name) {
                    Some((_, all)) => all.extend(matters),
                    None => targets.push((exported, matters)),
                }
            }
        }
        targets.truncate(TARGETS);
        let mut made: Vec<(usize, Sequence)> = Vec::new();
        for (target, matters) in &targets {
            made.extend(compose::compose(interface, target, matters).into_iter().enumerate());
        }
        made.sort_by_key(|(length, _)| *length);
        let named = |(number, (_, sequence)): (usize, (usize, Sequence))| Sequence {
            name: format!("{PREFIX}{}", number + 1),
            ..sequence
        };
        made.into_iter().enumerate().map(named).collect()
    }

    /// The function of an alarm, and the members that it names.
    fn matters(&self, function: &str) -> BTreeSet<String> {
        let functions = self.prepared.program.units.iter().flat_map(|unit| &unit.model.functions);
        let own = functions.filter(|own| own.has_body && own.name == function);
        own.flat_map(|own| own.members.iter().cloned()).chain([function.to_string()]).collect()
    }

    /// The C file of the sequences, without those that clang refuses; none when it refuses all.
    fn file(
        &self,
        interface: &Interface<'_>,
        scratch: &Path,
        sequences: &mut Vec<Sequence>,
    ) -> Result<Option<Translation>, Failure> {
        for (name, text) in shipped_headers().iter().filter(|(name, _)| name == "covet.h") {
            let path = scratch.join(name);
            std::fs::write(&path, text).map_err(Failure::file(&path))?;
        }
        let Some(like) = self.like_users(interface) else { return Ok(None) };
        let path = scratch.join("covet-public.c");
        let mut translation = Translation { file: path.clone(), ..like };
        translation.flags.push(format!("-I{}", scratch.display()));
        // Each round takes out what does not compile.
        while !sequences.is_empty() {
            let calls = sequences.iter().flat_map(|sequence| sequence.calls.iter().cloned()).collect();
            let opening = opening::opening(interface, &calls, scratch);
            let file = symbolic::file(interface.types(), &opening, sequences);
            std::fs::write(&path, &file.text).map_err(Failure::file(&path))?;
            let Some((lines, said)) = complaints(self.prepared, &translation)? else { return Ok(Some(translation)) };
            let is_fine = |(first, last): &(usize, usize)| !lines.iter().any(|line| (*first..=*last).contains(line));
            let fine: Vec<bool> = file.lines.iter().map(is_fine).collect();
            tracing::info!(said, dropped = fine.iter().filter(|fine| !**fine).count(), "sequences do not compile");
            if fine.iter().all(|fine| *fine) {
                return Ok(None);
            }
            let mut fine = fine.into_iter();
            sequences.retain(|_| fine.next().unwrap_or(false));
        }
        Ok(None)
    }

    /// How a file of the library's user is compiled.
    fn like_users(&self, interface: &Interface<'_>) -> Option<Translation> {
        interface.headers.translation.clone().or_else(|| self.prepared.project.units.first().cloned())
    }
}

/// Names of functions that perform sequences begin with this.
const PREFIX: &str = "covet_public_";

/// Tests of an earlier command.
fn clean(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "c") {
            // One that stays is overwritten, or lies there for nothing.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

struct Search<'o> {
    outside: &'o Outside<'o>,
    interface: &'o Interface<'o>,
    explorer: Explorer<'o>,
    bench: Bench<'o>,
    folder: PathBuf,
    /// By alarm: sequences explored, and whether all of their paths were.
    tried: BTreeMap<usize, (usize, bool)>,
}

impl Search<'_> {
    fn go_through(
        &mut self,
        sequences: &[Sequence],
        wanted: &Wanted<'_, '_>,
        record: &mut Record,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        for (at, sequence) in sequences.iter().enumerate() {
            if self.outside.deadline.is_over() || begun.elapsed() > self.outside.patience {
                break;
            }
            let is_above = |exported: &&Exported<'_>| exported.function.name == sequence.target;
            let is_open = |at: &usize| record.alarms[*at].told.public.is_none();
            let sought = wanted.iter().filter(|(_, above)| above.iter().any(is_above));
            let sought: Vec<usize> = sought.map(|(at, _)| *at).filter(is_open).collect();
            if sought.is_empty() {
                continue;
            }
            let time = self.time(sequences.len() - at);
            self.explore(sequence, &sought, time, record)?;
        }
        Ok(())
    }

    /// An even share of the time that is left.
    fn time(&self, left: usize) -> Duration {
        let share = self.outside.deadline.left().map_or(TIMES.1, |time| time / left.max(1) as u32 * 2);
        share.clamp(TIMES.0, TIMES.1)
    }

    fn explore(
        &mut self,
        sequence: &Sequence,
        sought: &[usize],
        time: Duration,
        record: &mut Record,
    ) -> Result<(), Failure> {
        let outside = self.outside;
        let Ok(entry) = entries::function(self.explorer.prepared, &sequence.name) else { return Ok(()) };
        let is_timed = outside.deadline.at().is_some();
        let iterations = if is_timed { ITERATIONS_IN_TIME } else { ITERATIONS };
        let job = Job {
            sought: sought
                .iter()
                .map(|at| Sought::with_way_in(&record.alarms[*at], &outside.prepared.ids, &self.explorer.prepared.ids))
                .collect(),
            // A program of the public interface alone has no means to refuse memory.
            inputs: Inputs { globals: Globals::Initial, allocations: Allocations::Succeed, ..Inputs::default() },
            // Without a time for the command, nothing may depend on how fast the machine is.
            budget: Budget { time: if is_timed { time } else { outside.patience }, iterations: Some(iterations) },
            seed: outside.like.seed,
            config: Config { workers: 1, ..outside.like.config.clone() },
            ..Job::new(self.explorer.prepared.id_of(entry))
        };
        tracing::info!(sequence.name, sequence.target, sought = sought.len(), "a sequence is explored");
        let mut found: BTreeMap<usize, (Test, Alarm)> = BTreeMap::new();
        let is_exhausted = {
            let mut underway = self.explorer.begin(&job)?;
            loop {
                let mut keep = |news: crate::journal::News| {
                    for test in &news.tests {
                        let Some(alarm) = test.alarm.and_then(|alarm| news.alarms.get(alarm)) else { continue };
                        let is_it = |at: &&usize| Sought::of(&record.alarms[**at]).is(alarm);
                        if let Some(at) = sought.iter().find(is_it) {
                            found.entry(*at).or_insert_with(|| (test.clone(), alarm.clone()));
                        }
                    }
                };
                let progress = underway.advance(&outside.deadline.within(STEP), &outside.deadline, &mut keep)?;
                if let Progress::Ended(stopped) = progress {
                    break stopped == covet_explore::Stopped::Exhausted;
                }
                if found.len() == sought.len() {
                    break false;
                }
            }
        };
        for at in sought {
            let tried = self.tried.entry(*at).or_insert((0, true));
            *tried = (tried.0 + 1, tried.1 && is_exhausted);
        }
        for (at, (test, alarm)) in found {
            self.prove(sequence, &mut record.alarms[at], &test, &alarm)?;
        }
        Ok(())
    }

    /// Makes a program of what a run did, and sees whether it shows the alarm too.
    fn prove(&mut self, sequence: &Sequence, alarm: &mut Alarm, test: &Test, shown: &Alarm) -> Result<(), Failure> {
        let Some(text) = concrete::program(self.interface.types(), sequence, &test.inputs) else { return Ok(()) };
        let Some(like) = self.outside.like_users(self.interface) else { return Ok(()) };
        let name = format!("{}.c", if alarm.id.is_empty() { sequence.name.as_str() } else { alarm.id.as_str() });
        let file = self.folder.join(&name);
        let calls: BTreeSet<String> = called(sequence, &text);
        let opening = opening::opening(self.interface, &calls, &self.folder);
        let comment = format!(
            "/* {} at {}:{} in {}, shown through the public interface alone.\n *\n *     {}\n */\n",
            alarm.kind,
            alarm.file,
            alarm.line,
            alarm.function,
            self.bench.command(&file, &like)
        );
        std::fs::write(&file, format!("{comment}{opening}\n{text}")).map_err(Failure::file(&file))?;
        let proof = self.bench.try_out(&file, &like, alarm)?;
        match proof {
            Some(proof) if proof.shows(alarm) => settle(alarm, &proof, &calls, shown, format!("{FOLDER}/{name}")),
            Some(_) | None => std::fs::remove_file(&file).map_err(Failure::file(&file))?,
        }
        Ok(())
    }

    /// Says of the alarms that were not shown what was tried.
    fn tell(&self, wanted: &Wanted<'_, '_>, record: &mut Record) {
        for (at, _) in wanted {
            let alarm = &mut record.alarms[*at];
            let Some((count, is_exhausted)) = self.tried.get(at) else { continue };
            if alarm.told.public.is_none() && alarm.told.reason.is_none() {
                let plural = if *count == 1 { "sequence" } else { "sequences" };
                let all = if *is_exhausted { ", all paths of them" } else { "" };
                alarm.told.reason = Some(format!(
                    "not shown through the public interface: {count} {plural} of calls were explored{all}"
                ));
            }
        }
    }
}

/// How long an exploration goes on before we look at what it found.
const STEP: Duration = Duration::from_millis(200);

/// The functions that a program calls, of those that its sequence may call.
fn called(sequence: &Sequence, text: &str) -> BTreeSet<String> {
    sequence.calls.iter().filter(|name| text.contains(&format!("{name}("))).cloned().collect()
}

/// The alarm is shown, and nothing is assumed.
fn settle(alarm: &mut Alarm, proof: &Proof, calls: &BTreeSet<String>, shown: &Alarm, public: String) {
    alarm.native = proof.native;
    alarm.sanitizer.clone_from(&proof.sanitizer);
    alarm.assumptions.clear();
    let names: Vec<&str> = calls.iter().map(String::as_str).collect();
    alarm.told.reason = Some(format!("shown through the public interface: {}", names.join(", ")));
    alarm.told.public = Some(public);
    alarm.stack = shown.stack.iter().filter(|frame| !frame.function.starts_with(PREFIX)).cloned().collect();
    let step = |frame: &covet_results::Frame| Step {
        function: frame.function.clone(),
        file: frame.file.clone(),
        line: frame.line,
        condition: None,
    };
    alarm.told.chain = alarm.stack.iter().rev().map(step).collect();
}
