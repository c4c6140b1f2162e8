//! A record + the model of its sources → C test programs, one for each source file that has tests.
//!
//! The tested file is included, so static functions are reached; the other files of the program are compiled beside it. A
//! program with a `main` of its own keeps it: the tests then start before it does.

use super::body::{self, Purpose};
use super::build::{Build, Compilation};
use super::heap::{has_own_heap, heap};
use super::replacements::{self, Wrapper};
use super::sources::{Sources, StubText, beside, relative, texts, undefined};
use super::watch::{self, Watched};
use super::{literal, marks};
use covet_results::{Alarm, Record, Test};
use covet_source::{Translation, Unit};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the test programs will be, as an absolute path: includes are written relative to it.
    pub folder: PathBuf,
    /// Time limit of one test.
    pub milliseconds: u64,
    /// Address space of one test beyond what its program has at the start, in bytes.
    pub memory: u64,
    /// Stack of one test, in bytes.
    pub stack: u64,
    /// `covet.h`, `klee/klee.h` and their like: name and text. Written beside the tests when the sources include one of them.
    pub headers: Vec<(String, String)>,
    /// Whether the programs find out what can be checked, instead of checking.
    pub is_recording: bool,
}

/// Address space that one test may ask for, unless said otherwise.
pub const MEMORY: u64 = 1 << 30;

impl Settings {
    pub fn new(folder: impl Into<PathBuf>) -> Settings {
        let folder: PathBuf = folder.into();
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        Settings {
            folder,
            milliseconds: 2000,
            memory: MEMORY,
            stack: 8 << 20,
            headers: Vec::new(),
            is_recording: false,
        }
    }
}

/// One C file with tests and how to build it.
#[derive(Clone, Debug, PartialEq)]
pub struct TestProgram {
    /// `tests.c`, or `tests-NAME.c` when there are several.
    pub name: String,
    pub text: String,
    /// Ids of its tests, in order.
    pub tests: Vec<String>,
    pub build: Build,
    /// Files of the program inside ones of ours: name and text.
    pub wrappers: Vec<(String, String)>,
    parts: Parts,
}

/// What the text is put together from.
#[derive(Clone, Debug, PartialEq)]
struct Parts {
    head: String,
    tests: Vec<Part>,
    tail: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    id: String,
    text: String,
    /// Its row in the table of tests.
    row: String,
    watched: Vec<Watched>,
    data: Vec<(String, String)>,
}

impl TestProgram {
    fn new(name: String, build: Build, wrappers: Vec<(String, String)>, parts: Parts) -> TestProgram {
        let mut text = parts.head.clone();
        parts.tests.iter().for_each(|part| text += &part.text);
        // A table may not be empty: its last row is no test.
        text += "static const struct covtest_test covtest_tests[] = {\n";
        parts.tests.iter().for_each(|part| text += &part.row);
        text += "    { NULL, NULL, COVTEST_RETURNS, 0 },\n};\n\n";
        text += &parts.tail;
        TestProgram {
            name,
            text,
            tests: parts.tests.iter().map(|part| part.id.clone()).collect(),
            build,
            wrappers,
            parts,
        }
    }

    /// The same program without these tests.
    pub fn without(&self, tests: &BTreeSet<String>) -> TestProgram {
        let mut parts = self.parts.clone();
        parts.tests.retain(|part| !tests.contains(&part.id));
        TestProgram::new(self.name.clone(), self.build.clone(), self.wrappers.clone(), parts)
    }

    /// Files that the text includes, beside it: names and texts.
    pub fn data(&self) -> impl Iterator<Item = &(String, String)> {
        self.parts.tests.iter().flat_map(|part| &part.data)
    }

    /// What the test looks at after its call.
    pub fn watched(&self, test: &str) -> &[Watched] {
        self.parts.tests.iter().find(|part| part.id == test).map_or(&[], |part| &part.watched)
    }

