//! Anything that contains the user's code → a process in the sandbox: workers, native tests, sanitizer and coverage builds.
//!
//! The program is started by the warden (`warden/warden.c`), which puts on what is prepared here, stays to watch it, and ends everything
//! with it. Invariant: whatever the program does, nothing of it is left once its [`Running`] is dropped or the engine has ended.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use covet_budget::Deadline;

use crate::group::{Group, entry, poll};
use crate::warden::{self, RECORD, Resource, Step, Word};
use crate::{Error, calls, files};

/// What to start, and what it may do.
pub struct Program<'a> {
    pub path: &'a Path,
    pub arguments: Vec<OsString>,
    /// Besides PATH, HOME and TMPDIR nothing else is in its environment.
    pub variables: Vec<(OsString, OsString)>,
    /// The only folder it can write to.
    pub folder: &'a Path,
    /// Where it starts, at or below [`Program::folder`]; its home.
    pub home: &'a Path,
    /// What it may read besides the system's folders and itself.
    pub readable: &'a [PathBuf],
    /// A descriptor that it keeps, under the same number.
    pub keep: Option<BorrowedFd<'a>>,
    pub stdin: Stdio,
    pub stdout: Stdio,
    pub stderr: Stdio,
    /// The same addresses each time.
    pub fixed_addresses: bool,
    pub limits: Limits,
    /// False: limits and deadlines only.
    pub confined: bool,
}

/// What holds for all programs of a command.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub deadline: Deadline,
    /// See [`Program::confined`].
    pub confined: bool,
    /// See [`Program::readable`].
    pub readable: Vec<PathBuf>,
    /// See [`Limits::memory`].
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        let memory = Limits::default().memory;
        Bounds { deadline: Deadline::default(), confined: true, readable: Vec::new(), memory }
    }
}

/// What all processes of a program may use together, and each alone. Zero is no limit.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// Threads and processes.
    pub tasks: u64,
    /// Bytes in its folder and in files without a name.
    pub scratch: u64,
    /// Bytes of each file.
    pub file: u64,
    /// Descriptors of each process.
    pub descriptors: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let (memory, scratch, file) = (2 << 30, 256 << 20, 64 << 20);
        Limits { memory, tasks: 128, scratch, file, descriptors: 1024 }
    }
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Exited(i32),
    /// By a signal.
    Killed(i32),
    /// It used too much and was ended.
    Over(Resource),
}

/// A program that was started.
#[derive(Debug)]
pub struct Running {
    path: PathBuf,
    group: Group,
    words: File,
    counts: Option<File>,
    process: Option<i32>,
    has_namespaces: bool,
    end: Option<End>,
    /// What the sandbox cannot do on this machine.
    pub notes: Vec<String>,
}

/// How long the warden may take to start a program, and to end one.
const START_LIMIT: Duration = Duration::from_secs(20);
const END_LIMIT: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);
const COUNTED_CALLS: usize = 1024;

impl<'a> Program<'a> {
    /// A program without arguments and variables that starts in the folder it can write to, and prints nothing.
    pub fn new(path: &'a Path, folder: &'a Path, bounds: &'a Bounds) -> Program<'a> {
        Program {
            path,
            arguments: Vec::new(),
            variables: Vec::new(),
            folder,
            home: folder,
            readable: &bounds.readable,
            keep: None,
            stdin: Stdio::null(),
            stdout: Stdio::null(),
            stderr: Stdio::null(),
            fixed_addresses: false,
            limits: Limits { memory: bounds.memory, ..Limits::default() },
            confined: bounds.confined,
        }
    }

    /// Starts it. It runs, or cannot be executed, when this comes back; [`Running::try_wait`] tells.
    pub fn start(self) -> Result<Running, Error> {
        let path = self.path.to_path_buf();
        let refused = |source| Error::starting(path.clone(), source);
        let real = std::fs::canonicalize(self.path).map_err(refused)?;
        let mut notes = Vec::new();
        let (words, status) = io::pipe().map_err(refused)?;
        let mut orders = Orders::new(status.into());
        let counts = match self.confined {
            true => Some(orders.confine(&self, &real, &mut notes).map_err(refused)?),
            false => None,
        };
        orders.limits(&self);
        let mut command = Command::new(warden::executable().map_err(refused)?);
        command.arg0("covet-warden").args(&orders.words).arg("--").arg(&real).args(&self.arguments);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.home).env("TMPDIR", self.home);
        command.envs(self.variables).current_dir(self.home);
        command.stdin(self.stdin).stdout(self.stdout).stderr(self.stderr);
        let kept: Vec<i32> =
            orders.descriptors.iter().map(AsRawFd::as_raw_fd).chain(self.keep.map(|fd| fd.as_raw_fd())).collect();
        let group = Group::start_leader(command, kept).map_err(refused)?;
        drop(orders);
        let words = File::from(OwnedFd::from(words));
        let (process, has_namespaces, end) = (None, false, None);
        let mut running = Running { path, group, words, counts, process, has_namespaces, end, notes };
        running.await_start(self.confined)?;
        Ok(running)
    }
}

