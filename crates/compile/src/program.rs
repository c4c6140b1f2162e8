//! Project → program: every unit parsed, compiled together with its drivers, and linked.
//!
//! A unit that compiles by itself always compiles here: a driver that clang refuses is dropped, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use covet_source::{Function, Parser, Translation, Types, Unit};

use crate::bitcode;
use crate::clang::Tools;
use crate::conditions::Conditions;
use crate::driver::{Driver, Extension, driver_symbol};
use crate::foreign;
use crate::link::{self, link};
use crate::replaced::{self, Replacements};
use crate::stub::{self, Stub};
use crate::{Config, Error, Misfits, Project, missing, models};
use covet_launch::together;

/// A linked program, ready to be instrumented.
#[derive(Debug)]
pub struct Program {
    pub units: Vec<CompiledUnit>,
    /// Units that do not compile ([`crate::Misfits::LeaveOut`]).
    pub broken: Vec<BrokenUnit>,
    /// The types of all units.
    pub types: Types,
    /// The user's code with its drivers.
    pub bitcode: PathBuf,
    /// The library models; definitions in `bitcode` go before those here.
    pub models: PathBuf,
    /// Symbols that neither the user's code nor the models define.
    pub undefined: BTreeSet<String>,
    /// What stands for parts that no library defines either ([`crate::Config::stubs`]).
    pub stubs: Vec<Stub>,
    /// What stands beside functions that the user wants replaced.
    pub replacements: Replacements,
}

/// A unit that clang refuses, and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenUnit {
    pub file: PathBuf,
    pub stderr: String,
}

#[derive(Debug)]
pub struct CompiledUnit {
    /// How it is compiled, all flags included.
    pub translation: Translation,
    pub model: Unit,
    pub bitcode: PathBuf,
    /// One for each function with a body that belongs to this unit, in the order of the model.
    pub drivers: Vec<Driver>,
    /// The text appended to the unit, as a file.
    pub driver_file: Option<PathBuf>,
    /// Symbols that an earlier unit defines too: those of this one are its own ([`crate::Misfits::KeepApart`]).
    pub private: BTreeSet<String>,
}

impl CompiledUnit {
    /// The symbol of the driver of function `name`, when it has one.
    pub fn driver_of(&self, name: &str) -> Option<&str> {
        let of_name = |driver: &&Driver| self.model.functions[driver.function].name == name;
        self.drivers.iter().find(of_name)?.symbol.as_deref().ok()
    }
}

impl Program {
    /// The driver of `function` in unit number `unit`.
    pub fn driver(&self, unit: usize, function: &str) -> Option<&str> {
        self.units.get(unit)?.driver_of(function)
    }

    /// Every function that has a driver: unit number, function, driver symbol.
    pub fn functions(&self) -> impl Iterator<Item = (usize, &Function, &str)> {
        self.units.iter().enumerate().flat_map(|(number, unit)| {
            unit.drivers.iter().filter_map(move |driver| {
                let symbol = driver.symbol.as_deref().ok()?;
                Some((number, &unit.model.functions[driver.function], symbol))
            })
        })
    }
}

/// Compiles and links `project`.
pub fn build(config: &Config, project: &Project) -> Result<Program, Error> {
    let tools = Tools::open(config)?;
    let parser = Parser::load(&config.toolchain)?;
    let mut types = Types::default();
    let (parsed, broken) = parse_all(&tools, &parser, project, &mut types)?;
    let mut extra = Extra::of(&tools, &parsed, &types)?;
    let wanted = assign(&parsed);
    let mut additions: Vec<Additions> = (0..parsed.len()).map(|unit| extra.additions(unit)).collect();
    let mut units = compile_all(&tools, &parsed, &types, &extra, &wanted, &additions)?;
    let mut bitcode = link_units(&tools, &mut units)?;
    let mut symbols = link::symbols(&tools, &bitcode)?;
    if find_unexported(&units, &symbols.undefined, &mut additions) {
        units = compile_all(&tools, &parsed, &types, &extra, &wanted, &additions)?;
        bitcode = link_units(&tools, &mut units)?;
        symbols = link::symbols(&tools, &bitcode)?;
    }
    let models = models::file(&tools)?;
    let provided = models::symbols();
    let unprovided = |symbols: &link::Symbols| -> BTreeSet<String> {
        symbols.undefined.iter().filter(|name| !models::provide(&provided, name)).cloned().collect()
    };
    let mut stubs = Vec::new();
    if config.stubs {
        let missing = missing::missing(&tools, &unprovided(&symbols), &project.link_flags)?;
        stubs = stubs_for(&tools, &bitcode, &parsed, &types, &extra, &missing)?;
    }
    if !stubs.is_empty() {
        stubs.iter().for_each(|stub| additions[stub.unit].stubs.push(stub.text.clone()));
        units = compile_all(&tools, &parsed, &types, &extra, &wanted, &additions)?;
        bitcode = link_units(&tools, &mut units)?;
        symbols = link::symbols(&tools, &bitcode)?;
        stubs.retain(|stub| !unprovided(&symbols).contains(&stub.name));
    }
    drop_unusable(&mut units, &symbols);
    extra.check(&symbols)?;
    let undefined = unprovided(&symbols);
    Ok(Program { units, broken, types, bitcode, models, undefined, stubs, replacements: extra.replacements })
}

