//! One command of Covet in a place of its own → what can be seen of it from outside.

use crate::Error;
use covet_results::Database;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often processes are looked at.
const LOOK: Duration = Duration::from_millis(40);
/// What was started may take so long to be gone after the command.
const GONE: Duration = Duration::from_millis(1500);

/// Folders of one program: sources, results, and all that the command writes elsewhere.
pub struct Place {
    covet: PathBuf,
    folder: PathBuf,
    sources: PathBuf,
    cache: PathBuf,
}

/// What a command did.
#[derive(Default)]
pub struct Observed {
    pub seconds: f64,
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    pub summary: Json,
    pub errors: String,
    /// Most bytes that all its processes held at once.
    pub peak: u64,
}

impl Observed {
    pub fn end(&self) -> String {
        match (self.exit, self.signal) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "no status".to_owned(),
        }
    }

    pub fn last_words(&self) -> &str {
        self.errors.trim().lines().last().unwrap_or("it said nothing")
    }
}

impl Place {
    pub fn new(covet: &Path, scratch: &Path, name: &str) -> Result<Place, Error> {
        let folder = scratch.join(name);
        Place::around(covet, &folder, &folder.join("sources"), &folder.join("cache"))
    }

    /// Results go below `folder`; the sources, and what is kept of compiling them, are elsewhere.
    pub fn around(covet: &Path, folder: &Path, sources: &Path, cache: &Path) -> Result<Place, Error> {
        let temporary = folder.join("temporary");
        for path in [sources, cache, &temporary] {
            fs::create_dir_all(path).map_err(Error::file(path.display()))?;
        }
        let owned = Path::to_owned;
        Ok(Place { covet: owned(covet), folder: owned(folder), sources: owned(sources), cache: owned(cache) })
    }

    /// A source file of this text.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.sources.join(format!("{name}.c"));
        fs::write(&path, text).map_err(Error::file(path.display()))?;
        Ok(path)
    }

    pub fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    /// Runs a command, which is killed when it takes longer than `limit`.
    pub fn run(&self, arguments: &[String], limit: Duration) -> Result<Observed, Error> {
        self.start(arguments)?.finish(limit)
    }

    pub fn start(&self, arguments: &[String]) -> Result<Running, Error> {
        let path = |name: &str| self.folder.join(name);
        let file = |name: &str| fs::File::create(path(name)).map_err(Error::file(path(name).display()));
        let mut command = Command::new(&self.covet);
        command
            .args(arguments)
            .env("XDG_CACHE_HOME", &self.cache)
            .env("TMPDIR", path("temporary"))
            .current_dir(&self.sources)
            .stdin(Stdio::null())
            .stdout(file("stdout")?)
            .stderr(file("stderr")?)
            .process_group(0);
        let missing = |reason| Error::Missing { program: self.covet.display().to_string(), reason };
        let child = command.spawn().map_err(missing)?;
        Ok(Running { child, began: Instant::now(), folder: self.folder.clone() })
    }

    /// How many tests the results hold; none where there are no results.
    pub fn stored_tests(&self) -> Result<Option<usize>, String> {
        if !self.out().join("covet.db").exists() && !self.out().exists() {
            return Ok(None);
        }
        let record = Database::open(&self.out()).and_then(|database| database.read());
        record.map(|record| Some(record.tests.len())).map_err(|error| error.to_string())
    }

    /// What a command that has ended left behind: processes, temporary files.
    pub fn left_behind(&self) -> Vec<String> {
        let ended = Instant::now();
        while !self.processes().is_empty() && ended.elapsed() < GONE {
            std::thread::sleep(LOOK);
        }
        let mut left: Vec<String> = self.processes().iter().map(|name| format!("left running: {name}")).collect();
        let temporary = fs::read_dir(self.folder.join("temporary")).into_iter().flatten().flatten();
        left.extend(temporary.map(|entry| format!("left behind: {}", entry.file_name().to_string_lossy())));
        left
    }

    /// Processes whose program or folder is of this place.
    fn processes(&self) -> Vec<String> {
        let is_ours = |path: Option<PathBuf>| path.is_some_and(|path| path.starts_with(&self.folder));
        let link = |number: u32, name: &str| fs::read_link(format!("/proc/{number}/{name}")).ok();
        let ours =
            numbers().into_iter().filter(|number| is_ours(link(*number, "exe")) || is_ours(link(*number, "cwd")));
        ours.map(|number| fs::read_to_string(format!("/proc/{number}/comm")).unwrap_or_default().trim().to_owned())
            .collect()
    }
}

/// A command that is under way.
pub struct Running {
    child: Child,
    pub began: Instant,
    folder: PathBuf,
}

impl Running {
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub fn signal(&self, signal: i32) {
        // SAFETY: a plain system call; the child was not waited for, so its number is still its own.
        unsafe { libc::kill(self.child.id() as libc::pid_t, signal) };
    }

    /// Waits until it has ended; it is killed when it does not end `within` this time.
    pub fn finish(mut self, within: Duration) -> Result<Observed, Error> {
        let until = Instant::now() + within;
        let mut peak = 0;
        let status = loop {
            if let Some(status) = self.child.try_wait().map_err(Error::file("waiting"))? {
                break status;
            }
            peak = peak.max(held(self.child.id()));
            if Instant::now() > until {
                self.signal(libc::SIGKILL);
            }
            std::thread::sleep(LOOK);
        };
        let seconds = self.began.elapsed().as_secs_f64();
        let text = |name: &str| fs::read(self.folder.join(name)).unwrap_or_default();
        Ok(Observed {
            seconds,
            exit: status.code(),
            signal: status.signal(),
            summary: serde_json::from_slice(&text("stdout")).unwrap_or_default(),
            errors: String::from_utf8_lossy(&text("stderr")).into_owned(),
            peak,
        })
    }
}

/// Every process there is.
fn numbers() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Bytes that a process and all it started hold; pages that several share are shared out among them.
fn held(root: u32) -> u64 {
    let parent = |number: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let parents: BTreeMap<u32, u32> = numbers().into_iter().filter_map(|one| Some((one, parent(one)?))).collect();
    let is_under =
        |number: u32| std::iter::successors(Some(number), |at| parents.get(at).copied()).any(|at| at == root);
    parents.keys().filter(|number| is_under(**number)).map(|number| proportional(*number)).sum()
}

fn proportional(number: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{number}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Threads that keep the machine busy until this is dropped.
pub struct Load {
    enough: Arc<AtomicBool>,
}

impl Load {
    pub fn of(threads: usize) -> Load {
        let enough = Arc::new(AtomicBool::new(false));
        for _ in 0..threads {
            let enough = Arc::clone(&enough);
            std::thread::spawn(move || while !enough.load(Ordering::Relaxed) {});
        }
        Load { enough }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
    }
}
