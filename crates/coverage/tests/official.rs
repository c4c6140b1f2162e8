//! Official numbers of emitted tests: crashes, exits and time-outs count, generated code and system headers do not.

use covet_coverage::official::{Request, measure};
use covet_input::{Value, ValueKind};
use covet_results::{Record, Test, TestOutcome};
use covet_source::{Parser, Toolchain, Translation, Types};
use covet_suite::ctest::{Flavour, Settings, Sources, programs, write};
use std::path::PathBuf;
use std::time::Duration;

fn test(id: &str, function: &str, x: u32, outcome: TestOutcome, code: i32) -> Test {
    let value = Value { bits: u128::from(x), width: 32, kind: ValueKind::Signed };
    Test {
        inputs: vec![("arg.x".to_string(), value)],
        outcome,
        exit_code: (outcome == TestOutcome::Exited).then_some(code),
        signal: (outcome == TestOutcome::Crashed).then_some(code),
        ..Test::new(id, function)
    }
}

/// (statements covered, total, branches covered, total) of each function.
fn numbers(files: &[(&str, &str)], tests: Vec<Test>) -> Vec<(String, [usize; 4])> {
    let folder = tempfile::tempdir().unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let (mut types, mut translations, mut units) = (Types::default(), Vec::new(), Vec::new());
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
        if name.ends_with(".c") {
            let directory = folder.path().to_owned();
            translations.push(Translation { directory, file: PathBuf::from(name), flags: Vec::new() });
            units.push(parser.parse(translations.last().unwrap(), &mut types).unwrap());
        }
    }
    let out = folder.path().join("covet-out");
    let settings = Settings { milliseconds: 300, ..Settings::new(&out) };
    let sources = Sources {
        types: &types,
        translations: &translations,
        units: &units,
        link_flags: &[],
        stubs: &[],
        replaced: &[],
        preamble: "",
    };
    let made = programs(sources, &Record { tests, ..Record::default() }, &settings);
    write(&made, &settings).unwrap();
    let mut executables = Vec::new();
    for (number, program) in made.iter().enumerate() {
        executables.push(folder.path().join(format!("coverage-{number}")));
        program.build.make("clang-19".as_ref(), Flavour::Coverage, &executables[number]).unwrap();
    }
    let official = measure(&Request {
        executables: &executables,
        scratch: folder.path(),
        exclude: &out,
        time_limit: Duration::from_secs(20),
        prepare: &|_| {},
    })
    .unwrap();
    let row = |f: &covet_coverage::official::FunctionCoverage| {
        let (s, b) = (f.statements, f.branches);
        (f.name.clone(), [s.covered, s.total, b.covered, b.total])
    };
    let mut rows: Vec<_> = official.functions.iter().map(row).collect();
    rows.sort();
    rows
}

const ENDINGS: &str = "#include <stdlib.h>
#include <unistd.h>
static int act(int x)
{
    if (x == 1)
        abort();
    if (x == 2)
        _exit(3);
    while (x == 3)
        ;
    return x;
}
int idle(void) { return 1; }
";

#[test]
fn every_ending_counts() {
    let tests = vec![
        test("act-001", "act", 1, TestOutcome::Crashed, 6),
        test("act-002", "act", 2, TestOutcome::Exited, 3),
        test("act-003", "act", 3, TestOutcome::Timeout, 0),
    ];
    // llvm takes the loop that was stopped for one that ended.
    let found = numbers(&[("a.c", ENDINGS)], tests);
    assert_eq!(found, [("act".to_string(), [9, 9, 6, 6]), ("idle".to_string(), [0, 1, 0, 0])]);
}

#[test]
fn a_program_with_main_counts_too() {
    let text = "static int twice(int x) { return x > 3 ? 2 * x : x; }\nint main(int argc, char **argv)\n{\n    (void)argv;\n    return twice(argc);\n}\n";
    let tests = vec![Test::new("main-001", "main"), test("twice-001", "twice", 9, TestOutcome::Returned, 0)];
    let found = numbers(&[("a.c", text)], tests);
    assert_eq!(found, [("main".to_string(), [4, 4, 0, 0]), ("twice".to_string(), [1, 1, 2, 2])]);
}

#[test]
fn several_programs_add_up() {
    let files = [
        ("h.h", "static inline int pick(int x) { return x ? 1 : 2; }\nint far(int x);\n"),
        ("a.c", "#include \"h.h\"\nint near(int x) { return far(x) + pick(x); }\n"),
        (
            "b.c",
            "#include \"h.h\"\nstatic int deep(int x) { return x > 5 ? 1 : 0; }\nint far(int x) { return deep(x); }\n",
        ),
    ];
    let tests = vec![
        test("near-001", "near", 0, TestOutcome::Returned, 0),
        test("far-001", "far", 9, TestOutcome::Returned, 0),
    ];
    let found = numbers(&files, tests);
    let expected = [("deep", [1, 1, 2, 2]), ("far", [1, 1, 0, 0]), ("near", [1, 1, 0, 0]), ("pick", [1, 1, 1, 2])];
    assert_eq!(found, expected.map(|(name, numbers)| (name.to_string(), numbers)));
}
