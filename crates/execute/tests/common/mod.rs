//! Builds the runtime and hand-instrumented C programs, and makes inputs for them.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_execute::{Config, Executable, Mode, Run, RunInput, Worker};
use covet_input::{Input, VarId, Variable, Variables};
use covet_sites::FunctionNumber;

fn checked(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The runtime as a static library.
fn runtime() -> &'static Path {
    static RUNTIME: OnceLock<PathBuf> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let target = folder().join("runtime");
        checked(
            Command::new(env!("CARGO"))
                .args([
                    "rustc",
                    "--release",
                    "-p",
                    "covet-runtime",
                    "--features",
                    "standalone",
                    "--crate-type",
                    "staticlib",
                ])
                .arg("--target-dir")
                .arg(&target)
                .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
                .current_dir(env!("CARGO_MANIFEST_DIR")),
        );
        target.join("release/libcovet_runtime.a")
    })
}

/// A program of `tests/programs`, compiled and linked with the runtime.
pub fn program(name: &str) -> Executable {
    static BUILT: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let executable = folder().join(format!("{name}-{}", std::process::id()));
    let mut built = BUILT.lock().unwrap();
    if !built.iter().any(|known| known == name) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(format!("{name}.c"));
        link(&source, &executable);
        built.push(name.to_string());
    }
    Executable { path: executable }
}

/// Compiles and links a text of C with the runtime.
pub fn build(text: &str) {
    let source = folder().join(format!("text-{}.c", std::process::id()));
    std::fs::write(&source, text).unwrap();
    link(&source, &source.with_extension("out"));
}

fn link(source: &Path, executable: &Path) {
    checked(
        Command::new("clang-19")
            .args(["-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-w", "-o"])
            .args([executable, source])
            .arg(runtime())
            .args(["-lpthread", "-lm", "-ldl"]),
    );
}

pub fn config(mode: Mode) -> Config {
    let mut config = Config::new(folder().join("scratch"));
    config.mode = mode;
    config.time_limit = Duration::from_millis(300);
    config.memory_limit = 64 << 20;
    config
}

/// A worker and the variables of its inputs.
pub struct Bench {
    pub worker: Worker,
    pub variables: Variables,
    pub x: VarId,
}

impl Bench {
    pub fn new(config: &Config) -> Bench {
        Bench::of("hostile", config)
    }

    pub fn of(name: &str, config: &Config) -> Bench {
        let mut variables = Variables::default();
        let x = variables.intern(Variable { name: "arg.x".into(), width: 32, kind: ValueKind::Signed, default: 0 });
        let worker = Worker::spawn(&program(name), config).unwrap_or_else(|error| panic!("{error}"));
        Bench { worker, variables, x }
    }

    /// Entry `entry` with `x` as its argument.
    pub fn input(&self, entry: u32, x: i32) -> RunInput {
        let mut values = Input::default();
        values.set(self.x, u128::from(x as u32));
        let steps = vec![
            Step::Alloc { slot: 0, bytes: 4, align: 4 },
            Step::Variable { at: Place::start_of(0), variable: self.x.0, bit: 0 },
            Step::Argument { number: 0, slot: 0 },
        ];
        RunInput { entry: FunctionNumber(entry), steps, values, ..RunInput::default() }
    }

    pub fn run(&mut self, inputs: &[RunInput]) -> Vec<Run> {
        let runs = self.worker.run(&mut self.variables, inputs).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(runs.len(), inputs.len());
        runs
    }

    pub fn one(&mut self, entry: u32, x: i32) -> Run {
        let input = self.input(entry, x);
        self.run(&[input]).remove(0)
    }
}
