//! Functions with a body that somebody may want replaced → stubs beside them, each with a number.
//!
//! ```text
//! static int __covet_replacing_0(int x) { ... }                               // the stub
//! void *const __covet_replaced_1_0[] = { g, __covet_replacing_0 };
//! ```
//!
//! The table is for the instrumentation, which makes `g` begin with a look at switch number 0. The body stays: it can still be
//! explored on its own. Who wants which stub is no part of the program: each run says it anew (`abi::stubs`).

use covet_abi::symbols::REPLACED;
use covet_settings::Settings;
use covet_source::{Function, Types, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::Error;
use crate::stub::{Made, Manner};

/// A function that has a stub beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    pub name: String,
    /// Of its stub, and of its switch.
    pub number: u32,
    pub unit: usize,
    pub is_static: bool,
    /// What the unit is compiled with: one line.
    pub text: String,
    /// The stub alone, for tests.
    pub stub: String,
    /// The name of the stub.
    pub stub_name: String,
    /// The settings name it; others are replaced where that can be done.
    pub is_named: bool,
}

/// What the functions of a program can be replaced by, and for whom.
#[derive(Clone, Default, Debug)]
pub struct Replacements {
    /// By number, ascending.
    pub functions: Vec<Replaced>,
    settings: Settings,
    /// Chosen once, when the program is there.
    units: OnceLock<Units>,
}

/// Names of the functions that are stubs besides what the settings say, by file and name of the function that is explored.
pub type Units = BTreeMap<(PathBuf, String), BTreeSet<String>>;

impl Replacements {
    /// Stubs beside the functions that `is_replaceable` names, among those of all units. How a stub behaves is what `settings` say, and
    /// the function that `promise` names assumes what is promised of it.
    pub fn of<'u>(
        units: impl Iterator<Item = &'u Unit>,
        types: &Types,
        settings: &Settings,
        is_replaceable: impl Fn(&Function) -> bool,
        promise: impl Fn(usize, &Function) -> Option<String>,
    ) -> Result<Replacements, Error> {
        let is_ours = |function: &Function| function.has_body && !function.in_system_header && function.name != "main";
        let mut chosen: Vec<(&str, usize, &Function)> = units
            .enumerate()
            .flat_map(|(unit, model)| model.functions.iter().map(move |function| (&function.name[..], unit, function)))
            .filter(|(_, _, function)| is_ours(function) && is_replaceable(function))
            .collect();
        // Numbered by name, so that a function more changes few numbers.
        chosen.sort_by_key(|(name, unit, _)| (*name, *unit));
        let mut functions = Vec::new();
        for (_, unit, function) in chosen {
            let (number, promise) = (functions.len() as u32, promise(unit, function));
            match replaced(unit, number, function, types, settings, promise.as_deref()) {
                Ok(replaced) => functions.push(replaced),
                Err(_) if settings.stubs_beside_all && !is_named(settings, function) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Replacements { functions, settings: settings.clone(), units: OnceLock::new() })
    }

    /// From now on these are stubs, as far as they have one. What was chosen stays so.
    pub fn choose(&self, units: Units) {
        let _ = self.units.set(units);
    }

    /// What was chosen, if anything.
    pub fn units(&self) -> Option<&Units> {
        self.units.get()
    }

    /// Forgets the stubs that did not get into the program; an error where the settings name one of them.
    pub fn keep(&mut self, is_there: impl Fn(&Replaced) -> bool) -> Result<(), Error> {
        if let Some(lost) = self.functions.iter().find(|replaced| replaced.is_named && !is_there(replaced)) {
            return Err(Error::NoStub { function: lost.name.clone() });
        }
        self.functions.retain(is_there);
        Ok(())
    }

    /// The numbers of the stubs that are called when `function` is explored: never its own.
    pub fn wanted_by(&self, function: &Function) -> Vec<u32> {
        let unit = self.units().and_then(|units| units.get(&(function.file.clone(), function.name.clone())));
        self.wanted(function, |name| unit.is_some_and(|stubs| stubs.contains(name)))
    }

    /// The same, of what the settings say alone.
    pub fn said_by(&self, function: &Function) -> Vec<u32> {
        self.wanted(function, |_| false)
    }

    fn wanted(&self, function: &Function, is_outside: impl Fn(&str) -> bool) -> Vec<u32> {
        let own = self.settings.function(&function.file, &function.name);
        let patterns = || self.settings.stubs.iter().chain(own.iter().flat_map(|about| &about.stubs));
        let is_said = |name: &str| patterns().any(|pattern| pattern.value.matches(name));
        let is_wanted = |name: &str| name != function.name && (is_said(name) || is_outside(name));
        self.functions.iter().filter(|replaced| is_wanted(&replaced.name)).map(|replaced| replaced.number).collect()
    }

    /// The lines that unit number `unit` is compiled with.
    pub fn lines(&self, unit: usize) -> impl Iterator<Item = &Replaced> {
        self.functions.iter().filter(move |replaced| replaced.unit == unit)
    }
}

/// Whether `settings` name the function as one to be replaced for somebody.
pub fn is_named(settings: &Settings, function: &Function) -> bool {
    let patterns = settings.stubs.iter().chain(settings.functions.iter().flat_map(|about| &about.stubs));
    patterns.into_iter().any(|pattern| pattern.value.matches(&function.name))
}

impl Replaced {
    /// The symbol of its table.
    pub fn table(&self) -> String {
        table(self.unit, self.number)
    }
}

fn table(unit: usize, number: u32) -> String {
    format!("{REPLACED}{unit}_{number}")
}

fn replaced(
    unit: usize,
    number: u32,
    function: &Function,
    types: &Types,
    settings: &Settings,
    promise: Option<&str>,
) -> Result<Replaced, Error> {
    let is_named = is_named(settings, function) || !settings.stubs_beside_all;
    let settings = settings.made_up.iter().find(|stub| stub.name.value == function.name);
    let stub_name = format!("__covet_replacing_{number}");
    let define = |promise: Option<&str>| -> Option<String> {
        let Made { result, parameters, body, .. } =
            Made::of(function, Manner { returns: true, has_outputs: is_named, settings, promise }, types)?;
        Some(format!("__attribute__((nodebug)) static {result} {stub_name}({parameters}) {{ {body} }}"))
    };
    let refused = || Error::NoStub { function: function.name.clone() };
    let (defined, stub) = (define(promise).ok_or_else(refused)?, define(None).ok_or_else(refused)?);
    let table = table(unit, number);
    let text = format!("{defined} void *const {table}[] = {{ (void *){}, (void *){stub_name} }};", function.name);
    let Function { name, is_static, .. } = function;
    Ok(Replaced { name: name.clone(), number, unit, is_static: *is_static, text, stub, stub_name, is_named })
}
