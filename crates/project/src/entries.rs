//! Names of functions become entries: which function of which unit, and its number in the program.

use crate::{Failure, Prepared};
use covet_compile::Program;
use covet_settings::{Settings, near};
use covet_sites::{FunctionId, FunctionInfo, FunctionNumber, GlobalInfo, SiteMap};
use covet_source::{Beliefs, Function, Global, PointeeTypes, TypeKind, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A function that can be called from outside.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    pub function: &'a Function,
    pub number: FunctionNumber,
}

impl Prepared {
    /// The entry with this id.
    pub fn entry(&self, id: &FunctionId) -> Result<Entry<'_>, Failure> {
        let number = self.ids.function_number(id);
        let found = number.and_then(|number| all(self).find(|entry| entry.number == number));
        found
            .ok_or_else(|| Failure::User(format!("{id}: there is no such function, or it cannot be called on its own")))
    }

    /// What an entry is called in this build and the next.
    pub fn id_of(&self, entry: Entry<'_>) -> FunctionId {
        let known = self.ids.function_id(entry.number).cloned();
        known.unwrap_or_else(|| FunctionId { file: String::new(), name: entry.function.name.clone() })
    }
}

/// The harness entry of libFuzzer.
pub const HARNESS: &str = "LLVMFuzzerTestOneInput";

/// The functions named, or all functions written in the sources that `settings` do not skip when none is.
pub fn functions<'a>(prepared: &'a Prepared, names: &[String], settings: &Settings) -> Result<Vec<Entry<'a>>, Failure> {
    if names.is_empty() {
        let is_wanted = |function: &Function| {
            function.in_main_file && function.name != "main" && !settings.skips(&function.file, &function.name)
        };
        let all: Vec<_> = all(prepared).filter(|entry| is_wanted(entry.function)).collect();
        return match all.is_empty() {
            false => Ok(all),
            true => Err(Failure::user(
                "no function here can be called on its own; to explore a program from `main`, use `covet run`",
            )),
        };
    }
    names.iter().map(|name| function(prepared, name)).collect()
}

/// The functions called by these names and those around these places; without either, all.
pub fn chosen<'a>(
    prepared: &'a Prepared,
    places: &[Line],
    names: &[String],
    settings: &Settings,
) -> Result<Vec<Entry<'a>>, Failure> {
    let mut entries = match places.is_empty() || !names.is_empty() {
        true => functions(prepared, names, settings)?,
        false => Vec::new(),
    };
    for place in places {
        entries.push(around(prepared, place)?);
    }
    Ok(entries)
}

/// At most `count` of the entries, spread evenly.
pub fn sample(entries: Vec<Entry<'_>>, count: usize) -> Vec<Entry<'_>> {
    let all = entries.len();
    if all <= count {
        return entries;
    }
    (0..count).map(|at| entries[at * all / count]).collect()
}

/// The function called `name`, which may be written `file.c:name` when several have that name.
pub fn function<'a>(prepared: &'a Prepared, name: &str) -> Result<Entry<'a>, Failure> {
    let (file, plain) = match name.rsplit_once(':') {
        Some((file, plain)) => (Some(file), plain),
        None => (None, name),
    };
    let fits = |entry: &Entry<'_>| {
        entry.function.name == plain && file.is_none_or(|file| entry.function.file.ends_with(Path::new(file)))
    };
    let mut found: Vec<Entry<'a>> = all(prepared).filter(fits).collect();
    // Tests that include the file they test have its functions once more.
    if found.iter().any(|entry| entry.function.in_main_file) {
        found.retain(|entry| entry.function.in_main_file);
    }
    match found[..] {
        [] => Err(Failure::User(why_not(prepared, plain))),
        [only] => Ok(only),
        [_, _, ..] => {
            let choices = found.iter().map(|entry| format!("`{}`", full_name(prepared, entry.function)));
            let choices: Vec<String> = choices.collect();
            Err(Failure::User(format!(
                "{} functions are called `{name}`; say which: {}",
                found.len(),
                choices.join(" or ")
            )))
        }
    }
}

/// The name of a function with that of its file, as one would type it.
fn full_name(prepared: &Prepared, function: &Function) -> String {
    let here = &prepared.config.directory;
    let here = std::fs::canonicalize(here).unwrap_or_else(|_| here.clone());
    let file = function.file.strip_prefix(&here).unwrap_or(&function.file);
    format!("{}:{}", file.display(), function.name)
}

/// A line of a source file.
pub struct Line {
    file: PathBuf,
    line: u32,
}