/// What a unit is compiled with besides its drivers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Additions {
    /// Inline functions (by index) that must be given a symbol.
    pub exported: BTreeSet<usize>,
    /// Definitions of what is missing, a line each.
    pub stubs: Vec<String>,
}

/// What the user says about functions, made C.
struct Extra {
    /// By unit.
    conditions: Vec<Conditions>,
    replacements: Replacements,
}

impl Extra {
    fn of(tools: &Tools<'_>, parsed: &[Parsed], types: &Types) -> Result<Extra, Error> {
        let settings = &tools.config.settings;
        let conditions: Vec<Conditions> =
            parsed.iter().enumerate().map(|(unit, (_, model))| Conditions::of(unit, model, settings)).collect();
        for ((translation, _), conditions) in parsed.iter().zip(&conditions) {
            conditions.check(tools, translation)?;
        }
        let promise = |unit: usize, function: &Function| conditions[unit].promise_of(&function.name).map(str::to_owned);
        let units = parsed.iter().map(|(_, model)| model);
        let is_replaceable = |function: &Function| {
            let is_listed = tools.config.replaceable.contains(&function.name);
            settings.stubs_beside_all || is_listed || replaced::is_named(settings, function)
        };
        let replacements = Replacements::of(units, types, settings, is_replaceable, promise)?;
        Ok(Extra { conditions, replacements })
    }

    fn additions(&self, unit: usize) -> Additions {
        let stubs = self.replacements.lines(unit).map(|replaced| replaced.text.clone()).collect();
        Additions { stubs, ..Additions::default() }
    }

    /// Whether every function that is to be replaced is.
    fn check(&mut self, symbols: &link::Symbols) -> Result<(), Error> {
        self.replacements.keep(|replaced| symbols.defined.contains(&replaced.table()))
    }
}

/// Stubs for the missing symbols that a unit declares.
fn stubs_for(
    tools: &Tools<'_>,
    bitcode: &Path,
    parsed: &[Parsed],
    types: &Types,
    extra: &Extra,
    missing: &BTreeSet<String>,
) -> Result<Vec<Stub>, Error> {
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let endings = missing::endings(tools, bitcode)?;
    let mut stubs: Vec<Stub> = Vec::new();
    for symbol in missing {
        let made = parsed.iter().enumerate().find_map(|(unit, (_, model))| {
            let function = model.functions.iter().find(|function| function.symbol == *symbol);
            let global = model.globals.iter().find(|global| global.symbol == *symbol);
            let of_function = function.and_then(|function| {
                let settings = tools.config.settings.made_up.iter().find(|about| about.name.value == function.name);
                let promise = extra.conditions[unit].promise_of(&function.name);
                let returns = !endings.contains(symbol);
                let manner = stub::Manner { returns, has_outputs: true, settings, promise };
                stub::of_function(stubs.len(), unit, function, manner, types)
            });
            of_function.or_else(|| global.map(|global| stub::of_global(stubs.len(), unit, global, types)))
        });
        stubs.extend(made);
    }
    Ok(stubs)
}

pub(crate) type Parsed = (Translation, Unit);

/// The models of all units, and the units that have none because they do not compile. At least one compiles.
fn parse_all(
    tools: &Tools<'_>,
    parser: &Parser,
    project: &Project,
    types: &mut Types,
) -> Result<(Vec<Parsed>, Vec<BrokenUnit>), Error> {
    let mut parsed = Vec::new();
    let mut broken = Vec::new();
    for unit in &project.units {
        let translation = tools.with_common_flags(unit);
        match parse(parser, &translation, types) {
            Ok(model) => parsed.push((translation, model)),
            Err(Error::Clang { file, stderr }) if tools.config.misfits == Misfits::LeaveOut => {
                broken.push(BrokenUnit { file, stderr });
            }
            Err(error) => return Err(error),
        }
    }
    foreign::leave_out(&mut parsed, &mut broken);
    match broken.first() {
        Some(first) if parsed.is_empty() => {
            Err(Error::Clang { file: first.file.clone(), stderr: first.stderr.clone() })
        }
        Some(_) | None => Ok((parsed, broken)),
    }
}

