//! The command line from outside: exit codes, messages, files and the summary object, through the real binary.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

/// A folder with one C file `unit.c`.
fn folder(source: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), source).unwrap();
    folder
}

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(COVET).current_dir(folder).args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

const IS_SORTED: &str = "int is_sorted(int a, int b, int c)
{
    if (a <= b)
        if (a <= c)
            if (b <= c)
                return 1;
    return 0;
}
";

#[test]
fn the_c_tests_compile_with_cc_alone_and_pass() {
    let folder = folder(IS_SORTED);
    assert_eq!(code(&covet(folder.path(), &["cover", "unit.c", "--quiet"])), 0);
    let compiled =
        Command::new("cc").current_dir(folder.path()).args(["covet-out/tests.c", "-o", "tests"]).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    assert!(Command::new(folder.path().join("tests")).output().unwrap().status.success());
    assert_eq!(code(&covet(folder.path(), &["replay", "covet-out"])), 0);
    std::fs::write(folder.path().join("unit.c"), IS_SORTED.replace("return 1", "return 2")).unwrap();
    let changed = covet(folder.path(), &["replay", "covet-out"]);
    assert_eq!(code(&changed), 1, "{changed:?}");
    assert!(String::from_utf8_lossy(&changed.stdout).contains("expected"));
}

/// A change anywhere in what a function has written fails its tests, also in the middle of tables that nobody would write out, and one at the limit
/// of what it decides by.
#[test]
fn tests_notice_changes_in_long_tables_and_at_limits() {
    let source = "struct code { unsigned short bits, length; };
struct code table[600];
int weight(int points, int of) { return points >= 0 && of > 0 && points < 10000 && points * 100 / of >= 90 ? 3 : 4; }
void fill(int first)
{
    int i;
    for (i = 0; i < 600; i++) {
        table[i].bits = i + (i == 417 ? 5 : first);
        table[i].length = 7;
    }
}
void mark(unsigned char *map)
{
    int i;
    for (i = 0; i < 500; i++)
        map[i] = i / 3;
}
";
    let folder = folder(source);
    std::fs::write(folder.path().join("covet.toml"), "[function.mark]\nsizes = { map = 500 }\n").unwrap();
    let covered = covet(folder.path(), &["cover", "unit.c", "--quiet"]);
    assert_eq!(code(&covered), 0, "{covered:?}");
    let passes = |text: &str| {
        std::fs::write(folder.path().join("unit.c"), text).unwrap();
        let compiled =
            Command::new("cc").current_dir(folder.path()).args(["covet-out/tests.c", "-o", "tests"]).output().unwrap();
        assert!(compiled.status.success(), "{compiled:?}");
        Command::new(folder.path().join("tests")).output().unwrap().status.success()
    };
    assert!(passes(source));
    for (from, to) in [
        ("? 5", "? 6"),
        ("length = 7", "length = i == 599 ? 8 : 7"),
        ("i / 3", "i / 3 + (i == 433)"),
        (">= 90", "> 90"),
        (">= 90", ">= 91"),
    ] {
        assert!(!passes(&source.replace(from, to)), "{from} to {to}");
    }
}

/// Memory is refused at the same size by hand, by `covet replay` and while the tests were made, however little the command had.
#[test]
fn what_a_test_cannot_have_is_the_same_everywhere() {
    let folder = folder(
        "#include <stdlib.h>
int take(unsigned megabytes)
{
    char *taken = malloc((size_t)megabytes << 20);
    if (!taken)
        return megabytes < 3000 ? 1 : 2;
    free(taken);
    return megabytes > 600 ? 3 : 4;
}
",
    );
    covet(folder.path(), &["cover", "unit.c", "--quiet", "--memory", "1200"]);
    let compiled =
        Command::new("cc").current_dir(folder.path()).args(["covet-out/tests.c", "-o", "tests"]).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let tests = Command::new(folder.path().join("tests")).output().unwrap();
    assert!(tests.status.success(), "{tests:?}");
    let again = covet(folder.path(), &["replay", "covet-out"]);
    assert_eq!(code(&again), 0, "{again:?}");
}

