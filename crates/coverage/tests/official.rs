//! Official numbers of emitted tests: crashes, exits and time-outs count, generated code and system headers do not.

use covet_budget::Deadline;
use covet_coverage::Count;
use covet_coverage::official::{Error, Official, Request, measure, read};
use covet_input::{Value, ValueKind};
use covet_launch::Bounds;
use covet_results::{Record, Test, TestOutcome};
use covet_source::{Parser, Toolchain, Translation, Types};
use covet_suite::ctest::{Flavour, Settings, Sources, programs, write};
use std::path::{Path, PathBuf};
use std::process::Command;
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
        replacements: &[],
        preamble: "",
    };
    let made = programs(sources, &Record { tests, ..Record::default() }, &settings);
    write(&made, &settings).unwrap();
    let mut executables = Vec::new();
    for (number, program) in made.iter().enumerate() {
        executables.push(folder.path().join(format!("coverage-{number}")));
        let (executable, objects) = (&executables[number], folder.path());
        program.build.make("clang-19".as_ref(), Flavour::Coverage, executable, objects, &Deadline::default()).unwrap();
    }
    let official = measure(&Request {
        toolchain: &Toolchain::default(),
        executables: &executables,
        scratch: folder.path(),
        exclude: &out,
        time_limit: Duration::from_secs(20),
        threads: 1,
        bounds: &Bounds::default(),
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

/// Writes over the profile's first page if it is in the test's memory (where counters are moved to when they live in it), then over all that follows a block.
const STRAY: &str = "#include <stdlib.h>
#include <string.h>
extern long moved __asm__(\"__llvm_profile_counter_bias\") __attribute__((weak));
extern char *counters(void) __asm__(\"__llvm_profile_begin_counters\") __attribute__((weak));
static int clear(int x)
{
    char *block = malloc(1 << 20);
    if (&moved && moved)
        memset((char *)((unsigned long)(counters() + moved) & ~4095UL), x, 64);
    memset(block, x, 1 << 30);
    return block[0];
}
int other(int x) { return x; }
";

#[test]
fn what_writes_over_all_that_follows_does_not_write_over_the_profile() {
    let tests = vec![
        test("other-001", "other", 1, TestOutcome::Returned, 1),
        test("clear-001", "clear", 0, TestOutcome::Crashed, 11),
        test("clear-002", "clear", 255, TestOutcome::Crashed, 11),
    ];
    let found = numbers(&[("a.c", STRAY)], tests);
    let covered: Vec<_> = found.iter().map(|(name, [statements, ..])| (name.as_str(), *statements)).collect();
    // llvm takes a call that crashes for one that returns.
    assert_eq!(covered, [("clear", 6), ("other", 1)]);
}

/// A program of these files, built by clang alone.
fn built(folder: &Path, name: &str, files: &[(&str, &str)], flags: &[&str]) -> PathBuf {
    let executable = folder.join(name);
    let mut command = Command::new("clang-19");
    command.current_dir(folder).args(["-w", "-fprofile-instr-generate", "-fcoverage-mapping"]);
    command.args(flags).arg("-o").arg(&executable);
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
        command.arg(file);
    }
    assert!(command.status().unwrap().success());
    executable
}

fn measured(folder: &Path, executables: &[PathBuf]) -> Result<Official, Error> {
    let exclude = folder.join("nothing");
    let time_limit = Duration::from_secs(20);
    let toolchain = &Toolchain::default();
    measure(&Request {
        toolchain,
        executables,
        scratch: folder,
        exclude: &exclude,
        time_limit,
        threads: 2,
        bounds: &Bounds::default(),
    })
}

#[test]
fn statics_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "a.c",
            "static int same(int x) { return x ? 1 : 2; }\nint b(int);\nint main(void) { return same(1) - b(1); }\n",
        ),
        (
            "b.c",
            "static int same(int x)\n{\n    if (x > 5)\n        return 7;\n    return 1;\n}\nint b(int x) { return same(x); }\n",
        ),
    ];
    let executable = built(folder.path(), "both", &files, &[]);
    let official = measured(folder.path(), &[executable]).unwrap();
    let of = |file: &str| official.of(&folder.path().join(file), "same").unwrap();
    let (a, b) = (of("a.c"), of("./b.c"));
    assert_eq!((a.statements, a.branches), (Count { covered: 1, total: 1 }, Count { covered: 1, total: 2 }));
    assert_eq!((b.statements, b.branches), (Count { covered: 4, total: 5 }, Count { covered: 1, total: 2 }));
    assert!(official.of(&folder.path().join("a.c"), "b").is_none() && official.lost.is_empty());
}

#[test]
fn a_damaged_profile_is_lost_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(int n, char **p)\n{\n    return n > 1;\n}\n";
    let sound = built(folder.path(), "sound", &[("a.c", text)], &[]);
    let text = "#include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>\nint other(void) { return 1; }\n\
        int main(void)\n{\n    int file = open(getenv(\"LLVM_PROFILE_FILE\"), O_WRONLY | O_CREAT, 0600);\n    \
        write(file, \"nonsense\", 8);\n    _exit(other());\n}\n";
    let damaging = built(folder.path(), "damaging", &[("b.c", text)], &[]);
    let official = measured(folder.path(), &[damaging.clone(), sound]).unwrap();
    assert_eq!(official.lost.iter().map(|lost| &lost.executable).collect::<Vec<_>>(), [&damaging]);
    let of = |file: &str, name: &str| official.of(&folder.path().join(file), name).unwrap().statements;
    assert_eq!(of("a.c", "main"), Count { covered: 3, total: 3 });
    assert_eq!(of("b.c", "other"), Count { covered: 0, total: 1 });
    assert!(matches!(measured(folder.path(), &[damaging]), Err(Error::AllLost(_))));
}

#[test]
fn conditions_that_decide_alone_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let text = "static int both(int a, int b) { return a > 0 && b > 0; }\nint main(void)\n{\n    \
        return both(1, 1) + both(1, 0);\n}\n";
    let executable = built(folder.path(), "mcdc", &[("a.c", text)], &["-fcoverage-mcdc"]);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.current_dir(folder.path()).args(arguments).env("LLVM_PROFILE_FILE", "one.profraw");
        command.output().unwrap().stdout
    };
    run(executable.to_str().unwrap(), &[]);
    run("llvm-profdata-19", &["merge", "-o", "one.profdata", "one.profraw"]);
    let text = run("llvm-cov-19", &["export", "--instr-profile=one.profdata", "mcdc"]);
    let functions = read(&text, &folder.path().join("nothing")).unwrap();
    let both = functions.iter().find(|function| function.name == "both").unwrap();
    assert_eq!(both.mcdc.len(), 1);
    assert_eq!((both.mcdc[0].line, &both.mcdc[0].conditions[..]), (1, &[false, true][..]));
    assert_eq!((both.branches, both.conditions()), (Count { covered: 3, total: 4 }, Count { covered: 1, total: 2 }));
}
