//! Does an instrumented program mean the same as the plain one? Random programs decide.
//!
//! For each: (1) plain and instrumented print the same and end the same; (2) with all its global scalars symbolic at their initial
//! values, it still takes the same path, and every condition it records evaluates, under that input, to the direction taken.

use crate::child::{self, End};
use crate::pair::{Pair, pair};
use crate::subject::Subject;
use crate::{Error, csmith};
use covet_abi::event::Kind;
use covet_abi::plan::Step;
use covet_budget::Deadline;
use covet_execute::{Mode, RunInput, Worker};
use covet_expr::Pool;
use covet_input::{Input, Variables};
use covet_path::{Arena, Importer, PathCondition, verify};
use covet_unit::{Blueprint, Freedom, GlobalPlace, Limits, UnitEnvironment};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Config {
    /// Programs to compare.
    pub count: u64,
    pub first_seed: u64,
    pub jobs: usize,
    pub cache: PathBuf,
    pub scratch: PathBuf,
}

/// What one program showed.
#[derive(Clone, Debug)]
pub struct Row {
    pub seed: u64,
    pub verdict: Verdict,
    /// Conditions recorded with symbolic globals.
    pub conditions: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// Nothing to compare: the plain program does not end in time, or clang refuses it.
    PassedOver,
    /// What differs, for people.
    Mismatch(String),
}

/// Plain programs that run longer are passed over.
const PLAIN_LIMIT: Duration = Duration::from_millis(1500);
/// Time for the instrumented program, which follows every operation.
const LIMIT: Duration = Duration::from_secs(60);

