//! One call of a compiler in a build that is recorded: the compiler itself, and then its objects once more, recording.

use crate::arguments::profile::ProfileCompilerArgs;
use crate::failure::Failure;
use crate::running::Running;
use covet_project::recording::{CompilerCall, Product, Recording};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// Lists sources whose calls are not recorded.
const NOTES: &str = "unrecorded";
/// Those that are told.
const TOLD: usize = 3;

pub fn perform(args: &ProfileCompilerArgs, running: &Running) -> Result<ExitCode, Failure> {
    let status = Command::new(&args.compiler).args(&args.arguments).status();
    let status = status.map_err(|error| Failure::Machine(format!("{}: {error}", args.compiler.display())))?;
    let directory = std::env::current_dir().map_err(Failure::machine)?;
    if status.success()
        && let Some(call) = CompilerCall::read(&directory, &args.arguments)
    {
        let toolchain = covet_project::Config::new(&directory, &args.session).toolchain.until(&running.deadline);
        let work = args.session.join(format!("unit-{}", std::process::id()));
        if let Err(reason) = record(args, &call, &Recording::at(&toolchain, &args.session), &work) {
            note(&args.session, &call, &reason);
        }
        let _ = std::fs::remove_dir_all(&work);
    }
    Ok(exit_code(status))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn record(args: &ProfileCompilerArgs, call: &CompilerCall, recording: &Recording, work: &Path) -> Result<(), String> {
    std::fs::create_dir(work).map_err(|error| error.to_string())?;
    let mut objects: Vec<PathBuf> = Vec::new();
    for (number, source) in call.sources().enumerate() {
        let object = work.join(format!("{number}.o"));
        recording.object(call, source, work, &object)?;
        objects.push(object);
    }
    match call.product {
        Product::Objects(_) => {
            for (source, object) in call.sources().zip(&objects) {
                std::fs::copy(object, call.object_of(source)).map_err(|error| error.to_string())?;
            }
            Ok(())
        }
        Product::Linked => {
            let silent = |arguments: &[std::ffi::OsString]| {
                let mut command = Command::new(&args.compiler);
                let ran = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
                ran.is_ok_and(|status| status.success())
            };
            if silent(&call.with_objects(&objects)) {
                return Ok(());
            }
            // What the first link has made is to stand.
            silent(&args.arguments);
            Err("its objects do not link".to_string())
        }
    }
}

fn note(session: &Path, call: &CompilerCall, reason: &str) {
    let first = reason.lines().find(|line| line.contains("error")).or(reason.lines().next()).unwrap_or_default();
    let sources: Vec<&str> = call.sources().collect();
    let line = format!("not recorded: {}: {first}\n", sources.join(" "));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(session.join(NOTES));
    // The build goes on, whatever we cannot tell about it.
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// What was not recorded, in a few words.
pub fn notes(session: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(session.join(NOTES)).unwrap_or_default();
    let mut notes: Vec<String> = text.lines().take(TOLD).map(str::to_owned).collect();
    let more = text.lines().count().saturating_sub(TOLD);
    if more > 0 {
        notes.push(format!("not recorded: {more} more"));
    }
    notes
}
