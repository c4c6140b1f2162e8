//! `covet profile` with the real binary: programs are recorded as their users run them, and the paper's numbers come out.

use std::path::Path;
use std::process::{Command, Output};

/// Figure 1 of the paper, with inputs from the command line.
const FIGURE_1: &str = r#"#include <stdlib.h>
int a1(int x, int y);
int a2(int x);
int b(int x);
int f(int x);
int g(int x);
int h(int x);
int program(int x, int y) { return (x > 0) ? a1(x, y) : a2(y); }
int a1(int x, int y) { if (y > 0) return b(x); else return 0; }
int a2(int x) { if (x > 0) return b(x); return 0; }
int b(int x) { if (x > 0) return f(x); else return 0; }
int f(int x) {
    int array[5] = { 1, 3, 5, 7, 9 }, result;
    if (g(x) != 0)
        result = array[x];
    else
        result = h(x);
    return result;
}
int g(int x) { return (x < 5) ? 1 : 0; }
int h(int x) { return x + 2; }
int main(int argc, char **argv) { return argc > 2 ? program(atoi(argv[1]), atoi(argv[2])) & 0 : 0; }
"#;

/// The three system tests of section 3.1.
const TESTS: &str = "./figure -1 1 && ./figure 1 1 && ./figure 5 1";

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    let cache = folder.join("cache");
    Command::new(env!("CARGO_BIN_EXE_covet"))
        .current_dir(folder)
        .env("XDG_CACHE_HOME", cache)
        .args(arguments)
        .output()
        .unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = covet(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn profile(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(folder.join("covet-profile")).unwrap()).unwrap()
}

fn function<'p>(profile: &'p serde_json::Value, name: &str) -> &'p serde_json::Value {
    let functions = profile["functions"].as_array().unwrap();
    functions.iter().find(|function| function["id"]["name"] == name).unwrap_or_else(|| panic!("no {name}: {profile}"))
}

