//! The warden's side of the talk: where its executable is, and the records it writes. The numbers are also in `warden/warden.h`.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::PathBuf;
use std::sync::OnceLock;

static EXECUTABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/warden"));

/// What the program used too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    Memory,
    Tasks,
    Scratch,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Memory => "memory",
            Resource::Tasks => "threads or processes",
            Resource::Scratch => "disk",
        })
    }
}

/// Where a start failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Fork,
    Limits,
    Files,
    Calls,
    Exec,
}

/// What the warden tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The program's process, as the engine sees it, and its new namespaces.
    Started {
        process: i32,
        namespaces: u32,
    },
    Failed {
        step: Step,
        errno: i32,
    },
    /// As `wait` gives it.
    Ended {
        status: i32,
    },
    Over(Resource),
}

pub const RECORD: usize = 12;

impl Word {
    /// None for what no warden writes.
    pub fn read(record: [u8; RECORD]) -> Option<Word> {
        let number = |at: usize| u32::from_ne_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let (value, more) = (number(4), number(8));
        Some(match number(0) {
            1 => Word::Started { process: value as i32, namespaces: more },
            2 => Word::Failed { step: step(value)?, errno: more as i32 },
            3 => Word::Ended { status: value as i32 },
            4 => Word::Over(resource(value)?),
            _ => return None,
        })
    }
}

fn step(number: u32) -> Option<Step> {
    Some(match number {
        1 => Step::Fork,
        2 => Step::Limits,
        3 => Step::Files,
        4 => Step::Calls,
        5 => Step::Exec,
        _ => return None,
    })
}

fn resource(number: u32) -> Option<Resource> {
    Some(match number {
        1 => Resource::Memory,
        2 => Resource::Tasks,
        3 => Resource::Scratch,
        _ => return None,
    })
}

/// A path by which this process and its children can start the warden: a file in memory, made once.
pub fn executable() -> io::Result<PathBuf> {
    static FILE: OnceLock<File> = OnceLock::new();
    if FILE.get().is_none() {
        const EXECUTABLE_FILE: libc::c_uint = 0x10;
        // Older kernels do not know that flag, and need none.
        let file = memory_file(EXECUTABLE_FILE).or_else(|_| memory_file(0))?;
        (&file).write_all(EXECUTABLE)?;
        seal(&file, libc::F_SEAL_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW)?;
        // Another thread may have been quicker.
        let _ = FILE.set(file);
    }
    let file = FILE.get().ok_or_else(|| io::Error::other("no warden"))?;
    Ok(PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
}

/// A file in memory that holds `bytes`.
pub fn file_of(bytes: &[u8]) -> io::Result<File> {
    let file = memory_file(0)?;
    (&file).write_all(bytes)?;
    Ok(file)
}

fn memory_file(flags: libc::c_uint) -> io::Result<File> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING | flags;
    // SAFETY: a fresh descriptor, owned from here.
    unsafe {
        match libc::memfd_create(c"covet".as_ptr(), flags) {
            descriptor if descriptor >= 0 => Ok(File::from_raw_fd(descriptor)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Forbids for good what the seals say, and more seals.
pub fn seal(file: &File, seals: i32) -> io::Result<()> {
    // SAFETY: a plain system call on a descriptor we own.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals | libc::F_SEAL_SEAL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
