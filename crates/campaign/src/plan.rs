//! A job's unit → the plan by which its input is built: a program's environment for `main` and harnesses, arguments otherwise.

use crate::job::{Allocations, Elements, Environment, Globals, Inputs, Job};
use covet_input::{ALLOCATORS, AccessPath, Variables};
use covet_project::{Entry, Failure, HARNESS, Prepared, entries};
use covet_unit::{Blueprint, Freedom, GlobalPlace, Limits, ProgramSetup, Sizes, UnitEnvironment};
use std::collections::{BTreeMap, BTreeSet};

/// How an entry is entered.
pub struct Plan<'a> {
    pub blueprint: Blueprint<'a>,
    pub variables: Variables,
}

/// How much of what surrounds an entry is input. A function is explored as the program starts first, and then with all that may be otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    pub globals: Globals,
    /// Allocations may fail.
    pub refuses: bool,
}

impl Stage {
    /// The first one.
    pub fn first(prepared: &Prepared, entry: Entry<'_>, job: &Job) -> Stage {
        let is_held_back = job.inputs.globals == Globals::Auto && has_globals(prepared, entry);
        let globals = if is_held_back { Globals::Initial } else { job.inputs.globals };
        Stage { globals, refuses: job.inputs.allocations == Allocations::MayFail }
    }

    /// The one with everything in it.
    pub fn last(prepared: &Prepared, entry: Entry<'_>, job: &Job) -> Stage {
        let refuses = match job.inputs.allocations {
            Allocations::Succeed => false,
            Allocations::Auto => allocates(prepared, entry),
            Allocations::MayFail => true,
        };
        Stage { globals: job.inputs.globals, refuses }
    }
}

impl<'a> Plan<'a> {
    pub fn of(prepared: &'a Prepared, entry: Entry<'_>, job: &Job, stage: Stage) -> Result<Plan<'a>, Failure> {
        let mut variables = Variables::default();
        let inputs = &job.inputs;
        let largest_room = entries::rooms_of(prepared, entry.function).last().copied().unwrap_or_default();
        let environment = UnitEnvironment {
            types: &prepared.program.types,
            callables: entries::callables(prepared, entry.function),
            pointee_types: entries::pointee_types(prepared, entry.function),
            limits: Limits { largest_room, ..inputs.limits },
            sizes: sizes(inputs, entries::rooms_given(prepared, entry.function)),
        };
        let setup = setup(&job.environment);
        let parameters = entry.function.parameters.len();
        let mut blueprint = match entry.function.name.as_str() {
            "main" => covet_unit::plan_program(environment, &setup, parameters, &mut variables),
            HARNESS => covet_unit::plan_harness(environment, job.environment.size, &setup, &mut variables),
            _ => covet_unit::plan_function(environment, entry.function, &mut variables),
        };
        if !is_program(entry) {
            surround(&mut blueprint, prepared, entry, inputs, &mut variables);
        }
        let members = entries::members_of(prepared, entry.function);
        for place in globals(prepared, entry, inputs, stage.globals, &members)? {
            covet_unit::add_global(place, &mut variables, &mut blueprint);
        }
        if stage.refuses {
            covet_unit::add_refusals(&mut blueprint);
        }
        Ok(Plan { blueprint, variables })
    }
}

/// Functions that read standard input, and those that change what the environment says.
const READERS: [&str; 9] =
    ["stdin", "getchar", "getchar_unlocked", "gets", "scanf", "vscanf", "__isoc99_scanf", "getwchar", "wscanf"];
const SETTERS: [&str; 4] = ["setenv", "unsetenv", "putenv", "clearenv"];

/// What the system tells a function is input, unless the function is the one that tells the system.
fn surround(
    blueprint: &mut Blueprint<'_>,
    prepared: &Prepared,
    entry: Entry<'_>,
    inputs: &Inputs,
    variables: &mut Variables,
) {
    let mentions = entries::mentions_of(prepared, entry.function);
    let names = |any: &[&str]| any.iter().any(|name| mentions.contains(*name));
    if names(&SETTERS) {
        return;
    }
    let stdin = names(&READERS).then_some(inputs.limits.stream);
    covet_unit::add_surroundings(blueprint, stdin, variables);
}

fn is_program(entry: Entry<'_>) -> bool {
    matches!(entry.function.name.as_str(), "main" | HARNESS)
}

/// Whether an entry, or what it calls, asks for memory itself. What a whole program is refused is the system's affair.
fn allocates(prepared: &Prepared, entry: Entry<'_>) -> bool {
    let mentions = entries::mentions_of(prepared, entry.function);
    !is_program(entry) && ALLOCATORS.iter().any(|name| mentions.contains(*name))
}

/// Whether [`Globals::Auto`] would make any global of an entry an input.
fn has_globals(prepared: &Prepared, entry: Entry<'_>) -> bool {
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

fn sizes(inputs: &Inputs, given: BTreeMap<String, u64>) -> Sizes {
    let given = given.into_iter().map(|(name, bytes)| (AccessPath::argument(&name), bytes)).collect();
    let mut sizes = Sizes { given, ..Sizes::default() };
    for (path, elements) in &inputs.sizes {
        let path = AccessPath::of_argument(path);
        match elements {
            Elements::Fixed(count) => drop(sizes.fixed.insert(path, *count)),
            Elements::Parameter(name) => drop(sizes.counted.insert(path, name.clone())),
        }
    }
    sizes
}