#[test]
fn three_system_tests_give_the_numbers_of_the_paper() {
    let folder = folder(&[("figure.c", FIGURE_1)]);
    let command = format!("gcc -O2 -o figure figure.c && {TESTS}");
    done(folder.path(), &["profile", "--", "sh", "-c", &command]);
    let shown = done(folder.path(), &["show", "unit", "figure.c", "--function", "f", "--profile", "covet-profile"]);
    for line in [
        "f: called by 3 of 3 runs",
        "p(main|f) = 1.00 (3/3)",
        "p(a1|f) = 0.67 (2/3)",
        "p(a2|f) = 0.33 (1/3)",
        "p(b|f) = 1.00 (3/3)",
        "p(g|f) = 1.00 (3/3)",
        "p(h|f) = 0.33 (1/3)",
        "unit: f, g",
        "context: b -> f",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    let seen = function(&profile(folder.path()), "f")["arguments"][0]["number"].clone();
    assert_eq!((&seen["least"], &seen["most"]), (&1.into(), &5.into()));
    // Once more, by the program made of its source: runs are added.
    done(folder.path(), &["profile", "figure.c", "--program", "./figure", "--", "sh", "-c", TESTS]);
    done(folder.path(), &["profile", "figure.c", "--", "./figure", "7", "7"]);
    let shown = done(folder.path(), &["show", "unit", "figure.c", "--function", "f", "--profile", "covet-profile"]);
    assert!(shown.contains("f: called by 7 of 7 runs") && shown.contains("p(a2|f) = 0.29 (2/7)"), "{shown}");
    let without = done(folder.path(), &["show", "unit", "figure.c", "--function", "f"]);
    assert!(without.contains("called by none") && without.contains("unit: f, g, h"), "{without}");
}

#[test]
fn whatever_way_a_process_ends_its_record_is_kept() {
    let source = r#"#include <signal.h>
        #include <string.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static int in_child(int n) { return n; }
        int ends(char how) {
            switch (how) {
            case 'k': return raise(SIGKILL);
            case 'x': _exit(3);
            case 'f': if (fork() == 0) _exit(in_child(7)); wait(0); return 0;
            case 'e': execlp("./ends", "./ends", "r", (char *)0);
            }
            return 0;
        }
        int main(int argc, char **argv) { return argc > 1 ? ends(argv[1][0]) : 0; }"#;
    let folder = folder(&[("ends.c", source)]);
    let command = "cc -c ends.c && cc -o ends ends.o; for how in k x f e; do ./ends $how; done; true";
    done(folder.path(), &["profile", "--", "sh", "-c", command]);
    let profile = profile(folder.path());
    let runs: u64 = profile["runs"].as_array().unwrap().iter().map(|run| run["times"].as_u64().unwrap()).sum();
    assert_eq!(runs, 5, "four, and the one that another became: {profile}");
    assert_eq!(
        (function(&profile, "ends")["calls"].as_u64(), function(&profile, "in_child")["calls"].as_u64()),
        (Some(5), Some(1))
    );
    // The build still works, and records nothing.
    assert!(Command::new(folder.path().join("ends")).current_dir(folder.path()).status().unwrap().success());
}

#[test]
fn arguments_buffers_and_states_are_seen() {
    let source = r#"#include <stdlib.h>
        #include <string.h>
        struct node { int value; struct node *next; const char *name; };
        int total;
        int sum(struct node *list) {
            int all = 0;
            if (list && list->next && list->value == 123456 && list->next->value == 654321) total++;
            for (; list; list = list->next) all += list->value; total += all; return all; }
        int fill(char *buffer, int size, const char *with) { if (with) strncpy(buffer, with, size - 1); return size; }
        int main(void) {
            char local[24];
            char *heap = malloc(100);
            struct node last = { 654321, NULL, "last" }, first = { 123456, &last, "first" };
            fill(local, sizeof local, "x"); fill(heap, 100, NULL);
            int all = sum(&first);
            free(heap);
            return all == 777777 ? 0 : 1;
        }"#;
    let folder = folder(&[("seen.c", source), ("Makefile", "seen: seen.o\nseen.o: seen.c\ncheck: seen\n\t./seen\n")]);
    done(folder.path(), &["profile", "--", "make", "check"]);
    let profile = profile(folder.path());
    let fill = function(&profile, "fill");
    let buffer = &fill["arguments"][0]["pointer"];
    assert_eq!((&buffer["null"], &buffer["least_bytes"], &buffer["most_bytes"]), (&0.into(), &24.into(), &100.into()));
    assert_eq!(fill["arguments"][2]["pointer"]["null"], 1);
    let pairing =
        fill["pairings"].as_array().unwrap().iter().find(|pair| pair["pointer"] == 0 && pair["number"] == 1).unwrap();
    assert_eq!((&pairing["least_each"], &pairing["most_each"], &pairing["times"]), (&1.into(), &1.into(), &2.into()));
    let states = function(&profile, "sum")["states"].as_array().unwrap();
    assert_eq!(states.len(), 1);
    assert!(states[0]["globals"].as_array().unwrap().iter().any(|global| global["name"] == "total"), "{}", states[0]);
    // The list is where an exploration begins: no other input of the function has these values.
    let hunted = covet(
        folder.path(),
        &["hunt", "seen.c", "--function", "sum", "--profile", "covet-profile", "--iterations", "2", "--json"],
    );
    let summary: serde_json::Value = serde_json::from_slice(&hunted.stdout).unwrap();
    let has_list = |test: &serde_json::Value| {
        test["inputs"]["arg.list->value"] == 123456 && test["inputs"]["arg.list->next->value"] == 654321
    };
    assert!(summary["tests"].as_array().unwrap().iter().any(has_list), "{summary:#}");
}

#[test]
fn what_cannot_be_recorded_or_read_is_told() {
    let folder = folder(&[("f.c", "int f(int x) { return x; }\n"), ("covet-profile", "{\"schema\":")]);
    let told = |arguments: &[&str]| {
        let output = covet(folder.path(), arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = told(&["profile", "--", "true"]);
    assert!(code == Some(2) && text.contains("not a call profile"), "{text}");
    let (code, text) = told(&["profile", "--fresh", "--", "true"]);
    assert!(code == Some(2) && text.contains("nothing was recorded"), "{text}");
    let (code, text) = told(&["profile", "--out", "other", "--", "./no-such-program"]);
    assert!(code == Some(2) && text.contains("no-such-program"), "{text}");
    let (code, text) = told(&["hunt", "f.c", "--profile", "covet-profile"]);
    assert!(code == Some(2) && text.contains("not a call profile"), "{text}");
}
