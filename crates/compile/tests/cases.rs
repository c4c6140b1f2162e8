//! Every folder in `cases` is a small project (`src`) and a native check (`check.c`) that calls its functions through their
//! drivers. `drivers.txt` lists which functions have one and why others do not; `BLESS=1` rewrites it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use covet_compile::{Config, Flavour, PlainBuild, Program, Project, Trust, build, build_plain};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn drivers(program: &Program) -> String {
    let mut text = String::new();
    for unit in &program.units {
        for driver in &unit.drivers {
            let name = &unit.model.functions[driver.function].name;
            let _ = match &driver.symbol {
                Ok(symbol) => writeln!(text, "{name}: {symbol}"),
                Err(reason) => writeln!(text, "{name}: none, {reason}"),
            };
        }
    }
    text
}

fn check(case: &Path, flavour: Flavour) {
    let scratch = tempfile::tempdir().unwrap();
    let config = Config::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let project = Project::open(case, &["src".into()], &[], Trust::Listed, &config.toolchain).unwrap();
    let program = build(&config, &project).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let expectation = case.join("drivers.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&expectation, drivers(&program)).unwrap();
    }
    assert_eq!(drivers(&program), fs::read_to_string(&expectation).unwrap_or_default(), "{}", case.display());

    let executable = scratch.path().join("check");
    let plan = PlainBuild {
        flavour,
        extra: &[case.join("check.c")],
        with_drivers: true,
        rename_main: Some("users_main"),
        allow_undefined: false,
        link_flags: &project.link_flags,
    };
    build_plain(&config, &program, &plan, &executable).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let profile = scratch.path().join("check.profraw");
    let output = Command::new(&executable).env("LLVM_PROFILE_FILE", &profile).output().unwrap();
    assert!(output.status.success(), "{}: {}", case.display(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(profile.exists(), flavour == Flavour::Coverage);
}

#[test]
fn drivers_call_what_they_should() {
    assert!(cases().len() >= 5);
    cases().iter().for_each(|case| check(case, Flavour::Plain));
}

#[test]
fn coverage_builds_measure() {
    cases().iter().for_each(|case| check(case, Flavour::Coverage));
}

#[test]
fn sanitised_builds_run() {
    cases().iter().for_each(|case| check(case, Flavour::Asan));
}
