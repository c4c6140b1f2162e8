//! Texts of C → an instrumented program in a worker, and runs of its functions.

use covet_abi::plan::{Place, Step};
use covet_compile::{Config, Program, Project, Trust};
use covet_execute::{Executable, Mode, Run, RunInput, Worker};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_instrument::{Built, Options};
use covet_sites::{FunctionInfo, FunctionNumber, SiteMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Bench {
    pub program: Program,
    pub built: Built,
    pub worker: Worker,
    pub variables: Variables,
    arguments: Vec<VarId>,
    _folder: tempfile::TempDir,
}

/// The names of arguments as inputs.
const ARGUMENTS: [&str; 4] = ["arg.x", "arg.y", "arg.z", "arg.w"];

/// Shared by all tests: the library models are compiled once.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

impl Bench {
    /// One file. `change` has a say in how it is compiled.
    pub fn new(source: &str, change: impl FnOnce(&mut Config)) -> Bench {
        Bench::of(&[("unit.c", source)], Options::default(), change)
    }

    /// One file, instrumented in this way.
    pub fn with(source: &str, options: Options) -> Bench {
        Bench::of(&[("unit.c", source)], options, |_| {})
    }

    /// Files of these names and texts, of which those that end in `.c` are compiled.
    pub fn of(files: &[(&str, &str)], options: Options, change: impl FnOnce(&mut Config)) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let units: Vec<PathBuf> = files
            .iter()
            .map(|(name, _)| name.into())
            .filter(|path: &PathBuf| path.extension().is_some_and(|e| e == "c"))
            .collect();
        let mut config = Config { jobs: 1, ..Config::new(cache()) };
        change(&mut config);
        let project = Project::open(folder.path(), &units, &[], Trust::Listed, &config.toolchain).unwrap();
        let program = covet_compile::build(&config, &project).unwrap();
        let options = Options { root: folder.path().to_owned(), ..options };
        let built = covet_instrument::build(&program.bitcode, &program.models, folder.path(), &options).unwrap();
        let mut variables = Variables::default();
        let mut intern = |name: &str| {
            variables.intern(Variable { name: name.into(), width: 32, kind: ValueKind::Signed, default: 0 })
        };
        let arguments = ARGUMENTS.map(&mut intern).to_vec();
        let executable = Executable { path: built.executable.clone() };
        let config = covet_execute::Config { mode: Mode::Reset, ..covet_execute::Config::new(folder.path().join("w")) };
        let worker = Worker::spawn(&executable, &config).unwrap();
        Bench { program, built, worker, variables, arguments, _folder: folder }
    }

    pub fn map(&self) -> &SiteMap {
        &self.built.map
    }

    pub fn function(&self, name: &str) -> &FunctionInfo {
        self.map().function(name).unwrap_or_else(|| panic!("no function {name}"))
    }

    pub fn number(&self, name: &str) -> FunctionNumber {
        self.function(name).number
    }

    /// Calls `entry` with these numbers, as inputs that are followed, and with whatever else `change` wants.
    pub fn run(&mut self, entry: &str, arguments: &[i32], change: impl FnOnce(&mut RunInput)) -> Run {
        let (mut values, mut steps) = (Input::default(), Vec::new());
        for ((slot, argument), id) in (0..).zip(arguments).zip(&self.arguments) {
            values.set(*id, u128::from(*argument as u32));
            steps.push(Step::Alloc { slot, bytes: 4, align: 4 });
            steps.push(Step::Variable { at: Place::start_of(slot), variable: id.0, bit: 0 });
            steps.push(Step::Argument { number: slot, slot });
        }
        let mut input = RunInput { entry: self.number(entry), steps, values, ..RunInput::default() };
        change(&mut input);
        self.worker.run(&mut self.variables, &[input]).unwrap().remove(0)
    }

    pub fn call(&mut self, entry: &str, arguments: &[i32]) -> Run {
        self.run(entry, arguments, |_| {})
    }

    /// The vectors of a function's decisions that a run has evaluated: for each decision in order, as text.
    pub fn vectors(&self, function: &str, run: &Run) -> Vec<BTreeSet<String>> {
        let number = self.number(function);
        let own = self.map().decisions.iter().filter(|decision| decision.function == number);
        let evaluated: Vec<_> = run.vectors.iter().map(|(vector, _)| self.map().vector(*vector).unwrap()).collect();
        own.map(|decision| {
            let of_this = evaluated.iter().filter(|(of, _)| of.number == decision.number);
            of_this.map(|(_, vector)| vector.to_string()).collect()
        })
        .collect()
    }
}