    /// The test that this line of the text belongs to.
    pub fn test_at(&self, line: usize) -> Option<&str> {
        let mut next = self.parts.head.lines().count() + 1;
        for part in &self.parts.tests {
            let end = next + part.text.lines().count();
            if (next..end).contains(&line) {
                return Some(&part.id);
            }
            next = end;
        }
        None
    }
}

/// All tests as C programs. Tests of functions that `sources` do not define are left out.
pub fn programs(sources: Sources<'_>, record: &Record, settings: &Settings) -> Vec<TestProgram> {
    let mut groups: Vec<Vec<&Test>> = vec![Vec::new(); sources.units.len()];
    for test in &record.tests {
        if let Some((unit, _)) = body::find(sources.units, test) {
            groups[unit].push(test);
        }
    }
    let several = groups.iter().filter(|group| !group.is_empty()).count() > 1;
    let mut names = Vec::new();
    let mut made = Vec::new();
    for (unit, group) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
        let name = file_name(&sources.translations[unit].file, several, &mut names);
        made.push(program(sources, record, settings, unit, group, name));
    }
    made
}

/// Folder below that of the tests for headers that the sources include.
const HEADERS: &str = "include";

/// Writes the programs into their folder; removes test programs of an earlier run that are not among them.
pub fn write(programs: &[TestProgram], settings: &Settings) -> std::io::Result<()> {
    std::fs::create_dir_all(&settings.folder)?;
    for entry in std::fs::read_dir(&settings.folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let begins = |prefix: &str| name.starts_with(prefix) && name.ends_with(".c");
        let is_ours = name == "tests.c" || begins("tests-") || begins("stubs-");
        let is_made = |program: &TestProgram| {
            program.name == name || program.wrappers.iter().any(|(wrapper, _)| *wrapper == name)
        };
        if is_ours && !programs.iter().any(is_made) {
            std::fs::remove_file(settings.folder.join(&name))?;
        }
        if name == "tests.data" || name.starts_with("tests-") && name.ends_with(".data") {
            std::fs::remove_dir_all(settings.folder.join(name))?;
        }
    }
    let include = format!("-I{}", settings.folder.join(HEADERS).display());
    if programs.iter().any(|program| program.build.tests.flags.contains(&include)) {
        // Headers in a folder `covet` are for the models.
        for (name, text) in settings.headers.iter().filter(|(name, _)| !name.starts_with("covet/")) {
            let path = settings.folder.join(HEADERS).join(name);
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            std::fs::write(path, text)?;
        }
    }
    for program in programs {
        if program.data().next().is_some() {
            std::fs::create_dir_all(settings.folder.join(data_folder(&program.name)))?;
        }
        let others = program.data().chain(&program.wrappers).map(|(name, text)| (name, text));
        for (name, text) in others.chain([(&program.name, &program.text)]) {
            let unfinished = settings.folder.join(format!("{name}.new"));
            std::fs::write(&unfinished, text)?;
            std::fs::rename(&unfinished, settings.folder.join(name))?;
        }
    }
    Ok(())
}

/// Folder for the data of a test program.
fn data_folder(program: &str) -> String {
    format!("{}.data", program.trim_end_matches(".c"))
}

fn file_name(source: &Path, several: bool, used: &mut Vec<String>) -> String {
    if !several {
        return "tests.c".to_string();
    }
    let stem = source.file_stem().map_or_else(|| "unit".to_string(), |stem| stem.to_string_lossy().into_owned());
    let mut name = format!("tests-{stem}.c");
    let mut number = 2;
    while used.contains(&name) {
        name = format!("tests-{stem}-{number}.c");
        number += 1;
    }
    used.push(name.clone());
    name
}

