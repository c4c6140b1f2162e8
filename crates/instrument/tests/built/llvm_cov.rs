//! Our decisions against those of clang and llvm-cov, on programs that were written for other purposes.

use crate::common::Bench;
use covet_instrument::Options;
use covet_source::{TOLERANT_FLAGS, Toolchain};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// By function: how many conditions its decisions have, in ascending order.
type Decisions = BTreeMap<String, Vec<usize>>;

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases").join(name)
}

fn ours(program: &Bench) -> Decisions {
    let mut found = Decisions::new();
    for decision in &program.map().decisions {
        let name = program.map().functions[decision.function.index()].name.clone();
        found.entry(name).or_default().push(decision.conditions.0.len());
    }
    found.values_mut().for_each(|counts| counts.sort_unstable());
    found
}

/// What llvm-cov lists, and the lines of decisions that clang says it does not count.
fn theirs(source: &Path) -> (Decisions, Vec<u32>) {
    let folder = tempfile::tempdir().unwrap();
    let (object, profile) = (folder.path().join("a.o"), folder.path().join("a.profdata"));
    let tool = |name: &str| Command::new(Toolchain::default().program(name));
    let compiled = ran(tool("clang")
        .args(["-c", "-g", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"])
        .args(TOLERANT_FLAGS)
        .args(["-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../models/include"), "-o"])
        .args([&object, source]));
    // A profile of nothing: we want to know what could be covered.
    let text = folder.path().join("a.proftext");
    std::fs::write(&text, "nobody\n0\n1\n0\n").unwrap();
    ran(tool("llvm-profdata").arg("merge").arg("-o").args([&profile, &text]));
    let exported = ran(tool("llvm-cov").args(["export", "-format=text", "-instr-profile"]).args([&profile, &object]));
    let json: Json = serde_json::from_slice(&exported.stdout).unwrap();
    let mut found = Decisions::new();
    for function in json["data"][0]["functions"].as_array().unwrap() {
        let name = function["name"].as_str().unwrap().rsplit(':').next().unwrap().to_owned();
        let records = function["mcdc_records"].as_array().unwrap().iter();
        let conditions = records.map(|record| record.as_array().unwrap().last().unwrap().as_array().unwrap().len());
        let mut counts: Vec<usize> = conditions.collect();
        counts.sort_unstable();
        if !counts.is_empty() {
            found.insert(name, counts);
        }
    }
    let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
    let uncounted = messages.lines().filter(|line| line.contains("unsupported MC/DC"));
    let line = |message: &str| message.split(':').nth(1).and_then(|line| line.parse().ok());
    (found, uncounted.filter_map(line).collect())
}

fn ran(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Files in which clang counts every decision.
const SAME: &[&str] = &[
    "search/base64.c",
    "search/calendar.c",
    "search/ipv4.c",
    "search/triangle.c",
    "units/growing_arrays.c",
    "units/variadic_log.c",
    "libc/ctype.c",
    "instructions/division.c",
    "run/calculator.c",
    "worked/binary_search_tree.c",
];

#[test]
fn llvm_cov_sees_the_same_decisions() {
    let mut decisions = 0;
    for name in SAME {
        let program = Bench::with(&std::fs::read_to_string(case(name)).unwrap(), Options::default());
        let (expected, uncounted) = theirs(&case(name));
        assert_eq!(ours(&program), expected, "{name}");
        assert_eq!((program.map().decisions_left_out.len(), uncounted.len()), (0, 0), "{name}");
        decisions += program.map().decisions.len();
    }
    assert!(decisions >= 30, "only {decisions} decisions are compared");
}

/// Clang 19 counts no decision with another one in an operand, or in parentheses behind a `!`.
#[test]
fn what_llvm_cov_does_not_count_is_counted_by_us() {
    for (name, function, more) in
        [("instructions/short_circuits.c", "circuit", 4), ("arithmetic/formulas.c", "interest", 5)]
    {
        let program = Bench::with(&std::fs::read_to_string(case(name)).unwrap(), Options::default());
        let (mut expected, uncounted) = theirs(&case(name));
        assert_eq!(uncounted.len(), 1, "{name}");
        let counts = expected.get_mut(function).unwrap();
        counts.push(more);
        counts.sort_unstable();
        assert_eq!(ours(&program), expected, "{name}");
    }
}

/// Clang counts a constant as a condition, to leave it out of the percentage later.
#[test]
fn a_constant_is_no_condition() {
    let name = "instructions/statement_extras.c";
    let program = Bench::with(&std::fs::read_to_string(case(name)).unwrap(), Options::default());
    assert_eq!(theirs(&case(name)).0, Decisions::from([("extras".to_owned(), vec![2])]));
    assert_eq!(ours(&program), Decisions::new());
}