/// Sources, some of them perhaps written `FILE:LINE`, as the sources themselves and the lines meant.
pub fn places(directory: &Path, sources: &[PathBuf]) -> (Vec<PathBuf>, Vec<Line>) {
    let (mut plain, mut lines) = (Vec::new(), Vec::new());
    for source in sources {
        let text = source.to_string_lossy();
        let split = text.rsplit_once(':').and_then(|(file, line)| Some((PathBuf::from(file), line.parse().ok()?)));
        match split {
            Some((file, line)) if !directory.join(source).exists() => {
                lines.push(Line { file, line });
            }
            Some(_) | None => plain.push(source.clone()),
        }
    }
    // A line of a project given beside it; else of the file alone.
    if plain.is_empty() {
        plain.extend(lines.iter().map(|line| line.file.clone()));
    }
    (plain, lines)
}

/// The function around a line.
pub fn around<'a>(prepared: &'a Prepared, place: &Line) -> Result<Entry<'a>, Failure> {
    let wanted =
        std::fs::canonicalize(prepared.config.directory.join(&place.file)).map_err(Failure::file(&place.file))?;
    let in_file = |entry: &Entry<'_>| {
        let unit =
            prepared.program.units.iter().find(|unit| unit.model.functions.iter().any(|f| *f == *entry.function));
        let folder = unit.map_or(Path::new("."), |unit| &unit.translation.directory);
        std::fs::canonicalize(folder.join(&entry.function.file)).is_ok_and(|file| file == wanted)
    };
    let here: Vec<Entry<'a>> = all(prepared).filter(in_file).collect();
    let holds = |entry: &&Entry<'_>| (entry.function.line..=entry.function.end_line).contains(&place.line);
    here.iter().find(holds).copied().ok_or_else(|| {
        let distance = |entry: &&Entry<'_>| entry.function.line.abs_diff(place.line);
        let nearest = here.iter().min_by_key(distance).map(|entry| {
            format!(
                "; the nearest is `{}` in lines {} to {}",
                entry.function.name, entry.function.line, entry.function.end_line
            )
        });
        let (file, line) = (place.file.display(), place.line);
        Failure::User(format!("{file}:{line}: no function is here{}", nearest.unwrap_or_default()))
    })
}

/// What the code behind `function` takes pointers for.
pub fn pointee_types(prepared: &Prepared, function: &Function) -> PointeeTypes {
    let units = units(prepared);
    owner(&units, function)
        .map_or_else(PointeeTypes::default, |unit| PointeeTypes::of(&units, &prepared.program.types, unit, function))
}

/// What the program's code says of its pointers and numbers.
pub fn beliefs(prepared: &Prepared) -> Beliefs<'_> {
    Beliefs::new(units(prepared))
}

fn units(prepared: &Prepared) -> Vec<&Unit> {
    prepared.program.units.iter().map(|unit| &unit.model).collect()
}

/// The number of the unit that the function is in.
fn owner(units: &[&Unit], function: &Function) -> Option<usize> {
    units.iter().position(|unit| unit.functions.iter().any(|own| std::ptr::eq(own, function)))
}

/// `main`, or a fuzz harness.
pub fn program<'a>(prepared: &'a Prepared) -> Result<Entry<'a>, Failure> {
    let named = |name: &str| all(prepared).find(|entry| entry.function.name == name);
    named("main").or_else(|| named(HARNESS)).ok_or_else(|| {
        let files: Vec<_> =
            prepared.program.units.iter().map(|unit| unit.translation.file.display().to_string()).collect();
        Failure::User(format!(
            "{}: no `main` and no `{HARNESS}`; to test single functions, use `covet cover --function NAME`",
            files.join(", ")
        ))
    })
}

/// The global variable called `name`, with its number. `file.c:name` is that of a file, where several have a static one.
pub fn global<'a>(prepared: &'a Prepared, name: &str) -> Result<(&'a Global, u32), Failure> {
    if let Some((file, plain)) = name.rsplit_once(':') {
        return global_of(prepared, Path::new(file), plain);
    }
    let statics: Vec<&Global> = (prepared.program.units.iter().flat_map(|unit| &unit.model.globals))
        .filter(|global| global.name == name && global.is_static)
        .collect();
    if let [first, second, ..] = statics[..] {
        let choice = |global: &Global| format!("`{}:{name}`", global.file.display());
        return Err(Failure::User(format!(
            "several static variables are called `{name}`; say which: {} or {}",
            choice(first),
            choice(second)
        )));
    }
    let globals = || prepared.program.units.iter().flat_map(|unit| &unit.model.globals);
    let number = prepared.map.globals.iter().find(|info| info.name == name && !info.is_model).map(|info| info.number);
    let found = globals().filter(|global| global.name == name).max_by_key(|global| global.is_defined);
    match (found, number) {
        (Some(global), Some(number)) => Ok((global, number)),
        (Some(_), None) => Err(Failure::User(format!("the global `{name}` is not used by the program"))),
        (None, _) => {
            let names = globals().map(|global| global.name.as_str());
            Err(Failure::User(format!("no global variable `{name}`{}", near(name, names))))
        }
    }
}

