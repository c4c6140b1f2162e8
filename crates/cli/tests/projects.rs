//! Projects of several files, through the real binary.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(COVET).current_dir(folder).args(arguments).output().unwrap()
}

/// Covers all, and replays: every branch of every function, by our count and by llvm-cov's.
fn assert_all_covered(folder: &TempDir, arguments: &[&str]) {
    let output = covet(folder.path(), &[&["cover", ".", "--json", "--quiet", "--time", "60"], arguments].concat());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    for function in summary["functions"].as_array().unwrap() {
        for count in [&function["branches"], &function["official"]["branches"]] {
            assert_eq!(count["covered"], count["total"], "{function:#}");
        }
    }
    assert_eq!(summary["totals"]["divergences"], 0, "{summary:#}");
    let replayed = covet(folder.path(), &["replay", "covet-out"]);
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
}

#[test]
fn globals_of_other_files_are_set_by_tests_whatever_their_types_are_called() {
    let counter = "typedef unsigned long long amount_t;
        typedef struct { int used; } hidden_t;
        enum mood { CALM, ANGRY } mood;
        amount_t written;
        hidden_t hidden, *chosen;
        int is_full(void) { return written > 1000 && mood == ANGRY; }
        int is_chosen(void) { return chosen == &hidden; }\n";
    let user = "int is_full(void);
        int report(int x) { if (is_full()) return 1; return x > 3 ? 2 : 3; }\n";
    let folder = folder(&[("counter.c", counter), ("user.c", user)]);
    assert_all_covered(&folder, &["--symbolic-globals", "--function", "report"]);
}

#[test]
fn statics_of_the_same_name_are_told_apart() {
    let first = "static int level; static int step(int by) { return level > by; }
        int first(int by) { return step(by) ? level == 7 : 0; }\n";
    let second =
        "static long long before; static char level[4]; static int step(int by) { return level[by & 3] == 'x'; }
        int second(int by) { return step(by) && level[3] == 'y' && before == 12; }\n";
    let folder = folder(&[("first.c", first), ("second.c", second)]);
    assert_all_covered(&folder, &["--symbolic-globals"]);
}

#[test]
fn a_database_says_how_files_are_compiled_when_tests_are_replayed_too() {
    let source = "#include <limit.h>\nint above(int x) { return x > LIMIT ? STEP : 0; }\n";
    let folder = folder(&[("above.c", source)]);
    std::fs::create_dir(folder.path().join("include")).unwrap();
    std::fs::write(folder.path().join("include/limit.h"), "#define LIMIT 40\n").unwrap();
    let entry = format!(
        r#"[{{"directory": "{}", "file": "above.c", "arguments": ["cc", "-Iinclude", "-DSTEP=3", "-c", "above.c"]}}]"#,
        folder.path().display()
    );
    std::fs::write(folder.path().join("compile_commands.json"), entry).unwrap();
    assert_all_covered(&folder, &[]);
}

#[test]
fn a_file_that_its_test_includes_is_named_by_itself() {
    let source = "int above(int x) { return x > 40 ? 3 : 0; }\n";
    let check = "#include \"above.c\"\nint main(void) { return above(41) != 3; }\n";
    let folder = folder(&[("above.c", source), ("check.c", check)]);
    assert_all_covered(&folder, &["--function", "above.c:above"]);
    assert_all_covered(&folder, &["--function", "above"]);
}

