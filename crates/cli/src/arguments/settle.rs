//! The command line and the project's `covet.toml` together: what is typed goes before what the file says.

use crate::arguments::input::InputArgs;
use crate::arguments::{Cli, Command};
use crate::failure::Failure;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};
use covet_campaign::recorded::named_stub;
use covet_project::entries;
use covet_settings::{Choice, Chosen, Origin, Said, Settings, near};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options that only make sense when typed.
const TYPED_ONLY: [&str; 4] = ["config", "help", "trust-project", "version"];

/// Options that a file which came with the sources may not choose: they lower the sandbox, start programs or say where to write.
const TRUSTED_ONLY: [&str; 4] = ["no-sandbox", "out", "smt-command", "write-baseline"];

/// Reads `arguments`, and the settings that speak of the sources named in them. What clap refuses ends the process.
pub fn settle(arguments: &[OsString]) -> Result<(Cli, Settings), Failure> {
    let matches = Cli::command().get_matches_from(arguments);
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let Some((sources, input)) = subject(&cli.command) else { return Ok((cli, Settings::default())) };
    let file = match &input.config {
        Some(file) => Some(file.clone()),
        None => covet_settings::find(&sources)?.map(near_by),
    };
    let mut settings = file.as_deref().map(covet_settings::read).transpose()?.unwrap_or_default();
    let is_named = input.config.is_some();
    settings.trusted = input.trust_project;
    if !is_named && !input.trust_project {
        distrust(&mut settings)?;
    }
    let words = words(&settings, &matches)?;
    if !words.is_empty() {
        cli = with_words(arguments, &words)?;
    }
    if let Some((_, input)) = subject(&cli.command) {
        settings.stubs.extend(input.stubs.iter().map(|name| named_stub(name)));
    }
    Ok((cli, settings))
}

/// What a file that nobody vouched for may say: what it may not is an error, flags that are not listed are left out.
fn distrust(settings: &mut Settings) -> Result<(), Failure> {
    const ADVICE: &str = "give --trust-project, or the file with --config, if you trust it";
    if let Some(choice) = settings.options.iter().find(|choice| TRUSTED_ONLY.contains(&choice.name.value.as_str())) {
        let Said { value: name, origin } = &choice.name;
        return Err(Failure::User(format!("{origin}: error: a project's own file may not choose `{name}`; {ADVICE}")));
    }
    if let Some(Said { value, origin }) = settings.pure.first() {
        let name = &value.name;
        let what = format!("may not load `{name}`: pure functions of libraries are called outside of the sandbox");
        return Err(Failure::User(format!("{origin}: error: a project's own file {what}; {ADVICE}")));
    }
    let (kept, refused) = covet_project::listed_flags(&settings.flags);
    settings.flags = kept;
    let file = settings.file.as_deref().unwrap_or(Path::new(covet_settings::FILE_NAME));
    for flag in refused {
        tell!("note: {}: the flag `{flag}` is not taken from a project's own file; {ADVICE}", file.display());
    }
    Ok(())
}

/// The sources of a command that explores, and what it says of inputs.
fn subject(command: &Command) -> Option<(Vec<PathBuf>, &InputArgs)> {
    match command {
        Command::Cover(args) => Some((entries::places(Path::new("."), &args.sources).0, &args.input)),
        Command::Hunt(args) => Some((entries::places(Path::new("."), &args.sources).0, &args.input)),
        Command::Run(args) => Some((args.sources.clone(), &args.input)),
        Command::Show(args) => Some((args.sources.clone(), &args.input)),
        Command::Profile(_) | Command::ProfileCompiler(_) => None,
        Command::Replay(_) | Command::Cache(_) | Command::Bench(_) => None,
    }
}

/// The path as one would type it from here.
fn near_by(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    path.strip_prefix(here).map(PathBuf::from).unwrap_or(path)
}

/// An option of the file as it would be typed.
struct Words {
    origin: Origin,
    words: Vec<OsString>,
}

/// The options that the file chooses, the command knows and nobody typed.
fn words(settings: &Settings, matches: &ArgMatches) -> Result<Vec<Words>, Failure> {
    let all = Cli::command();
    let exploring: Vec<_> = all
        .get_subcommands()
        .filter(|command| matches!(command.get_name(), "cover" | "run" | "hunt" | "show"))
        .collect();
    let known =
        |name: &str| exploring.iter().flat_map(|command| command.get_arguments()).find(|arg| is_called(arg, name));
    let (chosen, typed) = matches.subcommand().ok_or_else(|| Failure::tool("no command"))?;
    let mut found = Vec::new();
    for choice in &settings.options {
        let Said { value: name, origin } = &choice.name;
        if known(name).is_none_or(|_| TYPED_ONLY.contains(&name.as_str())) {
            let names = exploring.iter().flat_map(|command| command.get_arguments()).filter_map(Arg::get_long);
            return Err(Failure::User(format!(
                "{origin}: error: there is no option `{name}`{}; `covet cover --help` lists them",
                near(name, names)
            )));
        }
        let here = exploring.iter().find(|command| command.get_name() == chosen);
        let Some(argument) = here.and_then(|command| command.get_arguments().find(|arg| is_called(arg, name))) else {
            continue;
        };
        if typed.value_source(argument.get_id().as_str()) != Some(ValueSource::CommandLine) {
            found.push(Words { origin: origin.clone(), words: spelled(choice, argument)? });
        }
    }
    Ok(found)
}

fn is_called(argument: &Arg, name: &str) -> bool {
    argument.get_long() == Some(name)
}

fn spelled(choice: &Choice, argument: &Arg) -> Result<Vec<OsString>, Failure> {
    let Said { value: name, origin } = &choice.name;
    let wrong = |expected: &str| Failure::User(format!("{origin}: error: `{name}` takes {expected}"));
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let with = |value: &String| OsString::from(format!("--{name}={value}"));
    match &choice.value {
        Chosen::Switch(true) if is_switch => Ok(vec![format!("--{name}").into()]),
        Chosen::Switch(false) if is_switch => Ok(Vec::new()),
        Chosen::Switch(_) => Err(wrong("a value")),
        Chosen::One(_) | Chosen::Many(_) if is_switch => Err(wrong("true or false")),
        Chosen::One(value) => Ok(vec![with(value)]),
        Chosen::Many(_) if !matches!(argument.get_action(), ArgAction::Append) => Err(wrong("one value, not a list")),
        Chosen::Many(values) => Ok(values.iter().map(with).collect()),
    }
}

/// The command line with `words` behind the name of the command.
fn with_words(arguments: &[OsString], words: &[Words]) -> Result<Cli, Failure> {
    let parse = |words: &mut dyn Iterator<Item = &Words>| {
        let mut all: Vec<OsString> = arguments[..2].to_vec();
        all.extend(words.flat_map(|words| words.words.iter().cloned()));
        all.extend_from_slice(&arguments[2..]);
        let matches = Cli::command().try_get_matches_from(all)?;
        Cli::from_arg_matches(&matches)
    };
    parse(&mut words.iter()).map_err(|error| {
        let culprit = words.iter().find_map(|words| Some((words, parse(&mut [words].into_iter()).err()?)));
        let (words, error) = culprit.unwrap_or((&words[0], error));
        let text = error.to_string();
        let reason = text.strip_prefix("error: ").unwrap_or(&text).split("\n\nUsage").next().unwrap_or_default();
        let reason = reason.split("\n\nFor more information").next().unwrap_or_default();
        Failure::User(format!("{}: error: {}", words.origin, reason.trim_end()))
    })
}
