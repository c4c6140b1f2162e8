//! `COVET_LOG` tells the work inside on standard error, joint by joint; without it nothing is told.

use std::process::Command;

const SOURCE: &str = "int f(int a, int b) { return a > 3 && b / a == 7; }\n";

/// What comes out on standard error of covering a small function.
fn told(log: Option<&str>) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), SOURCE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_covet"));
    command.current_dir(folder.path()).args(["cover", "unit.c", "--quiet", "--no-official"]).env_remove("COVET_LOG");
    command.envs(log.map(|log| ("COVET_LOG", log)));
    let output = command.output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn nothing_is_told_unless_asked_for() {
    assert_eq!(told(None), "");
    assert!(told(Some("covet_solve=[")).contains("note: COVET_LOG"));
}

#[test]
fn every_joint_tells() {
    let all = told(Some("debug"));
    for word in
        ["worker started", "flip", "query", "answer=\"sat\"", "tier=", "explored", "tests run on the plain build"]
    {
        assert!(all.contains(word), "{word} is missing in\n{all}");
    }
    let solving = told(Some("covet_solve=debug"));
    assert!(solving.contains("query") && !solving.contains("worker started"), "{solving}");
}
