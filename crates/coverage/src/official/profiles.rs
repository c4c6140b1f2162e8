//! Test programs become one profile: each is run with a profile of its own, and all profiles are merged. A program that leaves none, or a
//! damaged one, is lost alone.

use super::{Error, Request, output_of};
use covet_budget::Deadline;
use covet_launch::{Program, together};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROFDATA: &str = "llvm-profdata";
/// The part of the time that running the programs may take.
const RUNNING: f64 = 0.75;
/// So many times its share of that may one program take.
const MORE: usize = 4;

/// A test program that does not count, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    pub executable: PathBuf,
    pub reason: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.executable.display(), self.reason)
    }
}

/// A program that was run, and its profile.
struct Ran<'a> {
    executable: &'a Path,
    profile: PathBuf,
}

/// The profile of all test programs, and those that are not in it.
pub(super) fn collect(request: &Request<'_>) -> Result<(PathBuf, Vec<Lost>), Error> {
    let (mut lost, mut ran) = (Vec::new(), Vec::new());
    // Reading the profiles takes time too.
    let deadline = request.bounds.deadline.part(RUNNING);
    let runs = together(request.threads, request.executables, |number, executable| {
        let folder = request.scratch.join(format!("profile-{number}"));
        // One with tests that hang must not take the time of all others, most of which need little.
        let others = (request.executables.len() - number).div_ceil(MORE * request.threads.max(1)) as u32;
        let share = deadline.left().map_or(request.time_limit, |time| time / others);
        run(request, executable, &folder, &deadline.within(share.min(request.time_limit)))
    });
    for (executable, run) in request.executables.iter().zip(runs) {
        let (profile, is_whole) = run?;
        let reason = match (profile.exists(), is_whole) {
            (true, true) => None,
            (true, false) => Some("some of its tests: the time was up"),
            (false, false) => Some("the time was up"),
            (false, true) => Some("its tests left no profile; is it built with coverage, and is the folder writable?"),
        };
        lost.extend(reason.map(|reason| Lost { executable: executable.clone(), reason: reason.to_owned() }));
        if profile.exists() {
            // What it has counted stays, also when it was cut short.
            ran.push(Ran { executable, profile });
        }
    }
    let merged = request.scratch.join("official.profdata");
    match merge(request, &ran, &merged) {
        Ok(()) => return Ok((merged, lost)),
        Err(error @ Error::Tool(_)) => return Err(error),
        Err(_) => {}
    }
    let (sound, damaged) = sorted_out(request, ran, &merged);
    lost.extend(damaged);
    match (sound.is_empty(), lost.first()) {
        (true, Some(first)) => Err(Error::AllLost(first.clone())),
        (_, _) => merge(request, &sound, &merged).map(|()| (merged, lost)),
    }
}

/// Runs a program in a folder of its own, where alone it can write; the place of its profile, and whether it came to its end.
fn run(request: &Request<'_>, executable: &Path, folder: &Path, deadline: &Deadline) -> Result<(PathBuf, bool), Error> {
    let failed = |source| Error::Folder { folder: folder.to_owned(), source };
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(failed)?;
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    let profile = folder.join("official.profraw");
    if deadline.is_over() {
        return Ok((profile, false));
    }
    let variables = vec![("LLVM_PROFILE_FILE".into(), profile.clone().into_os_string())];
    let program = Program { variables, ..Program::new(executable, folder, request.bounds) };
    let mut running = program.start().map_err(Error::Run)?;
    let end = running.wait(deadline).map_err(Error::Run)?;
    Ok((profile, end.is_some()))
}

fn merge(request: &Request<'_>, ran: &[Ran<'_>], merged: &Path) -> Result<(), Error> {
    let mut merge = Command::new(request.toolchain.program(PROFDATA));
    merge.args(["merge", "-sparse", "-o"]).arg(merged).args(ran.iter().map(|ran| &ran.profile));
    output_of(request, PROFDATA, merge, merged).map(drop)
}

/// Each profile is merged alone: those that can be, and those that cannot.
fn sorted_out<'a>(request: &Request<'_>, ran: Vec<Ran<'a>>, scratch: &Path) -> (Vec<Ran<'a>>, Vec<Lost>) {
    let (mut sound, mut damaged) = (Vec::new(), Vec::new());
    for one in ran {
        match merge(request, std::slice::from_ref(&one), scratch) {
            Ok(()) => sound.push(one),
            Err(error) => {
                damaged.push(Lost { executable: one.executable.to_owned(), reason: error.to_string() });
            }
        }
    }
    (sound, damaged)
}