fn program(
    sources: Sources<'_>,
    record: &Record,
    settings: &Settings,
    unit: usize,
    tests: &[&Test],
    name: String,
) -> TestProgram {
    let others = beside(sources.units, unit);
    let wrapped = |other: &usize| Some((*other, replacements::wrapper(sources, settings, *other)?));
    let wrappers: Vec<(usize, Wrapper)> = others.iter().filter_map(wrapped).collect();
    let build = build(sources, settings, unit, &name, &wrappers);
    let translation = &sources.translations[unit];
    let source = relative(&settings.folder, &translation.directory.join(&translation.file));
    let globals = watch::globals(sources.types, sources.units, &sources.units[unit]);
    let head = opening(tests, &build, &source)
        + &tested(sources, unit, &source)
        + &harness(settings)
        + &if settings.is_recording { recording(sources, &globals) } else { heap(sources, tests).to_string() }
        + &stubs(sources, unit, &others, is_surrounded(tests))
        + "\n/* ---- The tests ------------------------------------------------------------------------------------------------------------ */\n\n";
    let data = data_folder(&name);
    let purpose = if settings.is_recording { Purpose::Record } else { Purpose::Check };
    let file =
        body::File { types: sources.types, units: sources.units, at: unit, globals: &globals, purpose, data: &data };
    let mut parts = Vec::new();
    for (number, test) in tests.iter().enumerate() {
        let Some((_, function)) = body::find(sources.units, test) else { continue };
        let symbol = symbol(test, number, tests);
        let before = replacements::statements(sources, unit, &others, function);
        let body = body::function(file, function, test, &symbol, before);
        let text = format!("/* {} */\n{}\n", description(test, &record.alarms), body.text);
        let row =
            format!("    {{ {}, {symbol}, {} }},\n", literal::string(test.id.as_bytes()), body::expectation(test));
        parts.push(Part { id: test.id.clone(), text, row, watched: body.watched, data: body.data });
    }
    let readable = readable();
    let tail = [
        readable.as_str(),
        include_str!("c/confine.c"),
        include_str!("c/profile.c"),
        include_str!("c/report.c"),
        include_str!("c/watcher.c"),
        if settings.is_recording { include_str!("c/observed.c") } else { "" },
        temporary(sources.units),
        start(sources.units, unit),
    ];
    let wrappers = wrappers.into_iter().map(|(_, wrapper)| (wrapper.name, wrapper.text)).collect();
    TestProgram::new(name, build, wrappers, Parts { head, tests: parts, tail: tail.concat() })
}

/// What a test can read, as in the sandbox it was recorded in.
fn readable() -> String {
    let paths: Vec<String> =
        covet_launch::SYSTEM.iter().map(|path| format!("    {},\n", literal::string(path.as_bytes()))).collect();
    format!("static const char *const covtest_readable[] COVTEST_UNUSED = {{\n{}}};\n", paths.concat())
}

/// The tested file, as it is compiled in its program.
fn tested(sources: Sources<'_>, unit: usize, source: &Path) -> String {
    let mut text = String::new();
    for line in definitions(&sources.translations[unit].flags) {
        text += &format!("{line}\n");
    }
    for name in undefined(sources, unit) {
        text += &format!("#pragma weak {name} /* defined nowhere: a use crashes, as it does in the record */\n");
    }
    text += &format!("#include {}\n", literal::string(source.to_string_lossy().as_bytes()));
    text + "#pragma pack()\n\n"
}

fn harness(settings: &Settings) -> String {
    let Settings { milliseconds, memory, stack, .. } = settings;
    let purpose = if settings.is_recording { "#define COVTEST_RECORD 1\n" } else { "" };
    format!(
        "{purpose}#define COVTEST_MILLISECONDS {milliseconds}\n#define COVTEST_MEMORY {memory}UL\n#define COVTEST_STACK {stack}UL\n\n{}",
        include_str!("c/harness.c")
    )
}

/// What looks at memory after a call.
fn recording(sources: Sources<'_>, globals: &[Watched]) -> String {
    let own_heap = if has_own_heap(sources) { "#define COVTEST_OWN_HEAP 1\n" } else { "" };
    let watched: String = globals.iter().map(|global| format!("    {}\n", global.statement())).collect();
    format!(
        "\n{own_heap}{}\nCOVTEST_UNUSED static void covtest_watch_globals(void)\n{{\n{watched}}}\n",
        include_str!("c/record.c")
    )
}

