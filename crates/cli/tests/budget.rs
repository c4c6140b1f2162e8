//! Time and results through the real binary: a command ends in its time, shares it, and keeps what it found however it ends.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const COVET: &str = env!("CARGO_BIN_EXE_covet");

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(COVET).current_dir(folder).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// What `--time` allows.
fn allowed(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds * 1.1 + 2.0)
}

/// A function that is never exhausted, with a branch that is never reached.
fn endless(name: &str) -> String {
    format!(
        "unsigned long {name}(const unsigned char *bytes, unsigned long count)
        {{
            unsigned long state = 1;
            for (unsigned long i = 0; i < count; i++) {{
                state = (state ^ bytes[i]) * 6364136223846793005ul + 1442695040888963407ul;
                if (bytes[i] == i) state++;
            }}
            return state == 12345678901234567ul ? 2 : state & 1;
        }}
"
    )
}

/// A folder with a unit that was compiled and instrumented before, so that there is time to explore.
fn prepared(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), text).unwrap();
    let first = covet(folder.path(), &["cover", "unit.c", "--iterations", "1", "--no-official", "--out", "first"]);
    assert!(first.status.success(), "{first:?}");
    folder
}

#[test]
fn the_time_is_that_of_the_whole_command_and_functions_share_it() {
    let small: String = (0..12).map(|n| format!("int small{n}(int a) {{ return a == {n} ? 1 : 0; }}\n")).collect();
    let folder = prepared(&(endless("first") + &small + &endless("last")));
    let began = Instant::now();
    let output = covet(folder.path(), &["cover", "unit.c", "--time", "12", "--json"]);
    let took = began.elapsed();
    assert!(took < allowed(12.0), "{took:?}: {output:?}");
    let summary = json(&output);
    let functions = summary["functions"].as_array().unwrap();
    assert!(functions.iter().all(|function| function["outcome"] == "done"), "{functions:?}");
    let seconds = |name: &str| functions.iter().find(|f| f["name"] == name).unwrap()["seconds"].as_f64().unwrap();
    // What the small ones do not use goes to these two, and neither gets all of it.
    assert!(seconds("first") > 1.5 && seconds("last") > 1.5, "{} {}", seconds("first"), seconds("last"));
    assert_eq!(summary["stopped"], "time");
    let whole = summary["seconds"].as_f64().unwrap();
    assert!((whole - took.as_secs_f64()).abs() < 1.0, "{whole} {took:?}");
    let phases = summary["totals"]["phases"].as_object().unwrap();
    let sum: f64 = phases.values().map(|seconds| seconds.as_f64().unwrap()).sum();
    assert!(phases.len() == 7 && sum <= whole && sum > whole / 2.0, "{phases:?} of {whole}");
}

#[test]
fn a_time_that_is_up_while_compiling_is_a_clear_error() {
    // What it takes to load compiler and libraries from a cold disk is nobody's budget.
    let folder = prepared("int f(int a) { return a == 7; }\n");
    let function = |n: u32| format!("int f{n}(int a, int b) {{ for (; a > b; b++) a ^= {n}; return a; }}\n");
    std::fs::write(folder.path().join("unit.c"), (0..3000).map(function).collect::<String>()).unwrap();
    let began = Instant::now();
    let output = covet(folder.path(), &["cover", "unit.c", "--time", "1"]);
    assert!(began.elapsed() < allowed(1.0), "{:?}", began.elapsed());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the time was up while compiling"), "{output:?}");
    assert!(!folder.path().join("covet-out").exists());
}

#[test]
fn a_command_in_which_every_function_failed_says_so_and_leaves_earlier_results_alone() {
    let folder = prepared("int f(int a) { return a == 7; }\nint g(int a) { return a == 8; }\n");
    let before = covet(folder.path(), &["replay", "first", "--json"]);
    // No worker can map its pages in so little room.
    let limited = format!("ulimit -v 900000; exec {COVET} cover unit.c --time 20 --out first");
    let output = Command::new("sh").arg("-c").arg(limited).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 of 2 functions could not be explored"), "{output:?}");
    assert_eq!(covet(folder.path(), &["replay", "first", "--json"]).stdout, before.stdout);
}

/// Starts a command and, some time later, sends it a signal; gives its exit code and how long it took to end.
fn signalled(folder: &Path, signal: &str, after: Duration) -> (Option<i32>, Duration) {
    let quiet = || Stdio::null();
    // Tests that run in the background of a script ignore interrupts, and so does what they start.
    let arguments = ["--default-signal", COVET, "cover", "unit.c", "--time", "300"];
    let mut child =
        Command::new("env").current_dir(folder).args(arguments).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    std::thread::sleep(after);
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let began = Instant::now();
    (child.wait().unwrap().code(), began.elapsed())
}

#[test]
fn interrupts_at_any_moment_end_with_results_within_two_seconds() {
    let folder = prepared(&endless("f"));
    // Before `main` nobody can catch anything, and a busy machine takes its time to load a program.
    for (signal, after) in [("-INT", 150), ("-HUP", 700), ("-TERM", 2600)] {
        let (code, waited) = signalled(folder.path(), signal, Duration::from_millis(after));
        assert_eq!(code, Some(130), "{signal} after {after} ms");
        assert!(waited < Duration::from_millis(2200), "{signal} after {after} ms: {waited:?}");
    }
    let replayed = covet(folder.path(), &["replay", "covet-out", "--json"]);
    assert!(replayed.status.success() && !json(&replayed)["tests"].as_array().unwrap().is_empty(), "{replayed:?}");
}

#[test]
fn what_a_killed_command_had_found_can_be_replayed() {
    let folder = prepared(&endless("f"));
    let (code, _) = signalled(folder.path(), "-KILL", Duration::from_secs(3));
    assert_eq!(code, None);
    let replayed = covet(folder.path(), &["replay", "covet-out", "--json"]);
    assert!(replayed.status.success() && !json(&replayed)["tests"].as_array().unwrap().is_empty(), "{replayed:?}");
    // The next command is not in its way.
    let next = covet(folder.path(), &["cover", "unit.c", "--time", "6", "--json", "--no-official"]);
    assert!(matches!(next.status.code(), Some(0 | 1)), "{next:?}");
}