#[test]
fn a_program_is_hunted_from_what_the_project_has_examples_of() {
    // The sum of what no search finds, and behind it a count that nobody checks.
    let program = r#"
        #include <stdio.h>
        #include <string.h>
        static int load(const unsigned char *record)
        {
            char name[8];
            memcpy(name, record + 11, record[10]);
            return name[0];
        }
        static int is_signed(const unsigned char *text)
        {
            unsigned long long sum = 0xcbf29ce484222325;
            for (int at = 0; at < 8; at++) {
                sum = (sum ^ text[at]) * 0x100000001b3;
                sum ^= sum >> 29;
            }
            return sum == 0x373d5e3d6046ea9f;
        }
        int main(int argc, char **argv)
        {
            unsigned char record[300];
            FILE *file = argc > 1 ? fopen(argv[argc - 1], "rb") : NULL;
            memset(record, 0, sizeof record);
            if (!file || fread(record, 1, sizeof record, file) < 11 || record[0] != 'R' || record[1] != 'C')
                return 1;
            return is_signed(record + 2) ? load(record) : 2;
        }
    "#;
    let folder = folder(&[("record.c", program)]);
    std::fs::create_dir(folder.path().join("tests")).unwrap();
    std::fs::write(folder.path().join("tests/small.rec"), b"RCsesame!!\x03abc").unwrap();
    let hunted = covet(folder.path(), &["hunt", ".", "--json", "--quiet", "--time", "40"]);
    let summary: Value = serde_json::from_slice(&hunted.stdout).unwrap_or_else(|error| panic!("{error}: {hunted:?}"));
    let alarms = summary["alarms"].as_array().unwrap();
    let is_it = |alarm: &&Value| alarm["verdict"] == "confirmed" && alarm["stack"][1]["function"] == "main";
    assert!(alarms.iter().any(|alarm| is_it(&alarm)), "{summary:#}");
    // And by name.
    let run = ["run", "record.c", "--arg", "1", "--file", "A:40", "--iterations", "60", "--json", "--quiet"];
    let covered = |more: &[&str]| {
        let output = covet(folder.path(), &[&run[..], more].concat());
        let summary: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        summary["totals"]["branches"]["covered"].as_u64()
    };
    assert!(covered(&["--seeds", "tests"]) > covered(&[]));
}

#[test]
fn what_is_for_another_system_is_left_out_with_its_folder() {
    let own = "#include <stdio.h>
        int length(int x) { char text[20]; if (sprintf(text, \"%d\", x) > 3) return 1; return 0; }\n";
    let folder = folder(&[("own.c", own), ("other.c", "int other(int x) { return x > 2; }\n")]);
    std::fs::create_dir(folder.path().join("dos")).unwrap();
    let theirs = "int sprintf(char *to, const char *format, ...) { return to && format ? 0 : 1; }\n";
    for (name, text) in [("sprintf.c", theirs), ("one.c", "#include <dos.h>\n"), ("two.c", "#include <conio.h>\n")] {
        std::fs::write(folder.path().join("dos").join(name), text).unwrap();
    }
    let output = covet(folder.path(), &["cover", ".", "--json", "--quiet", "--no-official", "--iterations", "40"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let notes = summary["notes"].to_string();
    assert!(notes.contains("left out: dos/sprintf.c: error: most files beside it do not compile"), "{notes}");
    assert_eq!(summary["totals"]["branches"]["covered"], 2, "{summary:#}");
}

#[test]
fn a_program_of_other_files_shows_nothing() {
    let table = "int *table; int look(int at) { return table[at & 3]; }\n";
    let own = "int look(int at); extern int *table; static int numbers[4];
        int main(int argc, char **argv) { (void)argv; table = numbers; return look(argc); }\n";
    // Built with `-DSMALL`, say, and without table.c.
    let other = "int look(int at); int *table; static int few[4];
        int main(void) { table = few; return look(1); }\n";
    let folder = folder(&[("table.c", table), ("own.c", own), ("other.c", other)]);
    let hunted = covet(folder.path(), &["hunt", ".", "--function", "look", "--json", "--quiet", "--show", "all"]);
    let summary: Value = serde_json::from_slice(&hunted.stdout).unwrap_or_else(|error| panic!("{error}: {hunted:?}"));
    let alarms = summary["alarms"].as_array().unwrap();
    // That users of `look` get there is another thing.
    let is_main = |frame: &Value| frame["function"] == "main";
    let is_by_main = |alarm: &Value| alarm["stack"].as_array().unwrap().iter().any(is_main);
    assert!(!alarms.is_empty() && !alarms.iter().any(is_by_main), "{summary:#}");
}
