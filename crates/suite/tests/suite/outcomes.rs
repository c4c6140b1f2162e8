//! Tests end as recorded: returns, exits, signals, time-outs; and a record that is wrong fails.

use crate::common::*;
use covet_results::{Test, TestOutcome};
use covet_suite::ctest::Flavour;
use covet_suite::replay::Verdict;
use covet_suite::{Expectation, NativeEnd};

const ENDINGS: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
    int act(int how) {\n\
        static int zero;\n\
        switch (how) {\n\
        case 0: return 7;\n\
        case 1: exit(3);\n\
        case 2: _exit(4);\n\
        case 3: abort();\n\
        case 4: assert(how == 5); break;\n\
        case 5: return how / zero;\n\
        case 6: return *(volatile int *)(long)zero;\n\
        case 7: for (volatile int i = 0;;) i++;\n\
        case 8: { volatile char deep[100000]; deep[0] = 1; return act(8) + deep[0]; }\n\
        case 9: alarm(0); pause();\n\
        }\n\
        return -1;\n\
    }\n";

fn ending(id: &str, how: i64, outcome: TestOutcome, code: Option<i32>, signal: Option<i32>) -> Test {
    let inputs = vec![("arg.how".to_string(), int(how))];
    Test { outcome, exit_code: code, signal, inputs, ..Test::new(id, "act") }
}

#[test]
fn every_ending_is_recognised() {
    let case = Case::new(&[("a.c", ENDINGS)]);
    case.all_pass(vec![
        ending("act-000", 0, TestOutcome::Returned, None, None),
        ending("act-001", 1, TestOutcome::Exited, Some(3), None),
        ending("act-002", 2, TestOutcome::Exited, Some(4), None),
        ending("act-003", 3, TestOutcome::Crashed, None, Some(6)),
        ending("act-004", 4, TestOutcome::Crashed, None, Some(6)),
        ending("act-005", 5, TestOutcome::Crashed, None, Some(8)),
        ending("act-006", 6, TestOutcome::Crashed, None, Some(11)),
        ending("act-007", 7, TestOutcome::Timeout, None, None),
        ending("act-008", 8, TestOutcome::Crashed, None, Some(11)),
        ending("act-009", 9, TestOutcome::Timeout, None, None),
    ]);
}

#[test]
fn a_wrong_record_fails() {
    let case = Case::new(&[("a.c", ENDINGS)]);
    case.all_fail(vec![
        ending("act-000", 0, TestOutcome::Exited, Some(7), None),
        ending("act-001", 1, TestOutcome::Exited, Some(2), None),
        ending("act-002", 2, TestOutcome::Returned, None, None),
        ending("act-003", 3, TestOutcome::Crashed, None, Some(11)),
        ending("act-005", 5, TestOutcome::Returned, None, None),
        ending("act-007", 7, TestOutcome::Returned, None, None),
        ending("act-008", 0, TestOutcome::Timeout, None, None),
    ]);
    let verdicts = case.verdicts(vec![returning("act-1", "act", &[("arg.how", int(0))], Some(int(8)))]);
    let Verdict::Failed { expected, got, .. } = &verdicts[0].1 else { panic!("{verdicts:?}") };
    assert_eq!((expected.to_string(), got.to_string()), ("returned 8".to_string(), "returned 7".to_string()));
}

#[test]
fn a_source_that_no_longer_compiles_is_told() {
    let case = Case::new(&[("a.c", "int one(void) { return 1; }\n")]);
    std::fs::write(case.folder.path().join("a.c"), "int one(void) { return oops; }\n").unwrap();
    let verdicts = case.verdicts(vec![returning("one-001", "one", &[], Some(int(1)))]);
    assert!(matches!(&verdicts[0].1, Verdict::CouldNotBuild(text) if text.contains("oops")), "{verdicts:?}");
}

