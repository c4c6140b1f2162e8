//! A job's unit → the plan by which its input is built: a program's environment for `main` and harnesses, arguments otherwise.

use crate::job::{Elements, Environment, Globals, Inputs, Job};
use covet_input::{AccessPath, Variables};
use covet_project::{Entry, Failure, HARNESS, Prepared, entries};
use covet_unit::{Blueprint, Freedom, GlobalPlace, ProgramSetup, Sizes, UnitEnvironment};
use std::collections::BTreeSet;

/// How an entry is entered.
pub struct Plan<'a> {
    pub blueprint: Blueprint<'a>,
    pub variables: Variables,
}

impl<'a> Plan<'a> {
    /// `which` globals are input, whatever the job says of them.
    pub fn of(prepared: &'a Prepared, entry: Entry<'_>, job: &Job, which: Globals) -> Result<Plan<'a>, Failure> {
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
        let members = entries::members_of(prepared, entry.function);
        for place in globals(prepared, entry, inputs, which, &members)? {
            covet_unit::add_global(place, &mut variables, &mut blueprint);
        }
        Ok(Plan { blueprint, variables })
    }
}

fn is_program(entry: Entry<'_>) -> bool {
    matches!(entry.function.name.as_str(), "main" | HARNESS)
}

/// Whether [`Globals::Auto`] would make any global of an entry an input.
pub fn has_globals(prepared: &Prepared, entry: Entry<'_>) -> bool {
    !is_program(entry) && !entries::globals_of(prepared, entry.function).is_empty()
}

/// The globals that are input: those named by the user, and those that the code names, as far as they are wanted.
fn globals<'p>(
    prepared: &'p Prepared,
    entry: Entry<'p>,
    inputs: &Inputs,
    which: Globals,
    members: &'p BTreeSet<String>,
) -> Result<Vec<GlobalPlace<'p>>, Failure> {
    let is_program = is_program(entry);
    let freedom = match which {
        Globals::Symbolic => Some(Freedom::Whole),
        Globals::Auto if !is_program => Some(Freedom::Held(members)),
        Globals::Auto | Globals::Initial => None,
    };
    let mut places = Vec::new();
    for name in &inputs.symbolic_globals {
        let (global, number) = entries::global(prepared, name)?;
        places.push(GlobalPlace { global, number, freedom: Freedom::Whole });
    }
    if let Some(freedom) = freedom {
        let read = entries::globals_of(prepared, entry.function).into_iter();
        places.extend(read.map(|(global, number)| GlobalPlace { global, number, freedom }));
    }
    let mut added = BTreeSet::new();
    places.retain(|place| added.insert(place.number));
    Ok(places)
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
