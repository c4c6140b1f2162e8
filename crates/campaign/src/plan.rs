//! A job's unit → the plan by which its input is built: a program's environment for `main` and harnesses, arguments otherwise.

use crate::job::{Elements, Environment, Inputs, Job};
use covet_input::{AccessPath, Variables};
use covet_project::{Entry, Failure, HARNESS, Prepared, entries};
use covet_unit::{Blueprint, GlobalPlace, ProgramSetup, Sizes, UnitEnvironment};
use std::collections::BTreeSet;

/// How an entry is entered.
pub struct Plan<'a> {
    pub blueprint: Blueprint<'a>,
    pub variables: Variables,
}

impl<'a> Plan<'a> {
    pub fn of(prepared: &'a Prepared, entry: Entry<'_>, job: &Job) -> Result<Plan<'a>, Failure> {
        let mut variables = Variables::default();
        let inputs = &job.inputs;
        let environment = UnitEnvironment {
            types: &prepared.program.types,
            callables: entries::callables(prepared, entry.function),
            pointee_types: entries::pointee_types(prepared, entry.function),
            limits: inputs.limits,
            sizes: sizes(inputs),
        };
        let setup = setup(&job.environment);
        let parameters = entry.function.parameters.len();
        let mut blueprint = match entry.function.name.as_str() {
            "main" => covet_unit::plan_program(environment, &setup, parameters, &mut variables),
            HARNESS => covet_unit::plan_harness(environment, job.environment.size, &setup, &mut variables),
            _ => covet_unit::plan_function(environment, entry.function, &mut variables),
        };
        let named = inputs.symbolic_globals.iter().map(|name| entries::global(prepared, name));
        let mut globals = named.collect::<Result<Vec<_>, _>>()?;
        if inputs.all_globals {
            globals.extend(entries::globals_of(prepared, entry.function));
        }
        let mut added = BTreeSet::new();
        for (global, number) in globals.into_iter().filter(|(_, number)| added.insert(*number)) {
            covet_unit::add_global(GlobalPlace { global, number }, &mut variables, &mut blueprint);
        }
        Ok(Plan { blueprint, variables })
    }
}

fn setup(environment: &Environment) -> ProgramSetup {
    ProgramSetup {
        arguments: environment.arguments.clone(),
        stdin: environment.stdin,
        files: environment.files.clone(),
    }
}

fn sizes(inputs: &Inputs) -> Sizes {
    let mut sizes = Sizes::default();
    for (path, elements) in &inputs.sizes {
        let path = AccessPath::of_argument(path);
        match elements {
            Elements::Fixed(count) => drop(sizes.fixed.insert(path, *count)),
            Elements::Parameter(name) => drop(sizes.counted.insert(path, name.clone())),
        }
    }
    sizes
}