/// The model of a unit. One that clang compiles but libclang does not read has no functions to offer, and still compiles.
fn parse(parser: &Parser, translation: &Translation, types: &mut Types) -> Result<Unit, Error> {
    match parser.parse(translation, types) {
        Err(covet_source::Error::Libclang { file, .. }) => {
            Ok(Unit { file, functions: Vec::new(), globals: Vec::new(), records: Default::default() })
        }
        other => Ok(other?),
    }
}

/// Which functions get a driver in which unit: those with a body, outside system headers. A function of a header that
/// many units include gets one in the first of them.
fn assign(parsed: &[Parsed]) -> Vec<Vec<usize>> {
    let mut from_headers: BTreeSet<(&Path, u32, &str)> = BTreeSet::new();
    let mut wanted = Vec::new();
    for (_, model) in parsed {
        let mut of_unit = Vec::new();
        for (index, function) in model.functions.iter().enumerate() {
            let place = (function.file.as_path(), function.line, function.name.as_str());
            let is_wanted = function.has_body && !function.in_system_header;
            if is_wanted && (function.in_main_file || from_headers.insert(place)) {
                of_unit.push(index);
            }
        }
        wanted.push(of_unit);
    }
    wanted
}

fn compile_all(
    tools: &Tools<'_>,
    parsed: &[Parsed],
    types: &Types,
    extra: &Extra,
    wanted: &[Vec<usize>],
    additions: &[Additions],
) -> Result<Vec<CompiledUnit>, Error> {
    let units = together(tools.config.jobs, parsed, |number, (translation, model)| {
        let job = UnitJob { tools, number, translation, model, types, extra, additions: &additions[number] };
        job.compile(&wanted[number])
    });
    units.into_iter().collect()
}

/// One unit to compile.
struct UnitJob<'a> {
    tools: &'a Tools<'a>,
    number: usize,
    translation: &'a Translation,
    model: &'a Unit,
    types: &'a Types,
    extra: &'a Extra,
    additions: &'a Additions,
}

impl UnitJob<'_> {
    fn compile(&self, wanted: &[usize]) -> Result<CompiledUnit, Error> {
        let preprocessed = self.tools.preprocess(self.translation)?;
        let conditions = &self.extra.conditions[self.number];
        let conditions_file = conditions.file(self.tools)?;
        let extension = Extension {
            unit: self.number,
            model: self.model,
            types: self.types,
            additions: self.additions,
            conditions,
            conditions_file: conditions_file.as_deref(),
        };
        let mut refused: BTreeMap<usize, String> = BTreeMap::new();
        for &index in wanted {
            if let Err(reason) = extension.driver(index) {
                refused.insert(index, reason);
            }
        }
        let mut stubs = self.additions.stubs.clone();
        // Each round drops at least one driver or stub, so this ends; real code needs one round, rarely two.
        loop {
            let accepted: Vec<usize> = wanted.iter().copied().filter(|index| !refused.contains_key(index)).collect();
            if accepted.is_empty() && stubs.is_empty() {
                let bitcode = self.clang(&preprocessed, None)?;
                return Ok(self.compiled(bitcode, None, wanted, &refused));
            }
            let drivers = extension.write(&accepted, &stubs);
            let file = self.tools.cache.bytes("drivers", "inc", drivers.text.as_bytes())?;
            match self.clang(&preprocessed, Some(&file)) {
                Ok(bitcode) => return Ok(self.compiled(bitcode, Some(file), wanted, &refused)),
                Err(Error::Clang { stderr, .. }) => {
                    let before = (refused.len(), stubs.len());
                    let errors = errors_in(&file, &stderr);
                    stubs.retain(|stub| !errors.iter().any(|(line, _)| drivers.is_stub_at(*line, stub)));
                    for (line, message) in errors {
                        if let Some(index) = drivers.function_at(line) {
                            refused.entry(index).or_insert(message);
                        }
                    }
                    if (refused.len(), stubs.len()) == before && !stubs.is_empty() {
                        stubs.clear();
                    } else if (refused.len(), stubs.len()) == before {
                        let reason = stderr.lines().next().unwrap_or("clang refused the unit with drivers").to_owned();
                        accepted.iter().for_each(|index| {
                            refused.insert(*index, reason.clone());
                        });
                    }
                }
                Err(other) => return Err(other),
            }
        }
    }

    fn clang(&self, preprocessed: &[u8], drivers: Option<&Path>) -> Result<PathBuf, Error> {
        self.tools.compile_extended(self.translation, bitcode::FLAGS, "bc", preprocessed, drivers)
    }

    fn compiled(
        &self,
        bitcode: PathBuf,
        driver_file: Option<PathBuf>,
        wanted: &[usize],
        refused: &BTreeMap<usize, String>,
    ) -> CompiledUnit {
        let drivers = wanted.iter().map(|&function| Driver {
            function,
            symbol: match refused.get(&function) {
                Some(reason) => Err(reason.clone()),
                None => Ok(driver_symbol(self.number, &self.model.functions[function].name)),
            },
        });
        CompiledUnit {
            translation: self.translation.clone(),
            model: self.model.clone(),
            bitcode,
            drivers: drivers.collect(),
            driver_file,
            private: BTreeSet::new(),
        }
    }
}