/// What marks inputs, and what stands for functions that are replaced or defined nowhere.
fn stubs(sources: Sources<'_>, unit: usize, others: &[usize], is_surrounded: bool) -> String {
    let is_needed = |stub: &&StubText| stub.only_for.is_none_or(|only| only == unit);
    let stubs: Vec<&StubText> = sources.stubs.iter().filter(is_needed).collect();
    let replacing = sources.replacements.iter().map(|replacement| &replacement.stub);
    let mut all = texts(sources);
    all.extend(stubs.iter().map(|stub| &stub.text).chain(replacing).cloned());
    let mut text = marking(sources, &all, is_surrounded);
    if !sources.replacements.is_empty() {
        text += "\n/* Stubs for functions that the program does define. */\n";
        text += include_str!("c/replace.c");
        let lines = [sources.preamble.to_string()].into_iter().chain(replacements::stubs(sources, unit));
        lines.chain(replacements::declarations(sources, others)).for_each(|line| text += &format!("{line}\n"));
    }
    if !stubs.is_empty() {
        text += "\n/* Functions and variables that are defined nowhere: they give what was recorded. */\n";
        let lines = [sources.preamble].into_iter().chain(stubs.iter().map(|stub| stub.text.as_str()));
        lines.for_each(|line| text += &format!("{line}\n"));
    }
    text
}

/// Temporary files are made where a test may write, as they were when the run was explored.
fn temporary(units: &[Unit]) -> &'static str {
    const MAKERS: [&str; 8] =
        ["tmpfile", "mkstemp", "mkostemp", "mkdtemp", "tmpfile64", "tmpnam", "tmpnam_r", "tempnam"];
    let functions = || units.iter().flat_map(|unit| &unit.functions);
    let is_used = functions().any(|function| function.mentions.iter().any(|name| MAKERS.contains(&name.as_str())));
    // A program's own function of that name is the program's.
    let is_own = functions().any(|function| function.has_body && MAKERS.contains(&function.name.as_str()));
    if is_used && !is_own { include_str!("../../../models/c/temporary.c") } else { "" }
}

/// How the tests are begun: by `main`, or before the program's own.
fn start(units: &[Unit], unit: usize) -> &'static str {
    let mut parts = beside(units, unit).into_iter().chain([unit]);
    let has_main = parts.any(|part| units[part].function("main").is_some_and(|main| main.has_body));
    if has_main {
        "
/* The program has a main of its own, which stays as it is: the tests run and end before it. A profile, if one is being
 * recorded, is not set up yet at this point. */
extern void covtest_profile(void) __asm__(\"__llvm_profile_initialize\") __attribute__((weak));

__attribute__((constructor)) static void covtest_start(int argc, char **argv)
{
    if (covtest_profile)
        covtest_profile();
    covtest_exit(covtest_main(argc, argv));
}
"
    } else {
        "
int main(int argc, char **argv)
{
    return covtest_main(argc, argv);
}
"
    }
}

fn opening(tests: &[&Test], build: &Build, source: &Path) -> String {
    let plural = if tests.len() == 1 { "test" } else { "tests" };
    let mut text =
        format!("/* {} {plural} for {}, written by covet.\n *\n", tests.len(), comment(&source.to_string_lossy()));
    for line in build.shown() {
        text += &format!(" *     {}\n", comment(&line));
    }
    text += " *\n * Each test runs in a process of its own. `./tests f-001` runs one, `--list` lists them, `--output` shows what the tested\n";
    text += " * code prints. The exit code is 0 when all pass.\n *\n";
    text += " * A test keeps itself from files outside of a folder of its own and the system's, from the network and from other\n";
    text += " * processes (not with `--unconfined`, sanitizers or gcov). Code that runs before main is not kept from anything;\n";
    text + " * `covet replay` runs the tests in a sandbox. */\n"
}