/// What the warden is told, and the descriptors that go with it.
struct Orders {
    words: Vec<OsString>,
    descriptors: Vec<OwnedFd>,
}

impl Orders {
    fn new(status: OwnedFd) -> Orders {
        let words = vec![format!("engine={}", std::process::id()).into()];
        let mut orders = Orders { words, descriptors: Vec::new() };
        orders.hand("status", status);
        orders
    }

    fn say(&mut self, key: &str, value: impl std::fmt::Display) {
        self.words.push(format!("{key}={value}").into());
    }

    fn hand(&mut self, key: &str, descriptor: OwnedFd) {
        self.say(key, descriptor.as_raw_fd());
        self.descriptors.push(descriptor);
    }

    /// Rules and filters; what comes back counts the calls that were refused.
    fn confine(&mut self, program: &Program<'_>, real: &Path, notes: &mut Vec<String>) -> io::Result<File> {
        let mut readable = program.readable.to_vec();
        readable.push(real.to_path_buf());
        self.say("confine", 1);
        if let Some(rules) = files::rules(program.folder, &readable, notes).map_err(io::Error::other)? {
            self.hand("rules", rules);
        }
        let (allowed, absent) = filters()?;
        self.hand("filter", allowed.try_clone()?.into());
        self.hand("absent", absent.try_clone()?.into());
        let counts = warden::file_of(&[0; COUNTED_CALLS * 4])?;
        self.hand("counts", counts.try_clone()?.into());
        Ok(counts)
    }

    fn limits(&mut self, program: &Program<'_>) {
        let Limits { memory, tasks, scratch, file, descriptors } = program.limits;
        for (key, value) in [("memory", memory), ("tasks", tasks), ("scratch", scratch)] {
            self.say(key, value);
        }
        self.words.push(joined("folder=", program.folder.as_os_str()));
        self.say("fixed", u8::from(program.fixed_addresses));
        if let Some(descriptor) = program.keep {
            self.say("keep", descriptor.as_raw_fd());
        }
        self.say("limit", format_args!("{}:0", libc::RLIMIT_CORE));
        let each = [(libc::RLIMIT_FSIZE, file), (libc::RLIMIT_NOFILE, descriptors)];
        for (which, most) in each.into_iter().filter(|(_, most)| *most > 0) {
            self.say("limit", format_args!("{which}:{most}"));
        }
    }
}

fn joined(prefix: &str, rest: &OsStr) -> OsString {
    let mut text = OsString::from(prefix);
    text.push(rest);
    text
}

/// The filters, made once.
fn filters() -> io::Result<&'static (File, File)> {
    static FILTERS: OnceLock<(File, File)> = OnceLock::new();
    if FILTERS.get().is_none() {
        let made = |filter: Result<_, seccompiler::BackendError>| {
            warden::file_of(&calls::bytes(&filter.map_err(|error| io::Error::other(error.to_string()))?))
        };
        // Another thread may have been quicker.
        let _ = FILTERS.set((made(calls::allowed())?, made(calls::absent())?));
    }
    FILTERS.get().ok_or_else(|| io::Error::other("no filter"))
}

impl Running {
    /// Waits until the warden has said that there is a process, or that there is none.
    fn await_start(&mut self, confined: bool) -> Result<(), Error> {
        let limit = Instant::now() + START_LIMIT;
        loop {
            let end = self.try_wait()?;
            if self.process.is_some() {
                // It may have ended already.
                break;
            }
            if let Some(end) = end {
                let source = io::Error::other(format!("its warden ended: {end:?}"));
                return Err(Error::Refused { program: self.path.clone(), source });
            }
            if Instant::now() > limit {
                return Err(Error::Cut { program: self.path.clone() });
            }
            self.rest(LOOK);
        }
        if confined && !self.has_namespaces {
            self.notes.push("this machine gives no namespaces: the program sees other processes".to_string());
        }
        Ok(())
    }