#[test]
fn wrong_input_is_named_and_has_its_own_exit_code() {
    let folder = folder(IS_SORTED);
    let at = folder.path();
    let told = |arguments: &[&str], words: &[&str]| {
        let output = covet(at, arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {output:?}");
        for word in words {
            assert!(errors(&output).contains(word), "{arguments:?}: {}", errors(&output));
        }
    };
    told(&["cover", "missing.c"], &["missing.c", "no such file"]);
    told(&["cover", "unit.c", "--function", "is_sortd"], &["is_sortd", "did you mean `is_sorted`"]);
    told(&["cover", "unit.c", "--strategy", "best"], &["best", "generational"]);
    told(&["cover", "unit.c", "--symbolic-global", "count"], &["count"]);
    told(&["run", "unit.c"], &["main", "covet cover"]);
    told(&["replay", "nowhere"], &["nowhere", "covet cover"]);
    told(&["frobnicate"], &["frobnicate"]);
    std::fs::write(at.join("broken.c"), "int f(int x) { return y; }\n").unwrap();
    told(&["cover", "broken.c"], &["broken.c:1", "error:", "undeclared"]);
    assert!(!at.join("covet-out").exists(), "nothing is half-written");
}

#[test]
fn a_crash_is_an_alarm_at_its_line_with_a_test_that_shows_it() {
    let folder =
        folder("#include <assert.h>\nint f(int a, int b)\n{\n    assert(a != 7);\n    return 100 / (b - 3);\n}\n");
    let output = covet(folder.path(), &["cover", "unit.c", "--function", "f", "--json"]);
    assert_eq!(code(&output), 1, "{}", errors(&output));
    let summary = summary(&output);
    let alarms = summary["alarms"].as_array().unwrap();
    let mut found: Vec<_> = alarms.iter().map(|a| (a["kind"].as_str().unwrap(), a["line"].as_u64().unwrap())).collect();
    found.sort_unstable();
    assert_eq!(found, [("assertion", 4), ("division-by-zero", 5)]);
    for alarm in alarms {
        assert_eq!((&alarm["verdict"], &alarm["native"]), (&"likely".into(), &true.into()));
        let tests = summary["tests"].as_array().unwrap();
        assert!(tests.iter().any(|test| test["id"] == alarm["test"] && test["outcome"] == "crashed"));
    }
}

#[test]
fn programs_get_arguments_input_and_files() {
    let source = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char line[8] = "";
    if (argc != 2 || strcmp(argv[1], "-v") != 0)
        return 1;
    if (!fgets(line, sizeof line, stdin) || strcmp(line, "ok\n") != 0)
        return 2;
    FILE *file = fopen("a.cfg", "r");
    return file && fgetc(file) == 'x' ? 42 : 3;
}
"#;
    let folder = folder(source);
    let arguments = ["run", "unit.c", "--arg", "2", "--stdin", "3", "--file", "a.cfg:1", "--json", "--time", "60"];
    let output = covet(folder.path(), &arguments);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let summary = summary(&output);
    let returned = |test: &Value| test["returned"].as_i64();
    let found: Vec<_> = summary["tests"].as_array().unwrap().iter().filter_map(returned).collect();
    assert!(found.contains(&42), "{found:?}");
    assert_eq!(summary["totals"]["divergences"], 0);
}

#[test]
fn a_fuzz_harness_and_symbolic_globals() {
    let harness = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z')
        abort();
    return 0;
}
";
    let at = folder(harness);
    let output = covet(at.path(), &["run", "unit.c", "--size", "5", "--json"]);
    assert_eq!(code(&output), 1, "{}", errors(&output));
    assert_eq!(summary(&output)["alarms"][0]["kind"], "abort");
    let at = folder("static int mode; int limit = 9; int f(void) { return mode == 12 && limit > 100; }\n");
    let arguments = ["cover", "unit.c", "--symbolic-global", "mode", "--symbolic-global", "limit", "--json"];
    let output = covet(at.path(), &arguments);
    assert_eq!(code(&output), 0, "{}", errors(&output));
    let totals = &summary(&output)["totals"];
    assert_eq!(totals["branches"]["covered"], totals["branches"]["total"]);
}

#[test]
fn every_stage_can_be_shown() {
    let folder = folder(IS_SORTED);
    let shown = |stage: &str, more: &[&str]| {
        let mut arguments = vec!["show", stage, "unit.c"];
        arguments.extend(more);
        let output = covet(folder.path(), &arguments);
        assert_eq!(code(&output), 0, "{stage}: {}", errors(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(shown("bitcode", &[]).contains("define"));
    assert!(shown("sites", &[]).contains("branch"));
    assert!(shown("trace", &["--set", "arg.a=3"]).contains("false"));
    assert!(shown("path", &[]).contains("arg.a"));
    assert!(shown("query", &["--flip", "2"]).contains("(assert"));
    assert!(shown("input", &["--set", "arg.b=-5"]).contains("-5"));
}

#[test]
fn the_same_seed_gives_the_same_suite() {
    let folder = folder(IS_SORTED);
    let suite = |more: &[&str]| {
        let mut arguments = vec!["cover", "unit.c", "--json", "--no-official", "--seed", "4"];
        arguments.extend(more);
        summary(&covet(folder.path(), &arguments))["tests"].clone()
    };
    assert_eq!(suite(&[]), suite(&[]));
    assert_eq!(suite(&["-j", "2"]), suite(&["-j", "2"]));
    assert_eq!(suite(&["--strategy", "random-branch"]), suite(&["--strategy", "random-branch"]));
}

#[test]
fn every_option_is_documented() {
    let page = include_str!("../../../docs/command-line.md");
    for command in ["cover", "run", "show", "replay"] {
        let help = covet(Path::new("."), &[command, "--help"]).stdout;
        let help = String::from_utf8(help).unwrap();
        let options = help.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
        let listed = |line: &&str| !matches!(*line, "--help" | "--version" | "--");
        for option in options.filter(listed) {
            assert!(page.contains(option), "docs/command-line.md does not have {option} of `covet {command}`");
        }
    }
}
