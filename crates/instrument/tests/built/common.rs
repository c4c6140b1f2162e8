//! Texts of C become instrumented programs, and calls of their functions runs.

use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_compile::{Config, Project, Replacements};
use covet_execute::{Executable, Run, RunInput, Worker};
use covet_input::{Input, Variable, Variables};
use covet_instrument::{Built, Options};
use covet_sites::{FunctionInfo, FunctionNumber, SiteMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Program {
    folder: tempfile::TempDir,
    built: Built,
    /// The stubs that stand beside its functions.
    pub replacements: Replacements,
}

/// Shared by all tests: the library models are compiled once.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

impl Program {
    /// Builds files of these names and texts; those that end in `.c` are compiled.
    pub fn of(files: &[(&str, &str)], options: Options) -> Program {
        Program::with_stubs(files, options, &[])
    }

    /// As [`Program::of`], with stubs beside these functions.
    pub fn with_stubs(files: &[(&str, &str)], options: Options, replaceable: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let files_of_units = files.iter().map(|(name, _)| PathBuf::from(name)).filter(|path| is_unit(path));
        let units: Vec<PathBuf> = files_of_units.collect();
        let replaceable = replaceable.iter().map(|name| (*name).to_owned()).collect();
        let config = Config { jobs: 1, replaceable, ..Config::new(cache()) };
        let project = Project::open(folder.path(), &units, &[], &config.toolchain).unwrap();
        let program = covet_compile::build(&config, &project).unwrap();
        let options = Options { root: folder.path().to_owned(), ..options };
        let built = covet_instrument::build(&program.bitcode, &program.models, folder.path(), &options).unwrap();
        Program { folder, built, replacements: program.replacements }
    }

    pub fn map(&self) -> &SiteMap {
        &self.built.map
    }

    pub fn function(&self, name: &str) -> &FunctionInfo {
        self.map().function(name).unwrap_or_else(|| panic!("no function {name}"))
    }

    /// Calls a function with these numbers, as inputs that are followed.
    pub fn call(&self, name: &str, arguments: &[i32]) -> Run {
        self.session().call(self.function(name).number, arguments, |_| {})
    }

    /// A worker for many calls.
    pub fn session(&self) -> Session {
        let config = covet_execute::Config::new(self.folder.path().join("scratch"));
        let executable = Executable { path: self.built.executable.clone() };
        Session { worker: Worker::spawn(&executable, &config).unwrap(), variables: Variables::default() }
    }

    /// The vectors of a function's decisions that a run has evaluated: for each decision in order, as text.
    pub fn vectors(&self, function: &str, run: &Run) -> Vec<BTreeSet<String>> {
        let number = self.function(function).number;
        let own = self.map().decisions.iter().filter(|decision| decision.function == number);
        let evaluated: Vec<_> = run.vectors.iter().map(|(vector, _)| self.map().vector(*vector).unwrap()).collect();
        own.map(|decision| {
            let of_this = evaluated.iter().filter(|(of, _)| of.number == decision.number);
            of_this.map(|(_, vector)| vector.to_string()).collect()
        })
        .collect()
    }
}

/// A worker and the variables that its runs have met.
pub struct Session {
    pub worker: Worker,
    pub variables: Variables,
}

impl Session {
    /// As [`Program::call`], with whatever else `change` wants.
    pub fn call(&mut self, entry: FunctionNumber, arguments: &[i32], change: impl FnOnce(&mut RunInput)) -> Run {
        let (mut values, mut steps) = (Input::default(), Vec::new());
        for (slot, argument) in (0..).zip(arguments) {
            let name = format!("arg.{slot}");
            let id = self.variables.intern(Variable { name, width: 32, kind: ValueKind::Signed, default: 0 });
            values.set(id, u128::from(*argument as u32));
            steps.push(Step::Alloc { slot, bytes: 4, align: 4 });
            steps.push(Step::Variable { at: Place::start_of(slot), variable: id.0, bit: 0 });
            steps.push(Step::Argument { number: slot, slot });
        }
        let mut input = RunInput { entry, steps, values, ..RunInput::default() };
        change(&mut input);
        self.worker.run(&mut self.variables, &[input]).unwrap().remove(0)
    }
}

fn is_unit(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}