    /// Takes in what the warden has said.
    fn listen(&mut self) -> Result<(), Error> {
        while self.has_word() {
            let mut record = [0; RECORD];
            if self.words.read_exact(&mut record).is_err() {
                // Its end is closed: nothing more will come.
                return Ok(());
            }
            match Word::read(record) {
                Some(Word::Started { process, namespaces }) => {
                    (self.process, self.has_namespaces) = (Some(process), namespaces != 0);
                }
                Some(Word::Ended { status }) => self.end = self.end.or(Some(end_of(ExitStatus::from_raw(status)))),
                Some(Word::Over(resource)) => self.end = self.end.or(Some(End::Over(resource))),
                Some(Word::Failed { step, errno }) => return Err(self.failed(step, errno)),
                None => {}
            }
        }
        Ok(())
    }

    fn failed(&self, step: Step, errno: i32) -> Error {
        let (program, error) = (self.path.clone(), io::Error::from_raw_os_error(errno));
        let what = match step {
            Step::Exec => return Error::starting(program, error),
            Step::Fork => "a process",
            Step::Limits => "its limits",
            Step::Files => "its rules for files",
            Step::Calls => "its filter of system calls",
        };
        Error::Refused { program, source: io::Error::other(format!("{what}: {error}")) }
    }

    fn has_word(&self) -> bool {
        let mut entries = [entry(self.words.as_raw_fd())];
        poll(&mut entries, Duration::ZERO).is_ok() && entries[0].revents & libc::POLLIN != 0
    }

    /// Sleeps until it ends or the time is up, whichever is first.
    pub fn rest(&self, most: Duration) {
        let ended = self.group.descriptor().map(entry);
        let mut entries: Vec<_> = ended.into_iter().chain([entry(self.words.as_raw_fd())]).collect();
        // What went wrong shows when the words are read.
        let _ = poll(&mut entries, most);
    }

    /// How it ended, once it has.
    pub fn try_wait(&mut self) -> Result<Option<End>, Error> {
        if self.end.is_none() {
            let failed = |source| Error::Watch { program: self.path.clone(), source };
            // First: what the warden says before it ends is then there.
            let status = self.group.try_wait().map_err(failed)?;
            self.listen()?;
            self.end = self.end.or(status.map(end_of));
        }
        Ok(self.end)
    }

    /// Waits for its end; at the deadline it is ended, which gives none.
    pub fn wait(&mut self, deadline: &Deadline) -> Result<Option<End>, Error> {
        loop {
            if let Some(end) = self.try_wait()? {
                return Ok(Some(end));
            }
            if deadline.is_over() {
                self.end_now();
                return Ok(None);
            }
            self.rest(deadline.left().map_or(LOOK, |left| left.min(LOOK)));
        }
    }

    /// The process of the program itself.
    pub fn process(&self) -> Option<i32> {
        self.process
    }

    /// Sends a signal to the processes of its group; the warden does not listen to any but SIGKILL and SIGTERM.
    pub fn signal(&self, signal: i32) {
        self.group.signal(signal);
    }

    /// System calls that were refused, with how often.
    pub fn refused(&self) -> Vec<(u32, u32)> {
        let mut bytes = [0; COUNTED_CALLS * 4];
        if self.counts.as_ref().is_none_or(|counts| counts.read_exact_at(&mut bytes, 0).is_err()) {
            return Vec::new();
        }
        let counts = bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word));
        (0..).zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    /// Ends it and everything it has started.
    pub fn end_now(&mut self) {
        if self.has_namespaces {
            // The kernel ends the rest with the first process of the namespace, which is in the group.
            self.group.signal(libc::SIGKILL);
        } else {
            self.group.ask_to_end();
            let limit = Instant::now() + END_LIMIT;
            while self.group.try_wait().is_ok_and(|status| status.is_none()) && Instant::now() < limit {
                self.rest(LOOK);
            }
        }
        // It was killed: this cannot hang, and there is nobody to tell.
        let _ = self.group.end();
        self.end = self.end.or(Some(End::Killed(libc::SIGKILL)));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.group.is_over() {
            self.end_now();
        }
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Killed(signal),
        (None, None) => End::Killed(libc::SIGKILL),
    }
}
