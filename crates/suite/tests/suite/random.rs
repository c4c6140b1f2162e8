//! Tests with random values for every function of random programs compile, and the values arrive.

use crate::common::*;
use covet_input::{Input, Value, Variables};
use covet_results::Test;
use covet_sites::FunctionNumber;
use covet_source::PointeeTypes;
use covet_suite::replay::{Config, Replay, Verdict};
use covet_unit::{Limits, UnitEnvironment, plan_function};
use std::process::Command;
use std::time::Duration;

/// A small generator of its own, so that a seed means the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) ^ (self.0 << 20)
    }

    fn bits(&mut self, width: u16) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        any >> (128 - u32::from(width))
    }
}

/// A test of every function, with random values for all its inputs.
fn tests(case: &Case, seed: u64) -> Vec<Test> {
    let mut random = Random(seed);
    let functions = || case.units[0].functions.iter().filter(|function| function.has_body && function.name != "main");
    let callables: Vec<_> = functions().map(|function| (function, FunctionNumber(1))).collect();
    let (pointee_types, sizes) = (PointeeTypes::default(), covet_unit::Sizes::default());
    let limits = Limits::default();
    let environment = UnitEnvironment { types: &case.types, callables, pointee_types, limits, sizes };
    let mut tests = Vec::new();
    for function in functions() {
        let mut variables = Variables::default();
        let pointee_types = PointeeTypes::of(&[&case.units[0]], &case.types, 0, function);
        let blueprint =
            plan_function(UnitEnvironment { pointee_types, ..environment.clone() }, function, &mut variables);
        let mut test = Test::new(format!("{}-001", function.name), &function.name);
        for &id in blueprint.variables() {
            let variable = variables.get(id);
            let value = Value { bits: random.bits(variable.width), width: variable.width, kind: variable.kind };
            test.inputs.push((variable.name.clone(), value));
        }
        test.pointers = blueprint.shape(&variables, &Input::default()).pointers;
        tests.push(test);
    }
    tests
}

fn every_test_compiles(case: &Case, what: &str, tests: Vec<Test>) {
    let programs = case.programs(tests);
    for compiler in COMPILERS {
        let config = Config {
            compiler: compiler.into(),
            flavour: covet_suite::ctest::Flavour::Plain,
            scratch: case.folder.path().to_owned(),
            objects: case.folder.path().to_owned(),
            time_limit: Duration::from_secs(20),
            bounds: Default::default(),
            threads: 1,
        };
        let replay = Replay::build(&programs, config).unwrap();
        for test in replay.tests() {
            if let Some(Verdict::CouldNotBuild(stderr)) = replay.verdict_of_build(test) {
                panic!("{what}, {compiler}, {test}: {stderr}\n{}", programs[0].text);
            }
        }
    }
}

#[test]
fn tests_of_random_programs_compile() {
    let count = std::env::var("COVET_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for seed in 1..=count {
        let output = Command::new("csmith").args(["--seed", &seed.to_string(), "--no-checksum"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let case = Case::with_flags(&[("a.c", &text)], &["-I/usr/include/csmith"]);
        let tests = tests(&case, seed);
        let mut printed = case.programs(tests.clone());
        assert!(!printed.remove(0).text.contains("/* not used: "), "seed {seed}");
        every_test_compiles(&case, &format!("seed {seed}"), tests);
    }
}