/// The errors clang reports inside `file`: line and message.
fn errors_in(file: &Path, stderr: &str) -> Vec<(usize, String)> {
    let prefix = format!("{}:", file.display());
    let parse = |line: &str| {
        let rest = line.strip_prefix(&prefix)?;
        let (number, rest) = rest.split_once(':')?;
        let (_, message) = rest.split_once("error: ")?;
        Some((number.parse().ok()?, message.to_owned()))
    };
    stderr.lines().filter_map(parse).collect()
}

/// Links the units. Where two define the same symbol, that of the later one becomes its own, and that of a program's `main` before that of what
/// several programs share.
fn link_units(tools: &Tools<'_>, units: &mut [CompiledUnit]) -> Result<PathBuf, Error> {
    let files: Vec<&Path> = units.iter().map(|unit| unit.bitcode.as_path()).collect();
    // Asked only when it matters: looking at every unit's symbols takes longer than linking them.
    match link(tools, &files) {
        Err(Error::Clang { stderr, .. }) if stderr.contains("symbol multiply defined") => {}
        other => return other,
    }
    let has_main = |unit: &CompiledUnit| unit.model.function("main").is_some_and(|main| main.has_body);
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|number| has_main(&units[*number]));
    let clashes = link::clashes(tools, &order.iter().map(|number| files[*number]).collect::<Vec<&Path>>())?;
    for (number, clashes) in order.iter().copied().zip(clashes) {
        let Some(link::Clash { symbol, first }) = clashes.first() else { continue };
        if tools.config.misfits == Misfits::Refuse {
            let (first, second) = (units[order[*first]].model.file.clone(), units[number].model.file.clone());
            return Err(Error::DefinedTwice { symbol: symbol.clone(), first, second });
        }
        units[number].private = clashes.into_iter().map(|clash| clash.symbol).collect();
    }
    let files = together(tools.config.jobs, units, |_, unit| link::with_private(tools, &unit.bitcode, &unit.private));
    let files: Vec<PathBuf> = files.into_iter().collect::<Result<_, _>>()?;
    link(tools, &files.iter().map(PathBuf::as_path).collect::<Vec<&Path>>())
}

/// An `inline` function that no unit gives a symbol is called but nowhere defined. Optimised builds inline it; here the first
/// unit that knows its body is asked to define it. True when there is such a function.
fn find_unexported(units: &[CompiledUnit], undefined: &BTreeSet<String>, additions: &mut [Additions]) -> bool {
    let mut found = BTreeSet::new();
    for (number, unit) in units.iter().enumerate() {
        for driver in &unit.drivers {
            let function = &unit.model.functions[driver.function];
            let is_missing = function.is_inline && !function.is_static && undefined.contains(&function.symbol);
            if is_missing && found.insert(&function.symbol) {
                additions[number].exported.insert(driver.function);
            }
        }
    }
    !found.is_empty()
}

/// Takes back the drivers that did not reach the linked module or whose function did not.
fn drop_unusable(units: &mut [CompiledUnit], symbols: &link::Symbols) {
    for unit in units {
        for driver in &mut unit.drivers {
            let Ok(symbol) = &driver.symbol else { continue };
            let function = &unit.model.functions[driver.function];
            if !symbols.defined.contains(symbol) {
                driver.symbol = Err("its driver was lost on the way through the compiler".to_owned());
            } else if !function.is_static && !symbols.defined.contains(&function.symbol) {
                driver.symbol =
                    Err("only an inline version is here; the function itself is defined elsewhere".to_owned());
            }
        }
    }
}