fn marking(sources: Sources<'_>, texts: &[String], is_surrounded: bool) -> String {
    let definitions = marks::definitions(sources.units, texts);
    if definitions.is_empty() && !is_surrounded {
        return String::new();
    }
    let outside = [
        include_str!("c/surroundings.c"),
        include_str!("../../../models/c/surroundings.c"),
        include_str!("c/outside.c"),
    ];
    let outside = if is_surrounded { outside.concat() } else { String::new() };
    format!("\n{}{outside}\n{}\n", include_str!("c/marks.c"), definitions.join("\n"))
}

/// Whether a test has answers of the system among its inputs.
fn is_surrounded(tests: &[&Test]) -> bool {
    let is_answer = |name: &String| {
        (name.starts_with("env.") || name.starts_with("os.")) && covet_input::allocation(name).is_none()
    };
    tests.iter().any(|test| test.inputs.iter().any(|(name, _)| is_answer(name)))
}

fn build(sources: Sources<'_>, settings: &Settings, unit: usize, name: &str, wrappers: &[(usize, Wrapper)]) -> Build {
    let headers =
        included(sources, settings).then(|| format!("-I{}", settings.folder.join(HEADERS).display())).into_iter();
    let flags =
        |translation: &Translation| headers.clone().chain(translation.flags.iter().cloned()).collect::<Vec<_>>();
    let others = beside(sources.units, unit);
    let other_step = |other: usize| {
        let translation = &sources.translations[other];
        let wrapper = wrappers.iter().find(|(unit, _)| *unit == other);
        Compilation {
            directory: translation.directory.clone(),
            flags: flags(translation),
            file: wrapper.map_or(translation.file.clone(), |(_, wrapper)| settings.folder.join(&wrapper.name)),
            source: translation.file.clone(),
        }
    };
    let translation = &sources.translations[unit];
    Build {
        tests: Compilation {
            directory: translation.directory.clone(),
            flags: flags(translation),
            file: settings.folder.join(name),
            source: translation.file.clone(),
        },
        others: others.into_iter().map(other_step).collect(),
        link_flags: sources.link_flags.to_vec(),
    }
}

/// Whether the sources include a header that we ship.
fn included(sources: Sources<'_>, settings: &Settings) -> bool {
    let texts = texts(sources);
    let names = |name: &str| [format!("<{name}>"), format!("\"{name}\"")];
    settings.headers.iter().any(|(name, _)| texts.iter().any(|text| names(name).iter().any(|name| text.contains(name))))
}

/// `-D` and `-U` flags as directives, so that the file compiles without them.
fn definitions(flags: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let (letter, joined) = match flag.get(..2) {
            Some("-D") => ('D', &flag[2..]),
            Some("-U") => ('U', &flag[2..]),
            _ => continue,
        };
        let Some(what) = (if joined.is_empty() { rest.next().map(String::as_str) } else { Some(joined) }) else {
            break;
        };
        let (name, value) = what.split_once('=').unwrap_or((what, "1"));
        let plain = name.split('(').next().unwrap_or(name);
        lines.push(format!("#undef {plain}"));
        if letter == 'D' {
            lines.push(format!("#define {name} {value}"));
        }
    }
    lines
}

/// A C name for the test; ids that differ only in punctuation are told apart by number.
fn symbol(test: &Test, number: usize, tests: &[&Test]) -> String {
    let clean = |id: &str| id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect::<String>();
    let name = clean(&test.id);
    let is_shared = tests.iter().filter(|other| clean(&other.id) == name).count() > 1;
    if is_shared { format!("covtest_run_{name}_{number}") } else { format!("covtest_run_{name}") }
}

fn description(test: &Test, alarms: &[Alarm]) -> String {
    let mut text = format!("{}: {}", test.id, test.outcome);
    if let Some(value) = test.returned {
        text += &format!(" {value}");
    }
    if let Some(code) = test.exit_code {
        text += &format!(" with code {code}");
    }
    if let Some(signal) = test.signal {
        text += &format!(" with signal {signal}");
    }
    if let Some(alarm) = test.alarm.and_then(|index| alarms.get(index)) {
        text += &format!(" ({} at {}:{})", alarm.kind, alarm.file, alarm.line);
    }
    comment(&text)
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}
