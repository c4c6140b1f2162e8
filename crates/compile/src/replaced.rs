//! Functions with a body that the user wants replaced (`--stub`, `covet.toml`) → stubs beside them, and a switch for each.
//!
//! ```text
//! unsigned char __covet_stubbed_0;                                            // set by the drivers of those who want it
//! static int __covet_replacing_0(int x) { ... }                               // the stub
//! void *const __covet_replaced_1_0[] = { g, __covet_replacing_0, &__covet_stubbed_0 };
//! ```
//!
//! The table is for the instrumentation, which makes `g` begin with a look at its switch. The body stays: it can still be explored
//! on its own.

use std::collections::{BTreeMap, BTreeSet};

use covet_abi::symbols::REPLACED;
use covet_settings::{Pattern, Said, Settings};
use covet_source::{Function, Types, Unit};

use crate::Error;
use crate::stub::{Made, Manner};

/// A function that has a stub beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    pub name: String,
    /// Of all functions of this name.
    pub number: usize,
    pub unit: usize,
    pub is_static: bool,
    /// What the unit is compiled with: one line.
    pub text: String,
    /// The stub alone, for tests.
    pub stub: String,
    /// The name of the stub.
    pub stub_name: String,
}

/// What the functions of a program are replaced by, and for whom.
#[derive(Clone, Default, Debug)]
pub struct Replacements {
    pub functions: Vec<Replaced>,
    numbers: BTreeMap<String, usize>,
    settings: Settings,
}

impl Replacements {
    /// The replacements that `settings` ask for, among the functions of all units.
    pub fn of<'u>(
        units: impl Iterator<Item = &'u Unit> + Clone,
        types: &Types,
        settings: &Settings,
        promise: impl Fn(usize, &Function) -> Option<String>,
    ) -> Result<Replacements, Error> {
        let patterns: Vec<&Said<Pattern>> =
            settings.stubs.iter().chain(settings.functions.iter().flat_map(|about| &about.stubs)).collect();
        let is_wanted = |function: &&Function| {
            let is_ours = function.has_body && !function.in_system_header && function.name != "main";
            is_ours && patterns.iter().any(|pattern| pattern.value.matches(&function.name))
        };
        let names: BTreeSet<&str> = units
            .clone()
            .flat_map(|unit| &unit.functions)
            .filter(is_wanted)
            .map(|function| function.name.as_str())
            .collect();
        let numbers: BTreeMap<String, usize> =
            names.into_iter().enumerate().map(|(number, name)| (name.to_owned(), number)).collect();
        let mut functions = Vec::new();
        for (unit, model) in units.enumerate() {
            for function in model.functions.iter().filter(is_wanted) {
                let promise = promise(unit, function);
                functions.push(replaced(unit, numbers[&function.name], function, types, settings, promise.as_deref())?);
            }
        }
        Ok(Replacements { functions, numbers, settings: settings.clone() })
    }

    /// The numbers of the functions that are replaced when `function` is explored: never its own.
    pub fn wanted_by(&self, function: &Function) -> Vec<usize> {
        let own = self.settings.function(&function.file, &function.name);
        let patterns = || self.settings.stubs.iter().chain(own.iter().flat_map(|about| &about.stubs));
        let is_wanted = |name: &str| name != function.name && patterns().any(|pattern| pattern.value.matches(name));
        self.numbers.iter().filter(|(name, _)| is_wanted(name)).map(|(_, number)| *number).collect()
    }

    /// The statements that switch these functions over to their stubs.
    pub fn switches(&self, function: &Function) -> String {
        self.wanted_by(function).iter().map(|number| format!("{} = 1; ", switch(*number))).collect()
    }

    /// What the text of every unit declares.
    pub fn declarations(&self) -> Vec<String> {
        self.numbers
            .values()
            .map(|number| format!("__attribute__((weak)) unsigned char {};", switch(*number)))
            .collect()
    }

    /// The lines that unit number `unit` is compiled with.
    pub fn lines(&self, unit: usize) -> impl Iterator<Item = &Replaced> {
        self.functions.iter().filter(move |replaced| replaced.unit == unit)
    }
}

impl Replaced {
    /// The symbol of its table.
    pub fn table(&self) -> String {
        table(self.unit, self.number)
    }
}

fn switch(number: usize) -> String {
    format!("__covet_stubbed_{number}")
}

fn table(unit: usize, number: usize) -> String {
    format!("{REPLACED}{unit}_{number}")
}

fn replaced(
    unit: usize,
    number: usize,
    function: &Function,
    types: &Types,
    settings: &Settings,
    promise: Option<&str>,
) -> Result<Replaced, Error> {
    let settings = settings.made_up.iter().find(|stub| stub.name.value == function.name);
    let stub_name = format!("__covet_replacing_{number}");
    let define = |promise: Option<&str>| -> Option<String> {
        let Made { result, parameters, body, .. } =
            Made::of(function, Manner { returns: true, settings, promise }, types)?;
        Some(format!("__attribute__((nodebug)) static {result} {stub_name}({parameters}) {{ {body} }}"))
    };
    let refused = || Error::NoStub { function: function.name.clone() };
    let (defined, stub) = (define(promise).ok_or_else(refused)?, define(None).ok_or_else(refused)?);
    let text = format!(
        "{defined} void *const {}[] = {{ (void *){}, (void *){stub_name}, &{} }};",
        table(unit, number),
        function.name,
        switch(number)
    );
    let Function { name, is_static, .. } = function;
    Ok(Replaced { name: name.clone(), number, unit, is_static: *is_static, text, stub, stub_name })
}
