//! Stubs beside functions: who gets one, their numbers, and that the program does not depend on who wants which.

use std::path::Path;

use covet_compile::{Config, Program, Project, Trust, build};
use covet_settings::parse;

const FIRST: &str =
    "static int helper(int x) { return x; }\nint g(int x) { return helper(x); }\nint f(int x) { return g(x); }\n";
const SECOND: &str = "static int helper(int x) { return -x; }\nint h(int x) { return helper(x); }\n";

fn built(folder: &Path, change: impl FnOnce(&mut Config)) -> Program {
    std::fs::write(folder.join("first.c"), FIRST).unwrap();
    std::fs::write(folder.join("second.c"), SECOND).unwrap();
    let mut config = Config { headers: Vec::new(), ..Config::new(folder.join("cache")) };
    change(&mut config);
    let project =
        Project::open(folder, &["first.c".into(), "second.c".into()], &[], Trust::Listed, &config.toolchain).unwrap();
    build(&config, &project).unwrap()
}

fn with_settings(folder: &Path, text: &str) -> Program {
    built(folder, |config| config.settings = parse(&folder.join("covet.toml"), text).unwrap())
}

/// What each function wants replaced, by name and unit.
fn wanted(program: &Program) -> Vec<(String, Vec<(String, usize)>)> {
    let stubs = |numbers: Vec<u32>| {
        numbers
            .into_iter()
            .map(|number| &program.replacements.functions[number as usize])
            .map(|it| (it.name.clone(), it.unit))
    };
    let all = program.functions().map(|(_, function, _)| function);
    all.map(|function| (function.name.clone(), stubs(program.replacements.wanted_by(function)).collect())).collect()
}

#[test]
fn functions_can_be_listed_without_settings() {
    let folder = tempfile::tempdir().unwrap();
    let program = built(folder.path(), |config| config.replaceable = ["helper", "g"].map(str::to_owned).into());
    let numbered: Vec<(&str, usize, u32)> =
        program.replacements.functions.iter().map(|it| (&it.name[..], it.unit, it.number)).collect();
    assert_eq!(numbered, [("g", 0, 0), ("helper", 0, 1), ("helper", 1, 2)]);
    assert!(wanted(&program).iter().all(|(_, stubs)| stubs.is_empty()));
}

#[test]
fn the_program_does_not_depend_on_who_wants_what() {
    let folder = tempfile::tempdir().unwrap();
    let for_all = with_settings(folder.path(), "stubs = [\"g\"]\n");
    let for_one = with_settings(folder.path(), "[function.f]\nstubs = [\"g\"]\n");
    assert_eq!(for_all.bitcode, for_one.bitcode);
    let wants = |program: &Program| -> Vec<String> {
        wanted(program).into_iter().filter(|(_, stubs)| !stubs.is_empty()).map(|(name, _)| name).collect()
    };
    // Never its own.
    assert_eq!(wants(&for_all), ["helper", "f", "helper", "h"]);
    assert_eq!(wants(&for_one), ["f"]);
}
