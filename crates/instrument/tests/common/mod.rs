//! C text → an instrumented program in a worker, and runs of it with one argument.
#![allow(dead_code, reason = "each test file uses its own part")]

use covet_abi::plan::{Place, Step};
use covet_compile::{Config, Program, Project};
use covet_execute::{Executable, Mode, Run, RunInput, Worker};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_instrument::{Built, Options};
use covet_sites::FunctionNumber;

pub struct Bench {
    pub program: Program,
    pub built: Built,
    pub worker: Worker,
    pub variables: Variables,
    x: VarId,
    _folder: tempfile::TempDir,
}

impl Bench {
    /// `change` has a say in how `source` is compiled.
    pub fn new(source: &str, change: impl FnOnce(&mut Config)) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("unit.c");
        std::fs::write(&file, source).unwrap();
        let mut config = Config::new(folder.path().join("cache"));
        change(&mut config);
        let project = Project::open(folder.path(), &[file], &[], &config.toolchain).unwrap();
        let program = covet_compile::build(&config, &project).unwrap();
        let built =
            covet_instrument::build(&program.bitcode, &program.models, folder.path(), &Options::default()).unwrap();
        let mut variables = Variables::default();
        let x = variables.intern(Variable { name: "arg.x".into(), width: 32, kind: ValueKind::Signed, default: 0 });
        let executable = Executable { path: built.executable.clone() };
        let config = covet_execute::Config { mode: Mode::Reset, ..covet_execute::Config::new(folder.path().join("w")) };
        let worker = Worker::spawn(&executable, &config).unwrap();
        Bench { program, built, worker, variables, x, _folder: folder }
    }

    pub fn number(&self, name: &str) -> FunctionNumber {
        self.built.map.functions.iter().find(|function| function.name == name && !function.is_model).unwrap().number
    }

    /// `entry(x)`, with whatever else `change` wants.
    pub fn run(&mut self, entry: &str, x: i32, change: impl FnOnce(&mut RunInput)) -> Run {
        let mut values = Input::default();
        values.set(self.x, u128::from(x as u32));
        let steps = vec![
            Step::Alloc { slot: 0, bytes: 4, align: 4 },
            Step::Variable { at: Place::start_of(0), variable: self.x.0, bit: 0 },
            Step::Argument { number: 0, slot: 0 },
        ];
        let mut input = RunInput { entry: self.number(entry), steps, values, ..RunInput::default() };
        change(&mut input);
        self.worker.run(&mut self.variables, &[input]).unwrap().remove(0)
    }
}
