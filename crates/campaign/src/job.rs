//! A job: everything one exploration is told, as plain data that can be written down, sent elsewhere and read back.

use crate::hunt::Sought;
use covet_abi::check::Checks;
use covet_coverage::Criterion;
use covet_explore::{StrategyName, Until};
use covet_profile::State;
use covet_results::Test;
use covet_settings::{FunctionSettings, Settings, Size};
use covet_sites::FunctionId;
use covet_solve::TierSet;
use covet_unit::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One exploration of one unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The function that is entered.
    pub entry: FunctionId,
    pub goals: Goals,
    /// Alarms of others that are to be shown from this entry, and nothing else is wanted; none: the goals say what is.
    pub sought: Vec<Sought>,
    /// Nothing of the program is a stub, but what the settings say.
    pub is_whole: bool,
    pub environment: Environment,
    pub inputs: Inputs,
    pub budget: Budget,
    pub seed: u64,
    /// States that calls of the entry were seen to begin in: inputs to begin with besides the first.
    #[serde(default)]
    pub states: Vec<State>,
    pub config: Config,
}

/// What is to be covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goals {
    pub scope: Scope,
    pub criterion: Criterion,
}

/// Whose goals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// Those of the entry.
    #[default]
    Entry,
    /// Those of the whole program.
    Program,
}

/// What a program finds around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Symbolic bytes on standard input.
    pub stdin: Option<u64>,
    /// Bytes of each symbolic argument.
    pub arguments: Vec<u64>,
    /// Name and bytes of each symbolic file.
    pub files: Vec<(String, u64)>,
    /// Symbolic bytes for a fuzz harness.
    pub size: u64,
    /// What standard input, the files or the harness's bytes hold at first, in one run after the other.
    #[serde(default)]
    pub seeds: Vec<Vec<u8>>,
}

impl Environment {
    /// The same, where these are what may be read at first, with room for each of them.
    pub fn holding(&self, seeds: &[Vec<u8>]) -> Environment {
        let largest = seeds.iter().map(Vec::len).max().unwrap_or(0) as u64;
        Environment {
            stdin: self.stdin.map(|size| size.max(largest)),
            files: self.files.iter().map(|(name, size)| (name.clone(), (*size).max(largest))).collect(),
            seeds: seeds.to_vec(),
            ..self.clone()
        }
    }
}

impl Default for Environment {
    fn default() -> Environment {
        Environment { stdin: None, arguments: Vec::new(), files: Vec::new(), size: 64, seeds: Vec::new() }
    }
}

/// What a unit's input is made of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inputs {
    /// Globals that are inputs, by name.
    pub symbolic_globals: Vec<String>,
    pub globals: Globals,
    #[serde(default)]
    pub allocations: Allocations,
    pub limits: Limits,
    /// How many elements pointers point at: `p`, `p->data`, and how many.
    pub sizes: Vec<(String, Elements)>,
    /// Pointers that may be NULL, and that may not, as the user says: `p`, `p->data`.
    pub nullable: Vec<String>,
    pub nonnull: Vec<String>,
}

/// What the global variables are that an entry, or what it calls, names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Globals {
    /// As the program starts with them.
    Initial,
    /// That at first; inputs where decisions of a function depend on them. The state of a whole program is its own.
    #[default]
    Auto,
    /// Inputs, with whatever values there may be.
    Symbolic,
}

/// Whether memory can run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Allocations {
    /// Never.
    Succeed,
    /// Not at first; then each call of `malloc` and its kin may fail. Those of a whole program do not.
    #[default]
    Auto,
    /// From the start, in whole programs too.
    MayFail,
}

/// A number of elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Elements {
    Fixed(u64),
    /// As many as this parameter says.
    Parameter(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    pub time: Duration,
    /// Runs of the first and of solved inputs.
    pub iterations: Option<u64>,
}

/// How it is explored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub strategy: StrategyName,
    pub until: Until,
    /// Deepest decision to flip.
    pub max_depth: Option<usize>,
    pub first: First,
    /// Processes that run the program, with a solver each.
    pub workers: usize,
    pub solver: SolverConfig,
    pub runs: RunConfig,
}

/// The first input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum First {
    #[default]
    Zeros,
    Random,
    Test(Box<Test>),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverConfig {
    pub mode: covet_solve::Mode,
    /// The usual ones of the mode when none are named.
    pub tiers: Option<TierSet>,
    /// An SMT-LIB 2 solver to ask in place of the one built in.
    pub smt_command: Option<String>,
    /// Put every answer to `smt_command` as well; a disagreement is a failure.
    pub cross_check: bool,
    pub walk: covet_solve::walk::Config,
}

/// Limits and choices for single runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    pub mode: covet_execute::Mode,
    pub milliseconds: u64,
    /// Megabytes of heap.
    pub memory: u64,
    /// Inputs that the program may ask for.
    pub max_inputs: u32,
    /// The mistakes to look for, as the bits of [`Checks`].
    pub checks: u32,
    pub sandbox: bool,
}

impl Default for RunConfig {
    fn default() -> RunConfig {
        let (mode, checks) = (covet_execute::Mode::Auto, Checks::usual().0);
        RunConfig { mode, milliseconds: 500, memory: 1024, max_inputs: MOST_INPUTS, checks, sandbox: true }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            strategy: StrategyName::Auto,
            until: Until::default(),
            max_depth: None,
            first: First::Zeros,
            workers: 1,
            solver: SolverConfig::default(),
            runs: RunConfig::default(),
        }
    }
}

/// Inputs that a program may ask for in one run when nobody says.
pub const MOST_INPUTS: u32 = 1 << 20;

/// Seconds for one unit when nobody says.
pub const TIME_FOR_ONE: f64 = 60.0;

impl Job {
    /// A job for `entry` with all defaults.
    pub fn new(entry: FunctionId) -> Job {
        Job {
            entry,
            goals: Goals::default(),
            sought: Vec::new(),
            is_whole: false,
            environment: Environment::default(),
            inputs: Inputs::default(),
            budget: Budget { time: Duration::from_secs_f64(TIME_FOR_ONE), iterations: None },
            seed: 0,
            states: Vec::new(),
            config: Config::default(),
        }
    }
}

impl Inputs {
    /// These, with what the settings say of all functions and of one.
    pub fn with(mut self, settings: &Settings, own: Option<&FunctionSettings>) -> Inputs {
        let globals = settings.symbolic_globals.iter().chain(own.iter().flat_map(|own| &own.symbolic_globals));
        self.symbolic_globals.extend(globals.map(|name| name.value.clone()));
        self.nullable.extend(own.iter().flat_map(|own| &own.nullable).map(|path| path.value.clone()));
        self.nonnull.extend(own.iter().flat_map(|own| &own.nonnull).map(|path| path.value.clone()));
        for (path, size) in own.iter().flat_map(|own| &own.sizes) {
            let elements = match size {
                Size::Fixed(count) => Elements::Fixed(*count),
                Size::Parameter(name) => Elements::Parameter(name.clone()),
            };
            self.sizes.push((path.value.clone(), elements));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_reads_back_as_it_was_written() {
        let mut job = Job::new(FunctionId { file: "src/a.c".into(), name: "f".into() });
        job.environment.files.push(("config.ini".into(), 16));
        job.inputs.sizes.push(("p->data".into(), Elements::Parameter("n".into())));
        job.config.solver.tiers = Some("nearest,smt".parse().unwrap());
        job.config.first = First::Test(Box::new(Test::new("f-001", "f")));
        let text = serde_json::to_string(&job).unwrap();
        let read: Job = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!((read.entry, read.config), (job.entry, job.config));
    }
}
