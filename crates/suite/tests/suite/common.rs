//! Hand-made records over small C files → verdicts of the emitted tests, under every C compiler there is.

use covet_input::{Value, ValueKind};
use covet_results::{Record, Test};
use covet_source::{Parser, Toolchain, Translation, Types, Unit};
use covet_suite::ctest::{Settings, Sources, TestProgram, programs, write};
use covet_suite::replay::{Config, Replay, Verdict};
use std::path::PathBuf;
use std::time::Duration;

pub const COMPILERS: [&str; 2] = ["gcc", "clang-19"];

/// A program in a folder of its own.
pub struct Case {
    pub folder: tempfile::TempDir,
    pub types: Types,
    pub translations: Vec<Translation>,
    pub units: Vec<Unit>,
}

impl Case {
    pub fn new(files: &[(&str, &str)]) -> Case {
        Case::with_flags(files, &[])
    }

    pub fn with_flags(files: &[(&str, &str)], flags: &[&str]) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let parser = Parser::load(&Toolchain::default()).unwrap();
        let mut case = Case { folder, types: Types::default(), translations: Vec::new(), units: Vec::new() };
        for (name, text) in files {
            let path = case.folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for (name, _) in files.iter().filter(|(name, _)| name.ends_with(".c")) {
            let translation = Translation {
                directory: case.folder.path().to_owned(),
                file: PathBuf::from(name),
                flags: flags.iter().map(ToString::to_string).collect(),
            };
            case.units.push(parser.parse(&translation, &mut case.types).unwrap());
            case.translations.push(translation);
        }
        case
    }

    pub fn settings(&self) -> Settings {
        Settings { milliseconds: 500, ..Settings::new(self.folder.path().join("covet-out")) }
    }

    pub fn sources(&self) -> Sources<'_> {
        Sources {
            types: &self.types,
            translations: &self.translations,
            units: &self.units,
            link_flags: &[],
            stubs: &[],
            replacements: &[],
            preamble: "",
        }
    }

    pub fn programs(&self, tests: Vec<Test>) -> Vec<TestProgram> {
        let record = Record { tests, ..Record::default() };
        let programs = programs(self.sources(), &record, &self.settings());
        write(&programs, &self.settings()).unwrap();
        programs
    }

    /// The verdict on each test, from every compiler in turn.
    pub fn verdicts(&self, tests: Vec<Test>) -> Vec<(String, Verdict)> {
        let programs = self.programs(tests);
        let mut all = Vec::new();
        for compiler in COMPILERS {
            let config = Config {
                compiler: PathBuf::from(compiler),
                flavour: covet_suite::ctest::Flavour::Plain,
                scratch: self.folder.path().to_owned(),
                objects: self.folder.path().to_owned(),
                time_limit: Duration::from_secs(20),
                bounds: Default::default(),
                threads: 1,
            };
            let replay = Replay::build(&programs, config).unwrap();
            for test in replay.tests() {
                all.push((format!("{compiler} {test}"), replay.run(test).unwrap().unwrap()));
            }
        }
        all
    }

    /// All tests pass with every compiler, and none is left out.
    pub fn all_pass(&self, tests: Vec<Test>) {
        let count = tests.len() * COMPILERS.len();
        let verdicts = self.verdicts(tests);
        let text = || {
            let text = std::fs::read_to_string(self.folder.path().join("covet-out/tests.c")).unwrap_or_default();
            text.split("---- ").find(|part| part.starts_with("The tests")).unwrap_or_default().to_string()
        };
        for (test, verdict) in &verdicts {
            assert_eq!(*verdict, Verdict::Passed, "{test}\n{}", text());
        }
        assert_eq!(verdicts.len(), count);
    }

    /// No test passes, and every one could be built.
    pub fn all_fail(&self, tests: Vec<Test>) {
        for (test, verdict) in self.verdicts(tests) {
            assert!(matches!(verdict, Verdict::Failed { .. }), "{test}: {verdict:?}");
        }
    }

    pub fn text(&self, tests: Vec<Test>) -> String {
        self.programs(tests).remove(0).text
    }
}

pub fn int(number: i64) -> Value {
    Value { bits: u128::from(number as u32), width: 32, kind: ValueKind::Signed }
}

pub fn byte(byte: u8) -> Value {
    Value { bits: u128::from(byte), width: 8, kind: ValueKind::Char }
}

pub fn wide(number: u128, width: u16, kind: ValueKind) -> Value {
    Value { bits: number, width, kind }
}

pub fn double(number: f64) -> Value {
    Value { bits: u128::from(number.to_bits()), width: 64, kind: ValueKind::Float }
}

/// A test of `function` with these inputs that returned this.
pub fn returning(id: &str, function: &str, inputs: &[(&str, Value)], returned: Option<Value>) -> Test {
    let inputs = inputs.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Test { inputs, returned, ..Test::new(id, function) }
}
