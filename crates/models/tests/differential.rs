//! Models in a plain program → agreement with the C library, on tens of thousands of random and edge inputs.
//!
//! The runtime is replaced by stand-ins that call everything, or some addresses, symbolic, so that the tracked code of
//! each model runs; its result, errno and memory must be those of the library.

use std::path::{Path, PathBuf};
use std::process::Command;

fn compiler() -> &'static str {
    ["clang-19", "clang", "cc"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
        .expect("no C compiler found: install clang-19")
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed with {}:\n{text}", output.status);
    text
}

/// A folder of its own for each test, with the embedded sources and headers written out.
fn unpack(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    for (name, text) in covet_models::HEADERS.iter().chain(covet_models::SOURCES) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("inside the folder")).expect("folder for the models");
        std::fs::write(path, text).expect("model written");
    }
    std::fs::write(folder.join(covet_models::NATIVE.0), covet_models::NATIVE.1).expect("native part written");
    folder
}

fn agrees(test: &str) {
    let folder = unpack(test);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    let program = folder.join("program");
    run(Command::new(compiler())
        .args(["-O0", "-w", "-I"])
        .arg(&folder)
        .arg(here.join(format!("{test}.c")))
        .arg(here.join("shim.c"))
        .args(covet_models::SOURCES.iter().map(|(name, _)| folder.join(name)))
        .arg("-lm")
        .arg("-o")
        .arg(&program));
    println!("{test}: {}", run(Command::new(&program).current_dir(&folder)));
}

#[test]
fn strings_agree() {
    agrees("strings");
}

#[test]
fn wide_characters_agree() {
    agrees("wide");
}

#[test]
fn mathematics_agree() {
    agrees("mathematics");
}

#[test]
fn numbers_and_sorting_agree() {
    agrees("numbers");
}

#[test]
fn scanf_agrees() {
    agrees("scan");
}

#[test]
fn streams_and_descriptors_agree() {
    agrees("streams");
}

#[test]
fn sprintf_agrees() {
    agrees("formats");
}

#[test]
fn getopt_agrees() {
    agrees("options");
}

#[test]
fn sources_compile_without_warnings() {
    let folder = unpack("warnings");
    let mut command = Command::new(compiler());
    command.args(["-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only", "-I"]).arg(&folder);
    run(command.args(covet_models::SOURCES.iter().map(|(name, _)| folder.join(name))));
}

/// The marking functions of a plain program, with a table as a generated test has it.
#[test]
fn replay_gives_the_recorded_values() {
    let folder = unpack("replay");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    for compiler in ["cc", compiler()] {
        let program = folder.join("program");
        run(Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-I"])
            .arg(&folder)
            .arg(here.join("replay.c"))
            .arg(folder.join(covet_models::NATIVE.0))
            .arg("-o")
            .arg(&program));
        run(&mut Command::new(&program));
        let assumed = Command::new(&program).arg("assume").status().expect("replay runs");
        assert_eq!(assumed.code(), Some(77), "a broken assumption ends with status 77");
        let asserted = Command::new(&program).arg("assert").status().expect("replay runs");
        assert_eq!(asserted.code(), None, "a failed assertion is a signal");
    }
}