/// Compares `count` programs, telling `each` about every one in order of completion.
pub fn semantics(config: &Config, deadline: &Deadline, each: impl Fn(&Row) + Sync) -> Result<Vec<Row>, Error> {
    let (next, compared) = (AtomicU64::new(config.first_seed), AtomicU64::new(0));
    let rows = Mutex::new(Vec::new());
    let (stop, failed) = (AtomicBool::new(false), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..config.jobs.max(1) {
            scope.spawn(|| {
                while compared.load(Ordering::SeqCst) < config.count
                    && !stop.load(Ordering::SeqCst)
                    && !deadline.is_over()
                {
                    match compare(next.fetch_add(1, Ordering::SeqCst), config) {
                        Ok(row) => {
                            each(&row);
                            if row.verdict != Verdict::PassedOver {
                                compared.fetch_add(1, Ordering::SeqCst);
                            }
                            rows.lock().expect("no thread panics with it").push(row);
                        }
                        Err(error) => {
                            stop.store(true, Ordering::SeqCst);
                            *failed.lock().expect("no thread panics with it") = Some(error);
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().expect("threads have ended") {
        return Err(error);
    }
    let mut rows = rows.into_inner().expect("threads have ended");
    rows.sort_by_key(|row| row.seed);
    Ok(rows)
}

fn compare(seed: u64, config: &Config) -> Result<Row, Error> {
    std::fs::create_dir_all(&config.scratch).map_err(Error::file(config.scratch.display()))?;
    let folder = tempfile::Builder::new().prefix("semantics-").tempdir_in(&config.scratch);
    let folder = folder.map_err(Error::file(config.scratch.display()))?;
    let file = folder.path().join(format!("random{seed}.c"));
    csmith::write(seed, &file)?;
    let shown = of_file(&file, &[csmith::INCLUDE.to_owned()], &config.cache, folder.path())?;
    Ok(Row { seed, verdict: shown.verdict, conditions: shown.conditions })
}

/// What a program showed, with the places where its conditions were recorded.
#[derive(Clone, Debug)]
pub struct Shown {
    pub verdict: Verdict,
    pub conditions: u64,
    /// Lines of the file itself.
    pub lines: BTreeSet<u32>,
    /// Functions that were called with symbolic values and made them concrete.
    pub externals: BTreeSet<String>,
    /// How often values were made concrete, whatever the reason.
    pub concretised: u64,
}

impl Shown {
    fn nothing_more(verdict: Verdict) -> Shown {
        Shown { verdict, conditions: 0, lines: BTreeSet::new(), externals: BTreeSet::new(), concretised: 0 }
    }
}

/// Compares the program in `file`, working in `folder`.
pub fn of_file(file: &Path, flags: &[String], cache: &Path, folder: &Path) -> Result<Shown, Error> {
    // Some of csmith's builtins need processor features that are off.
    if !Subject::compiles(&covet_project::Config::new(folder, cache), file, flags)? {
        return Ok(Shown::nothing_more(Verdict::PassedOver));
    }
    let prepared = pair(file, flags, cache, folder)?;
    let plain = child::run(&prepared.plain, folder, PLAIN_LIMIT)?;
    if plain.end == End::TimedOut {
        return Ok(Shown::nothing_more(Verdict::PassedOver));
    }
    let ours = child::run(&prepared.subject.prepared.executable, folder, LIMIT)?;
    if (ours.end, &ours.output) != (plain.end, &plain.output) {
        return Ok(Shown::nothing_more(Verdict::Mismatch(format!(
            "plain ends {:?} and prints {:?}; instrumented ends {:?} and prints {:?}",
            plain.end,
            text(&plain.output),
            ours.end,
            text(&ours.output)
        ))));
    }
    match plain.end {
        End::Exited(code) => symbolic(&prepared, folder, code),
        End::Signalled(_) | End::TimedOut => Ok(Shown::nothing_more(Verdict::Same)),
    }
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(&output[..output.len().min(200)]).into_owned()
}

/// Runs `main` with every global scalar symbolic and checks what was recorded.
fn symbolic(prepared: &Pair, folder: &Path, expected: i32) -> Result<Shown, Error> {
    let mut variables = Variables::default();
    let Some(main) = prepared.subject.prepared.map.functions.iter().find(|function| function.name == "main") else {
        return Err(Error::Unexpected("no main".to_owned()));
    };
    let request = RunInput { entry: main.number, steps: steps(prepared, &mut variables), ..RunInput::default() };
    let config = covet_execute::Config {
        mode: Mode::Reset,
        time_limit: LIMIT,
        ..covet_execute::Config::new(folder.join("worker"))
    };
    let program = covet_execute::Executable { path: prepared.subject.prepared.executable.clone() };
    let mut worker = Worker::spawn(&program, &config)?;
    let runs = worker.run(&mut variables, &[request])?;
    let run = &runs[0];
    let arena = Arena {
        nodes: worker.nodes(),
        tables: worker.tables(),
        entries: worker.entries(),
        variables: worker.variable_map(),
        epoch: worker.epoch(),
    };
    let cases: Vec<Vec<u64>> = prepared.subject.prepared.map.sites.iter().map(|site| site.cases.clone()).collect();
    let mut pool = Pool::new();
    let path = PathCondition::of(&mut pool, &variables, &mut Importer::new(), &arena, &run.events, cases.as_slice());
    let path = path.map_err(|error| Error::Unexpected(format!("the trace is not readable: {error:?}")))?;
    let checked = verify(&path, &pool, &run.input);
    let ended = (run.termination, run.code, run.returned as i32);
    let as_expected = ended.2 == expected || ended.1 == expected;
    let verdict = if checked.mismatches > 0 {
        let site = checked.event.map(|event| &run.events[event as usize]);
        let place = site.and_then(|event| prepared.subject.prepared.map.sites.get(event.site as usize));
        Verdict::Mismatch(format!(
            "{} of {} conditions do not hold under their own input; the first is {site:?} at line {}",
            checked.mismatches,
            checked.checked,
            place.map_or(0, |place| place.line)
        ))
    } else if !as_expected {
        Verdict::Mismatch(format!("with symbolic globals the program ends {ended:?}, plain it exits with {expected}"))
    } else {
        Verdict::Same
    };
    let map = &prepared.subject.prepared.map;
    let sites =
        path.conditions.iter().filter(|condition| condition.kind == Kind::Branch).map(|condition| condition.site);
    let own = sites
        .filter_map(|site| map.sites.get(site.index()))
        .filter(|site| map.functions.iter().any(|function| function.number == site.function && !function.is_model));
    let external = |number: u32| map.externals.get(number as usize).cloned();
    Ok(Shown {
        verdict,
        conditions: checked.checked as u64,
        lines: own.map(|site| site.line).collect(),
        externals: worker.externals().into_iter().filter_map(|(number, _)| external(number)).collect(),
        concretised: run.concretised.iter().map(|count| u64::from(*count)).sum(),
    })
}

/// `main(1, { "program" })`, and a `Keep` for every scalar of every variable global of the program.
fn steps(prepared: &Pair, variables: &mut Variables) -> Vec<Step> {
    let environment = UnitEnvironment {
        types: &prepared.subject.prepared.program.types,
        callables: vec![],
        pointee_types: Default::default(),
        limits: Limits::default(),
        sizes: covet_unit::Sizes::default(),
    };
    let mut blueprint = covet_unit::plan_program(environment, &covet_unit::ProgramSetup::default(), 2, variables);
    let mut steps = blueprint.steps(variables, &Input::default());
    for unit in &prepared.subject.prepared.program.units {
        for global in &unit.model.globals {
            let known =
                prepared.subject.prepared.map.globals.iter().find(|info| info.name == global.name && !info.is_constant);
            if let Some(info) = known {
                // Every scalar, those of initialised arrays too; their values are kept below.
                let bare = covet_source::Global { has_initializer: false, ..global.clone() };
                let place = GlobalPlace { global: &bare, number: info.number, freedom: Freedom::Whole };
                covet_unit::add_global(place, variables, &mut blueprint);
            }
        }
    }
    keep_globals(&mut blueprint, variables, &mut steps);
    steps
}

/// Of the steps that fill globals: those that place a whole scalar, turned into marking what is there.
fn keep_globals(blueprint: &mut Blueprint<'_>, variables: &mut Variables, steps: &mut Vec<Step>) {
    let mut globals = BTreeSet::new();
    for step in blueprint.steps(variables, &Input::default()) {
        match step {
            Step::Global { slot, .. } => {
                globals.insert(slot);
                steps.push(step);
            }
            Step::Variable { at, variable, bit: 0 }
                if globals.contains(&at.slot)
                    && variables.get(covet_input::VarId(variable)).width.is_multiple_of(8) =>
            {
                steps.push(Step::Keep { at, variable, bit: 0 });
            }
            _ => {}
        }
    }
}
