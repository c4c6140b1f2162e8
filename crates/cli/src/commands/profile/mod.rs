//! `covet profile`: a command runs, the processes it starts leave records behind, and these become a call profile.

mod collect;
pub mod compiler;
mod place;
mod shims;

use crate::arguments::profile::ProfileArgs;
use crate::failure::{self, Failure};
use crate::running::Running;
use collect::Collector;
use covet_profile::Profile;
use covet_project::recording::Recording;
use covet_scratch::Scratch;
use place::InPlace;
use serde_json::json;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// Names the folder that recorded processes write to.
const FOLDER_VARIABLE: &str = "COVET_PROFILE_DIR";

pub fn perform(args: &ProfileArgs, running: &Running) -> Result<ExitCode, Failure> {
    let old = match args.out.exists() && !args.fresh {
        true => Profile::read(&args.out).map_err(|error| Failure::User(error.to_string()))?,
        false => Profile::default(),
    };
    let config = crate::place::config(&running.deadline)?;
    let session = Scratch::new().map_err(Failure::machine)?;
    let recording = Recording::prepare(&config.toolchain, session.path())?;
    let records = session.path().join("records");
    std::fs::create_dir(&records).map_err(Failure::file(&records))?;
    let shims = shims::put(session.path())?;
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]);
    let mut in_place = None;
    if !args.sources.is_empty() {
        let program = build(args, &config, &recording, session.path())?;
        match &args.program {
            Some(path) => in_place = Some(InPlace::put(&program, path)?),
            None => {
                command = Command::new(&program);
                command.arg0(&args.command[0]).args(&args.command[1..]);
            }
        }
    }
    command.env("PATH", shims.path).env(FOLDER_VARIABLE, &records);
    command.envs(shims.variables);
    let collector = Collector::start(&records, &config.directory);
    let status = run(&mut command, &args.command[0]);
    drop(in_place);
    let (mut profile, mut notes) = collector.finish();
    let status = status?;
    notes.extend(compiler::notes(session.path()));
    if profile.is_empty() {
        return Err(nothing(args, &notes));
    }
    let runs = profile.run_count();
    profile.merge(&old);
    profile.write(&args.out).map_err(|error| Failure::User(error.to_string()))?;
    tell(args, &profile, runs, status, &notes);
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(failure::FOUND) })
}

/// Builds the program that is to run in place of another.
fn build(
    args: &ProfileArgs,
    config: &covet_project::Config,
    recording: &Recording,
    session: &Path,
) -> Result<PathBuf, Failure> {
    let flags: Vec<String> = args.flags.split_whitespace().map(str::to_owned).collect();
    let project = covet_project::units(config, &args.sources, &flags)?;
    let program = session.join("program");
    recording.program(&project.units, &project.link_flags, session, &program)?;
    Ok(program)
}

/// The command is the user's, run by the user: it gets what we have, and all the time it takes.
fn run(command: &mut Command, name: &std::ffi::OsStr) -> Result<ExitStatus, Failure> {
    command.status().map_err(|error| Failure::User(format!("{}: {error}", Path::new(name).display())))
}

fn nothing(args: &ProfileArgs, notes: &[String]) -> Failure {
    let why = match args.sources.is_empty() {
        true => {
            "the command compiled no C, or ran none of it. What was compiled before records nothing: let the command compile \
            (`covet profile -- sh -c 'make clean && make check'`), or name the SOURCE of the program"
        }
        false => "the command did not run the program made of SOURCE; name the file that it runs with --program PATH",
    };
    let told: String = notes.iter().map(|note| format!("\nnote: {note}")).collect();
    Failure::User(format!("nothing was recorded: {why}{told}"))
}

fn tell(args: &ProfileArgs, profile: &Profile, runs: u64, status: ExitStatus, notes: &[String]) {
    for note in notes {
        tell!("note: {note}");
    }
    if !status.success() {
        tell!("note: the command ended with {status}; what it did is recorded");
    }
    let functions = profile.functions();
    let (called, states) = (functions.len(), functions.iter().map(|function| function.states.len()).sum::<usize>());
    if args.json {
        let out = args.out.to_string_lossy();
        let summary = json!({
            "schema": "covet/profile-summary/1", "command": "profile", "out": out, "runs": runs, "all_runs": profile.run_count(),
            "functions": called, "states": states, "notes": notes, "succeeded": status.success(),
        });
        say!("{summary}");
    } else {
        let all = profile.run_count();
        tell!("{}: {runs} runs recorded, {all} in all; {called} functions, {states} states", args.out.display());
    }
}