/// The global variable of a file.
fn global_of<'a>(prepared: &'a Prepared, file: &Path, name: &str) -> Result<(&'a Global, u32), Failure> {
    let units = prepared.program.units.iter().enumerate().filter(|(_, unit)| unit.model.file.ends_with(file));
    let mut found = units.filter_map(|(number, unit)| {
        let global = unit.model.globals.iter().find(|global| global.name == name)?;
        Some((global, number_of_global(prepared, number, global)?))
    });
    found.next().ok_or_else(|| {
        Failure::User(format!("no global variable `{name}` in {}, or the program does not use it", file.display()))
    })
}

/// The variable globals that a function, or what it calls, names. An array that the program fills is a table: it stays as it is;
/// so does what is static in another file, where no test can set it.
pub fn globals_of<'a>(prepared: &'a Prepared, entry: &'a Function) -> Vec<(&'a Global, u32)> {
    let units = units(prepared);
    let Some(owner) = owner(&units, entry) else { return Vec::new() };
    let is_table =
        |global: &Global| global.is_filled && matches!(prepared.program.types.kind(global.ty), TypeKind::Array { .. });
    let is_input = |global: &Global| !global.is_const && !global.is_thread_local && !is_table(global);
    let mut found = BTreeMap::new();
    for (unit, function) in covet_source::reachable(&units, owner, entry) {
        for name in &function.mentions {
            let known = units[unit].globals.iter().find(|global| global.name == *name);
            let Some(declared) = known.filter(|global| !global.is_static || unit == owner) else { continue };
            let defined = || units.iter().flat_map(|unit| &unit.globals).find(|global| is_definition(global, name));
            let global = if declared.is_defined { declared } else { defined().unwrap_or(declared) };
            if is_input(global)
                && let Some(number) = number_of_global(prepared, unit, global)
            {
                found.entry(number).or_insert(global);
            }
        }
    }
    found.into_iter().map(|(number, global)| (global, number)).collect()
}

/// The members of records that a function, or what it calls, names.
pub fn members_of(prepared: &Prepared, entry: &Function) -> BTreeSet<String> {
    let units = units(prepared);
    let Some(owner) = owner(&units, entry) else { return BTreeSet::new() };
    let functions = covet_source::reachable(&units, owner, entry);
    functions.iter().flat_map(|(_, function)| function.members.iter().cloned()).collect()
}

/// The functions and file-scope variables that a function, or what it calls, names.
pub fn mentions_of(prepared: &Prepared, entry: &Function) -> BTreeSet<String> {
    let units = units(prepared);
    let Some(owner) = owner(&units, entry) else { return BTreeSet::new() };
    let functions = covet_source::reachable(&units, owner, entry);
    functions.iter().flat_map(|(_, function)| function.mentions.iter().cloned()).collect()
}

/// The room that the parameters a function writes to have where it is called with arrays: bytes of the smallest, by name.
pub fn rooms_given(prepared: &Prepared, entry: &Function) -> BTreeMap<String, u64> {
    let units = units(prepared);
    let Some(owner) = owner(&units, entry) else { return BTreeMap::new() };
    let mut rooms = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let means_entry = at == owner || !entry.is_static && unit.function(&entry.name).is_none_or(|own| !own.has_body);
        let calls = unit.functions.iter().flat_map(|function| &function.passed);
        for call in calls.filter(|call| means_entry && call.callee == entry.name) {
            let Some(parameter) = entry.parameters.get(call.argument).filter(|parameter| parameter.is_written) else {
                continue;
            };
            let room = rooms.entry(parameter.name.clone()).or_insert(call.bytes);
            *room = call.bytes.min(*room);
        }
    }
    rooms
}

/// Sizes of the arrays of characters that a function, or what it calls, names.
pub fn rooms_of(prepared: &Prepared, entry: &Function) -> BTreeSet<u64> {
    let units = units(prepared);
    let Some(owner) = owner(&units, entry) else { return BTreeSet::new() };
    let functions = covet_source::reachable(&units, owner, entry);
    functions.iter().flat_map(|(_, function)| function.rooms.iter().copied()).collect()
}

fn is_definition(global: &Global, name: &str) -> bool {
    global.name == name && global.is_defined && !global.is_static
}

