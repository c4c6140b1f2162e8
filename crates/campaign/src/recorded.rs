//! What results say of where they came from ↔ what is needed to build the same program again.

use crate::job::Job;
use covet_abi::check::Checks;
use covet_compile::Units;
use covet_project::{Compiled, Config, Failure, Parts, Request};
use covet_results::{Database, Meta, Test};
use covet_settings::{Origin, Pattern, Said, Settings};
use covet_suite::ctest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the results of a command say of where they came from.
pub fn meta(command: &str, request: &Request<'_>, job: &Job) -> Meta {
    // As they were named: a folder or a compilation database also says how its files are compiled.
    let absolute = |path: &PathBuf| {
        let path = request.config.directory.join(path);
        std::fs::canonicalize(&path).unwrap_or(path).to_string_lossy().into_owned()
    };
    let around = &job.environment;
    let mut settings = BTreeMap::new();
    let mut put = |name: &str, value: String| drop(settings.insert(name.to_string(), value));
    put("strategy", job.config.strategy.to_string());
    put("run-time", job.config.runs.milliseconds.to_string());
    around.stdin.into_iter().for_each(|n| put("stdin", n.to_string()));
    put("arguments", around.arguments.iter().map(u64::to_string).collect::<Vec<_>>().join(","));
    put("files", around.files.iter().map(|(name, n)| format!("{name}:{n}")).collect::<Vec<_>>().join(","));
    put("size", around.size.to_string());
    put_settings(request, &mut put);
    put("directory", request.config.directory.to_string_lossy().into_owned());
    Meta {
        command: command.to_string(),
        sources: request.sources.iter().map(absolute).collect(),
        flags: request.flags.to_vec(),
        seed: job.seed,
        tool_version: env!("CARGO_PKG_VERSION").to_string(),
        settings,
    }
}

/// What is kept of the project's settings, for [`settings`].
fn put_settings(request: &Request<'_>, put: &mut impl FnMut(&str, String)) {
    let settings = request.settings;
    if let Some(file) = &settings.file {
        put("config", request.config.directory.join(file).to_string_lossy().into_owned());
    }
    put("config-text", settings.text.clone());
    put("trusted", settings.trusted.to_string());
    let typed = settings.stubs.iter().filter(|stub| stub.origin == Origin::default());
    put("stubs-beside-all", settings.stubs_beside_all.to_string());
    put("stubs", typed.map(|stub| stub.value.pattern()).collect::<Vec<_>>().join(","));
}

/// A function to be replaced by a stub, as named on the command line.
pub fn named_stub(name: &str) -> Said<Pattern> {
    Said { value: Pattern::new(name), origin: Origin::default() }
}

/// The settings that results were made under.
fn settings(meta: &Meta) -> Result<Settings, Failure> {
    let kept = &meta.settings;
    let mut settings = match (kept.get("config"), kept.get("config-text")) {
        (Some(file), Some(text)) => covet_settings::parse(file.as_ref(), text)?,
        _ => Settings::default(),
    };
    settings.trusted = kept.get("trusted").is_some_and(|text| text == "true");
    settings.stubs_beside_all = kept.get("stubs-beside-all").is_some_and(|text| text == "true");
    let names = kept.get("stubs").map_or("", String::as_str).split(',').filter(|name| !name.is_empty());
    settings.stubs.extend(names.map(named_stub));
    Ok(settings)
}

/// The time that runs had.
pub fn run_time(meta: &Meta) -> Duration {
    let milliseconds = meta.settings.get("run-time").and_then(|text| text.parse().ok()).unwrap_or(1000);
    Duration::from_millis(milliseconds)
}

/// The memory that a test may ask for.
pub fn test_memory(meta: &Meta) -> u64 {
    meta.settings.get("test-memory").and_then(|text| text.parse().ok()).unwrap_or(ctest::MEMORY)
}

/// Notes the memory that a test may ask for, for [`test_memory`].
pub fn with_test_memory(mut meta: Meta, memory: u64) -> Meta {
    if memory != ctest::MEMORY {
        meta.settings.insert("test-memory".to_string(), memory.to_string());
    }
    meta
}

/// Compiles the sources of results as they are now, under the settings they had then.
pub fn compile(meta: &Meta, config: &Config) -> Result<Compiled, Failure> {
    let sources: Vec<PathBuf> = meta.sources.iter().map(PathBuf::from).collect();
    let mut config = config.clone();
    if let Some(directory) = meta.settings.get("directory") {
        // Flags like -I. mean what they meant then.
        config.directory = directory.into();
    }
    let settings = settings(meta)?;
    let compiled = covet_project::compile(&Request {
        program: None,
        config: &config,
        sources: &sources,
        flags: &meta.flags,
        parts: Parts::Some,
        jobs: 1,
        settings: &settings,
        checks: Checks::usual(),
    })?;
    compiled.program.replacements.choose(units(meta));
    Ok(compiled)
}

/// Notes which functions are stubs while others are explored, for [`compile`].
pub fn note_units(meta: &mut Meta, units: Option<&Units>) {
    let listed: Vec<_> = units.into_iter().flatten().filter(|(_, stubs)| !stubs.is_empty()).collect();
    if let (false, Ok(text)) = (listed.is_empty(), serde_json::to_string(&listed)) {
        meta.settings.insert("units".to_string(), text);
    }
}

fn units(meta: &Meta) -> Units {
    type Listed = Vec<((PathBuf, String), BTreeSet<String>)>;
    let read = |text: &String| serde_json::from_str::<Listed>(text).ok();
    meta.settings.get("units").and_then(read).unwrap_or_default().into_iter().collect()
}

/// A test in the results folder `out`.
pub fn test(out: &Path, id: &str) -> Result<Test, Failure> {
    let record = Database::open(out)?.read()?;
    record.tests.into_iter().find(|test| test.id == id).ok_or_else(|| {
        Failure::User(format!("no test `{id}` in {}; `--first` takes zeros, random or one of its tests", out.display()))
    })
}
