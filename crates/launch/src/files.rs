//! The files a program may read and write, as Landlock rules; with them go connections and signals to others.
//!
//! Written can be one folder. Read can be the system's folders, which hold what every program needs and nobody's secrets, the program
//! itself, and what the caller adds: folders of people, their keys and mails, are not among them.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};

const VERSION: ABI = ABI::V6;

/// Programs, libraries and what these read when they start: every program may read them.
pub const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix",
    "/gnu",
    "/proc",
    "/sys/devices/system/cpu",
    "/etc/alternatives",
    "/etc/group",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/protocols",
    "/etc/services",
    "/etc/timezone",
    "/dev/random",
    "/dev/urandom",
];

const WRITABLE_DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Rules for a program that may write below `folder`; none where the kernel has none. What it cannot do is added to the notes.
pub fn rules(folder: &Path, readable: &[PathBuf], notes: &mut Vec<String>) -> Result<Option<OwnedFd>, String> {
    let version = kernel_version();
    if version < 1 {
        notes.push("this kernel has no Landlock: files outside the scratch folder are not protected".to_string());
        return Ok(None);
    }
    if version < 6 {
        notes.push("this kernel's Landlock cannot confine signals; namespaces have to".to_string());
    }
    make(folder, readable).map(Option::<OwnedFd>::from).map_err(|error| error.to_string())
}

fn make(folder: &Path, readable: &[PathBuf]) -> Result<RulesetCreated, landlock::RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::Signal | Scope::AbstractUnixSocket)?
        .create()?;
    let read = AccessFs::from_read(VERSION);
    for path in SYSTEM.iter().map(Path::new).chain(readable.iter().map(PathBuf::as_path)) {
        rules = allow(rules, path, read)?;
    }
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
    rules = allow(rules, folder, AccessFs::from_all(VERSION) & !devices)?;
    for device in WRITABLE_DEVICES {
        rules = allow(rules, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    Ok(rules)
}

/// Rules for a program that may read everything and write below these folders; none where the kernel has none.
pub fn for_writing(folders: &[&Path]) -> Result<Option<OwnedFd>, String> {
    let make = || -> Result<RulesetCreated, landlock::RulesetError> {
        let write = AccessFs::from_write(VERSION);
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(write)?
            .handle_access(AccessNet::from_all(VERSION))?
            .create()?;
        for folder in folders {
            rules = allow(rules, folder, write)?;
        }
        for device in WRITABLE_DEVICES {
            rules = allow(rules, Path::new(device), AccessFs::WriteFile | AccessFs::Truncate)?;
        }
        Ok(rules)
    };
    if kernel_version() < 1 { Ok(None) } else { make().map(Option::<OwnedFd>::from).map_err(|error| error.to_string()) }
}

/// Nothing where the path is not there: then there is nothing to allow.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let of_files = if path.is_dir() { access } else { access & AccessFs::from_file(VERSION) };
    rules.add_rule(PathBeneath::new(opened, of_files))
}

/// What the kernel offers; below 1 nothing.
fn kernel_version() -> i64 {
    const ASK_VERSION: u32 = 1;
    // SAFETY: this form of the call only asks.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, ASK_VERSION) }
}