/// The program's number for a global of a unit. Linking gives statics of several files other names.
fn number_of_global(prepared: &Prepared, unit: usize, global: &Global) -> Option<u32> {
    let infos = || prepared.map.globals.iter().filter(|info| !info.is_model);
    let named = || infos().find(|info| info.name == global.name).map(|info| info.number);
    if !global.is_static {
        return named();
    }
    let directory = &prepared.program.units[unit].translation.directory;
    let is_there = |info: &GlobalInfo| {
        info.line == global.line && place(directory, Path::new(&info.file)) == place(directory, &global.file)
    };
    let stem = |name: &str| name.split('.').next().is_some_and(|stem| stem == global.name);
    infos().find(|info| stem(&info.name) && is_there(info)).map(|info| info.number).or_else(named)
}

/// Functions that function pointers may be given in tests of `entry`, with their numbers: a test cannot name what is static in
/// another file.
pub fn callables<'a>(prepared: &'a Prepared, entry: &Function) -> Vec<(&'a Function, FunctionNumber)> {
    let is_own = |unit: &Unit, function: &Function| unit.functions.iter().any(|own| std::ptr::eq(own, function));
    let owner = prepared.program.units.iter().find(|unit| is_own(&unit.model, entry));
    let can_be_named =
        |function: &Function| !function.is_static || owner.is_none_or(|unit| is_own(&unit.model, function));
    let named = all(prepared).filter(|callable| can_be_named(callable.function));
    named.map(|callable| (callable.function, callable.number)).collect()
}

/// Every function that can be entered.
pub fn all(prepared: &Prepared) -> impl Iterator<Item = Entry<'_>> {
    prepared.entries.iter().map(|place| Entry {
        function: &prepared.program.units[place.unit].model.functions[place.function],
        number: place.number,
    })
}

/// Where an entry is in the compiled program, and its number in the instrumented one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPlace {
    unit: usize,
    /// Among the functions of the unit.
    function: usize,
    number: FunctionNumber,
}

/// The places of all entries.
pub(crate) fn places_of(program: &Program, map: &SiteMap) -> Vec<EntryPlace> {
    let place = |(unit, function, _): (usize, &Function, _)| {
        let number = number_of(program, map, unit, function)?;
        let own = &program.units[unit].model.functions;
        let function = own.iter().position(|own| std::ptr::eq(own, function))?;
        Some(EntryPlace { unit, function, number })
    };
    program.functions().filter_map(place).collect()
}

/// The program's number for a function of a unit: by name, and by file where a name is not enough.
fn number_of(program: &Program, map: &SiteMap, unit: usize, function: &Function) -> Option<FunctionNumber> {
    let same_name = || {
        let is_candidate = |info: &&FunctionInfo| info.name == function.name && !info.is_model && info.has_driver;
        map.functions.iter().filter(is_candidate)
    };
    if same_name().count() <= 1 {
        return same_name().next().map(|info| info.number);
    }
    let directory = &program.units[unit].translation.directory;
    let file = place(directory, Path::new(&function.file));
    same_name().find(|info| place(directory, Path::new(&info.file)) == file).map(|info| info.number)
}

/// The file that a unit compiled in `directory` means.
fn place(directory: &Path, file: &Path) -> PathBuf {
    let file = directory.join(file);
    std::fs::canonicalize(&file).unwrap_or(file)
}

fn why_not(prepared: &Prepared, name: &str) -> String {
    for unit in &prepared.program.units {
        for driver in &unit.drivers {
            let function = &unit.model.functions[driver.function];
            if let (true, Err(reason)) = (function.name == name, &driver.symbol) {
                return format!("`{name}` cannot be called on its own: {reason}");
            }
        }
        if unit.model.function(name).is_some_and(|function| !function.has_body) {
            return format!(
                "`{name}` is declared but not defined in the files given; add the file that defines it{}",
                left_out(prepared)
            );
        }
    }
    let names: Vec<_> = prepared.program.functions().map(|(_, function, _)| function.name.as_str()).collect();
    format!("no function `{name}`{}{}", near(name, names.into_iter()), left_out(prepared))
}

/// What may hold a function that is not found: files that do not compile.
fn left_out(prepared: &Prepared) -> String {
    let broken = &prepared.program.broken;
    let Some(first) = broken.first() else { return String::new() };
    let reason = first.stderr.lines().find(|line| line.contains("error")).unwrap_or_default();
    let others = if broken.len() > 1 { format!(" and {} more", broken.len() - 1) } else { String::new() };
    format!("\n{}{others} did not compile and was left out: {reason}", first.file.display())
}
