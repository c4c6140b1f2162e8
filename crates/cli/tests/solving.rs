//! Solving as seen from outside: the IPPC paper's figures, the choice of tiers, other solvers and second opinions.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

const IS_SORTED: &str = "int is_sorted(int a, int b, int c)
{
    if (a <= b)
        if (a <= c)
            if (b <= c)
                return 1;
    return 0;
}
";

/// A folder with the paper's example as `unit.c`.
fn example() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), IS_SORTED).unwrap();
    folder
}

fn cover(folder: &Path, more: &[&str]) -> Output {
    let usual = ["cover", "unit.c", "--json", "--no-official"];
    Command::new(COVET).current_dir(folder).args(usual).args(more).output().unwrap()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn inputs(summary: &Value) -> Vec<[i64; 3]> {
    let input = |test: &Value| ["arg.a", "arg.b", "arg.c"].map(|name| test["inputs"][name].as_i64().unwrap());
    summary["tests"].as_array().unwrap().iter().map(input).collect()
}

fn calls_and_size(summary: &Value) -> (u64, f64) {
    let solver = &summary["totals"]["solver"];
    (solver["calls"].as_u64().unwrap(), solver["mean_constraints"].as_f64().unwrap())
}

/// A shell script that reads SMT-LIB and gives these answers.
fn stand_in(folder: &Path, verdict: &str, value: &str) -> String {
    let script = folder.join("solver.sh");
    let text = format!(
        "while read line; do case \"$line\" in *check-sat*) echo {verdict};; *get-value*) echo '((v #x{value}))';; esac; done"
    );
    std::fs::write(&script, text).unwrap();
    format!("sh {}", script.display())
}

#[test]
fn figures_2_and_3_of_the_paper() {
    let folder = example();
    let full = summary(&cover(folder.path(), &["--strategy", "dfs", "--solve", "full"]));
    assert_eq!(calls_and_size(&full), (3, 2.0));
    assert_eq!(inputs(&full), [[0, 0, 0], [0, 1, 0], [0, 1, -1], [2, 1, -1]]);
    let partial = summary(&cover(folder.path(), &["--strategy", "dfs", "--solve", "ippc"]));
    assert_eq!(calls_and_size(&partial), (3, 1.0));
    assert_eq!(inputs(&partial), [[0, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]);
    for found in [full, partial] {
        assert_eq!((&found["stopped"], &found["totals"]["iterations"]), (&"exhausted".into(), &4.into()));
    }
}

#[test]
fn tiers_can_be_switched_off() {
    let folder = example();
    let smt = summary(&cover(folder.path(), &["--solver-tiers", "smt"]));
    let tiers = &smt["totals"]["solver"]["tiers"];
    assert_eq!(tiers.as_object().unwrap().keys().collect::<Vec<_>>(), ["smt"]);
    assert!(smt["totals"]["solver"]["smt_calls"].as_u64().unwrap() > 0);
    let none = summary(&cover(folder.path(), &["--solver-tiers", "-nearest,-linear,-smt"]));
    assert!(none["totals"]["solver"]["tiers"]["nearest"].is_null());
    let wrong = cover(folder.path(), &["--solver-tiers", "magic"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

#[test]
fn a_solver_process_that_is_missing_or_dies_leaves_questions_open() {
    let folder = example();
    for command in ["covet-no-such-solver", "false"] {
        let found = cover(folder.path(), &["--solver-tiers", "smt", "--smt-command", command]);
        assert_eq!(found.status.code(), Some(0), "{found:?}");
        let solver = &summary(&found)["totals"]["solver"];
        assert_eq!((&solver["sat"], &solver["unsat"]), (&0.into(), &0.into()));
        assert!(solver["unknown"].as_u64().unwrap() > 0);
    }
}

#[test]
fn two_solvers_that_disagree_fail_loudly() {
    let folder = example();
    let agreeing = stand_in(folder.path(), "unknown", "00");
    let fine = cover(folder.path(), &["--cross-check", "--smt-command", &agreeing]);
    assert_eq!(fine.status.code(), Some(0), "{fine:?}");
    let lying = stand_in(folder.path(), "unsat", "00");
    let failed = cover(folder.path(), &["--cross-check", "--smt-command", &lying]);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    let message = String::from_utf8_lossy(&failed.stderr);
    assert!(message.contains("disagree") && message.contains("(check-sat)"), "{message}");
    let alone = cover(folder.path(), &["--cross-check"]);
    assert_eq!(alone.status.code(), Some(2), "{alone:?}");
}

#[test]
fn a_query_is_written_as_a_script() {
    let folder = example();
    let shown = Command::new(COVET)
        .current_dir(folder.path())
        .args(["show", "query", "unit.c", "--function", "is_sorted", "--flip", "2", "--smt2"])
        .output()
        .unwrap();
    let script = String::from_utf8_lossy(&shown.stdout);
    assert!(script.starts_with("(set-logic ALL)") && script.contains("|arg.c|"), "{script}");
    assert!(script.trim_end().ends_with("(get-model)"), "no answer beside it: {script}");
}

#[test]
fn what_is_impossible_is_asked_once_for_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let source = "int f(unsigned char a, unsigned char b)
{
    if (a % 6 == 3 && b % 4 == 2)
        if ((a * b) % 4 == 0)
            return 1;
    return 0;
}
";
    std::fs::write(folder.path().join("unit.c"), source).unwrap();
    let first = summary(&cover(folder.path(), &["--until", "exhausted"]));
    let again = summary(&cover(folder.path(), &["--until", "exhausted"]));
    let refused = |found: &Value, tier: &str| found["totals"]["solver"]["tiers"][tier]["unsat"].as_u64().unwrap_or(0);
    assert!(refused(&first, "enumerate") > 0, "{first}");
    assert_eq!(refused(&again, "enumerate"), 0, "{again}");
    assert!(refused(&again, "cache") >= refused(&first, "enumerate"), "{again}");
    assert_eq!(first["totals"]["branches"], again["totals"]["branches"]);
}