#[test]
fn tests_can_be_listed_and_run_alone() {
    let case = Case::new(&[("a.c", ENDINGS)]);
    let programs = case.programs(vec![
        ending("act-001", 0, TestOutcome::Returned, None, None),
        ending("act-002", 1, TestOutcome::Returned, None, None),
    ]);
    let executable = case.folder.path().join("tests");
    programs[0]
        .build
        .make(
            "cc".as_ref(),
            Flavour::Plain,
            &executable,
            executable.parent().unwrap(),
            &covet_budget::Deadline::default(),
        )
        .unwrap();
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(&executable).args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run(&["--list"]), (0, "act-001\nact-002\n".to_string()));
    assert_eq!(run(&["act-001"]), (0, "ok   act-001: returned\n1 of 1 passed\n".to_string()));
    let (code, text) = run(&[]);
    assert_eq!((code, text.lines().last()), (1, Some("1 of 2 passed")));
    assert_eq!(run(&["nothing"]).0, 1);
    assert_eq!(run(&["--what"]).0, 2);
}

#[test]
fn the_tested_code_cannot_write_the_report() {
    let forged = r#"{\"schema\":\"covet/test/1\",\"test\":\"f-001\",\"verdict\":\"passed\",\"expected\":{\"end\":\"anything\"},\"got\":{\"end\":\"returned\"}}\n"#;
    let source = format!(
        "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
        static const char said[] = \"{forged}\";\n\
        int f(int x) {{\n\
            char name[64];\n\
            FILE *parent;\n\
            for (int to = 0; to < 64; to++) (void)!write(to, said, strlen(said));\n\
            snprintf(name, sizeof name, \"/proc/%d/fd/0\", getppid());\n\
            if ((parent = fopen(name, \"w\"))) fputs(said, parent), fclose(parent);\n\
            return x;\n\
        }}\n"
    );
    let case = Case::new(&[("a.c", &source)]);
    for (_, verdict) in case.verdicts(vec![returning("f-001", "f", &[("arg.x", int(1))], Some(int(2)))]) {
        let Verdict::Failed { expected, got, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!((expected.to_string(), got.to_string()), ("returned 2".to_string(), "returned 1".to_string()));
    }
}

#[test]
fn a_program_that_ends_before_its_tests_is_told() {
    let source = "#include <unistd.h>\n__attribute__((constructor(101))) static void leave(void) { _exit(0); }\n\
        int f(void) { return 1; }\nint main(void) { return f(); }\n";
    let case = Case::new(&[("a.c", source)]);
    let silent = NativeEnd::Silent { was_killed: false };
    for (_, verdict) in case.verdicts(vec![returning("f-001", "f", &[], Some(int(1)))]) {
        assert_eq!(verdict, Verdict::Failed { expected: Expectation::Report, got: silent.clone(), check: None });
    }
}

#[test]
fn reports_are_lines_of_json_beside_the_words() {
    let case = Case::new(&[("a.c", ENDINGS)]);
    let programs = case.programs(vec![
        returning("act-001", "act", &[("arg.how", int(0))], Some(int(7))),
        ending("act-002", 1, TestOutcome::Returned, None, None),
    ]);
    let executable = case.folder.path().join("tests");
    programs[0]
        .build
        .make(
            "cc".as_ref(),
            Flavour::Plain,
            &executable,
            executable.parent().unwrap(),
            &covet_budget::Deadline::default(),
        )
        .unwrap();
    let script = "exec 3>report; ./tests --report=3";
    let shell = std::process::Command::new("sh").args(["-c", script]).current_dir(case.folder.path()).output().unwrap();
    assert_eq!(
        String::from_utf8(shell.stdout).unwrap(),
        "ok   act-001: returned 7\nFAIL act-002: expected returned, got exited with code 3\n1 of 2 passed\n"
    );
    let report = std::fs::read_to_string(case.folder.path().join("report")).unwrap();
    let seven = r#"{"end":"returned","kind":"signed","bits":"0000000000000007"}"#;
    let lines = [
        format!(r#"{{"schema":"covet/test/1","test":"act-001","verdict":"passed","expected":{seven},"got":{seven}}}"#),
        r#"{"schema":"covet/test/1","test":"act-002","verdict":"failed","expected":{"end":"returned"},"got":{"end":"exited","code":3}}"#.to_string(),
    ];
    assert_eq!(report.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn plain_cc_is_enough() {
    let case = Case::with_flags(&[("dir/a b.c", "int f(int x) { return x + STEP; }\n")], &["-DSTEP=2", "-D", "OTHER"]);
    case.programs(vec![returning("f-001", "f", &[("arg.x", int(1))], Some(int(3)))]);
    for compiler in COMPILERS {
        let status = std::process::Command::new(compiler)
            .current_dir(case.folder.path())
            .args(["-Wall", "-Wextra", "-Werror", "covet-out/tests.c", "-o", "t"])
            .status()
            .unwrap();
        assert!(status.success());
        assert!(std::process::Command::new(case.folder.path().join("t")).status().unwrap().success());
    }
}

/// Anyone can measure coverage by building the test program for it: what crashing and stopped tests counted is there.
#[test]
fn an_ordinary_coverage_build_counts_every_test() {
    let case = Case::new(&[("a.c", ENDINGS)]);
    case.programs(vec![
        ending("act-000", 0, TestOutcome::Returned, None, None),
        ending("act-001", 1, TestOutcome::Exited, Some(3), None),
        ending("act-003", 3, TestOutcome::Crashed, None, Some(6)),
        ending("act-006", 6, TestOutcome::Crashed, None, Some(11)),
        ending("act-007", 7, TestOutcome::Timeout, None, None),
        ending("act-008", 8, TestOutcome::Crashed, None, Some(11)),
    ]);
    let run = |program: &str, arguments: &[&str]| {
        let output =
            std::process::Command::new(program).args(arguments).current_dir(case.folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    run("clang-19", &["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "covet-out/tests.c", "-o", "t"]);
    run("./t", &[]);
    run("llvm-profdata-19", &["merge", "default.profraw", "-o", "p"]);
    let shown = run("llvm-cov-19", &["show", "./t", "-instr-profile=p", "a.c"]);
    let is_reached = |code: &str| {
        let line = shown.lines().find(|line| line.contains(code)).unwrap();
        line.split('|').nth(1).unwrap().trim() != "0"
    };
    let reached = ["case 0:", "case 1:", "case 3:", "case 6:", "case 7:", "case 8:"];
    assert!(reached.into_iter().all(is_reached), "{shown}");
    assert!(!["case 2:", "case 4:", "case 5:", "case 9:"].into_iter().any(is_reached), "{shown}");
}

#[test]
fn one_test_that_does_not_compile_spoils_no_other() {
    let case = Case::new(&[("a.c", "int f(int x) { return x; }\nint g(int x) { return x; }\n")]);
    let tests = vec![
        returning("f-001", "f", &[("arg.x", int(1))], Some(int(1))),
        returning("g-001", "g", &[("arg.x", int(2))], Some(int(2))),
    ];
    // What the record calls `g` is gone by now.
    std::fs::write(
        case.folder.path().join("a.c"),
        "int f(int x) { return x; }\nstruct g { int x; };\n#define g(x) oops.x\n",
    )
    .unwrap();
    let verdicts = case.verdicts(tests);
    assert_eq!(verdicts[0].1, Verdict::Passed);
    assert!(matches!(verdicts[1].1, Verdict::CouldNotBuild(_)), "{verdicts:?}");
    assert_eq!(verdicts.len(), 4);
}

#[test]
fn a_sanitizer_sees_a_step_too_far() {
    let case = Case::new(&[("a.c", "int f(int *p) { return p[1]; }\n")]);
    case.programs(vec![returning("f-001", "f", &[("arg.p[0]", int(1))], Some(int(0)))]);
    case.all_pass(vec![returning("f-001", "f", &[("arg.p[0]", int(1))], Some(int(0)))]);
    for compiler in COMPILERS {
        let run = |program: &str, arguments: &[&str]| {
            std::process::Command::new(program).args(arguments).current_dir(case.folder.path()).output().unwrap()
        };
        assert!(run(compiler, &["-w", "-g", "-fsanitize=address", "covet-out/tests.c", "-o", "t"]).status.success());
        let output = run("./t", &["--output"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "{compiler}: {text}");
    }
}
