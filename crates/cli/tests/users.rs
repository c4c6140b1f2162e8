//! What people meet around the work itself, through the real binary: odd names, full disks, dead folders, several programs at once.

use serde_json::Value;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");
const SMALL: &str = "int f(int x) { if (x > 3) return 1; return 0; }\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn covet(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(COVET);
    command.current_dir(folder).args(arguments);
    command
}

fn told(output: &Output) -> (i32, String) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code().unwrap_or(-1), text)
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_full_standard_output_is_told_and_a_reader_that_leaves_is_not() {
    let folder = folder(&[("unit.c", SMALL)]);
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    for arguments in [&["cover", "unit.c"][..], &["cover", "unit.c", "--json"], &["show", "sites", "unit.c"]] {
        let (code, text) = told(&covet(folder.path(), arguments).stdout(full()).output().unwrap());
        assert!(code == 3 && text.contains("standard output: No space left"), "{code}: {text}");
    }
    assert!(folder.path().join("covet-out/results.db").exists(), "results are written all the same");
    let unheard = covet(folder.path(), &["cover", "unit.c", "--progress", "plain"]).stderr(full()).output().unwrap();
    assert_eq!(unheard.status.code(), Some(0));
    let mut left = covet(folder.path(), &["show", "bitcode", "unit.c"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(left.stdout.take());
    assert_eq!(left.wait().unwrap().code(), Some(0));
}

#[test]
fn a_place_for_temporary_files_that_is_not_there_is_told() {
    let folder = folder(&[("unit.c", SMALL)]);
    let output = covet(folder.path(), &["cover", "unit.c"]).env("TMPDIR", "/nowhere/at/all").output().unwrap();
    let (code, text) = told(&output);
    assert!(code == 3 && text.contains("/nowhere/at/all") && text.contains("TMPDIR"), "{code}: {text}");
}

#[test]
fn folders_of_killed_commands_are_swept_and_those_of_the_living_are_not() {
    let folder = folder(&[("unit.c", SMALL), ("tmp/covet-scratch-dead/.alive", ""), ("tmp/covet-scratch-dead/f", "x")]);
    let temporary = folder.path().join("tmp");
    std::fs::create_dir(temporary.join("covet-scratch-living")).unwrap();
    let lock = File::create(temporary.join("covet-scratch-living/.alive")).unwrap();
    lock.lock().unwrap();
    let output = covet(folder.path(), &["cover", "unit.c", "--quiet"]).env("TMPDIR", &temporary).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let left: Vec<_> = std::fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["covet-scratch-living"]);
}

#[test]
fn names_that_are_no_text_are_refused_with_a_reason() {
    let folder = folder(&[("unit.c", SMALL)]);
    let odd = OsStr::from_bytes(b"unit\xff.c");
    std::fs::copy(folder.path().join("unit.c"), folder.path().join(odd)).unwrap();
    let (code, text) = told(&covet(folder.path(), &["cover"]).arg(odd).output().unwrap());
    assert!(code == 2 && text.contains("not UTF-8"), "{code}: {text}");
    let inside = folder.path().join(OsStr::from_bytes(b"odd\xfe"));
    std::fs::create_dir(&inside).unwrap();
    std::fs::copy(folder.path().join("unit.c"), inside.join("unit.c")).unwrap();
    let (code, text) = told(&covet(&inside, &["cover", "unit.c"]).output().unwrap());
    assert!(code == 2 && text.contains("not UTF-8"), "{code}: {text}");
}

#[test]
fn preprocessed_files_are_c() {
    let text = "# 1 \"origin.c\"\n# 1 \"<built-in>\" 1\n# 1 \"origin.c\" 2\nint f(int x) { if (x == 77) return 1; return 0; }\n";
    let database = r#"[{"directory": ".", "file": "unit.i", "command": "cc -c unit.i"}]"#;
    let folder =
        folder(&[("alone/unit.i", text), ("both/unit.i", text), ("both/unit.c", SMALL), ("data/unit.i", text)]);
    std::fs::write(folder.path().join("data/compile_commands.json"), database).unwrap();
    for source in ["alone/unit.i", "alone", "both", "data"] {
        let output = covet(folder.path(), &["cover", source, "--json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{source}: {output:?}");
        let summary = summary(&output);
        assert_eq!(summary["totals"]["branches"], serde_json::json!({"covered": 2, "total": 2}), "{source}");
        assert_eq!(covet(folder.path(), &["replay", "covet-out", "--quiet"]).output().unwrap().status.code(), Some(0));
    }
}

#[test]
fn a_constructor_that_crashes_is_an_alarm() {
    let source = "static int *table;\n__attribute__((constructor)) static void fill(void) { table[3] = 1; }\n\
                  int f(int x) { return x > 2 ? table[x & 1] : 0; }\n";
    let folder = folder(&[("unit.c", source)]);
    let output = covet(folder.path(), &["cover", "unit.c", "--function", "f", "--json"]).output().unwrap();
    assert_eq!(told(&output).0, 1, "{output:?}");
    let alarm = &summary(&output)["alarms"][0];
    assert_eq!((&alarm["kind"], &alarm["line"]), (&"segmentation-fault".into(), &2.into()));
}

#[test]
fn progress_is_told_in_lines_where_there_is_no_terminal() {
    let folder = folder(&[("unit.c", SMALL)]);
    let lines = |how: &str| told(&covet(folder.path(), &["cover", "unit.c", "--progress", how]).output().unwrap()).1;
    assert!(lines("plain").contains("progress: compiling"), "{}", lines("plain"));
    assert_eq!(lines("none"), "");
    // Short commands do not need it.
    assert!(!lines("auto").contains("compiling"));
}

#[test]
fn of_several_programs_and_statics_one_is_chosen_by_its_file() {
    let program = |letter: char| {
        format!(
            "static int state;\nstatic int step(int x) {{ state += x; return state > {letter}; }}\n\
         int main(void) {{ return step({letter}) > 1; }}\n",
            letter = letter as u32
        )
    };
    let folder = folder(&[("a.c", &program('a')), ("sub/b.c", &program('b'))]);
    let run = |arguments: &[&str]| told(&covet(folder.path(), arguments).output().unwrap());
    let (code, text) = run(&["run", "."]);
    assert!(code == 2 && text.contains("two programs") && text.contains("--program a.c"), "{code}: {text}");
    assert_eq!(run(&["run", ".", "--program", "sub/b.c", "--progress", "none"]).0, 0);
    let (code, text) = run(&["run", ".", "--program", "c.c"]);
    assert!(code == 2 && text.contains("a.c, sub/b.c have one"), "{code}: {text}");
    let (code, text) = run(&["cover", ".", "--function", "step"]);
    assert!(code == 2 && text.contains("`a.c:step` or `sub/b.c:step`"), "{code}: {text}");
    assert_eq!(run(&["cover", ".", "--function", "b.c:step", "--quiet"]).0, 0);
    let (code, text) = run(&["cover", ".", "--function", "b.c:step", "--symbolic-global", "state"]);
    assert!(code == 2 && text.contains("b.c:state"), "{code}: {text}");
    assert_eq!(run(&["cover", ".", "--function", "b.c:step", "--symbolic-global", "b.c:state", "--quiet"]).0, 0);
}
