//! Names of Debian source packages become projects: downloaded, configured, built, and described by a `compile_commands.json`.
//!
//! Everything goes into a cache folder of the caller's and is done once; a package that was not finished is done again from the
//! start. The compiler's calls are written down by a small script that stands in for it.

use crate::Error;
use crate::apt::Apt;
use crate::run::succeed;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A project and how it is built.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// The name of its source package.
    pub name: &'static str,
    /// Shell commands, run in its folder before the compiler's calls are noted.
    configure: &'static str,
    /// Shell commands that compile it.
    build: &'static str,
    /// Its own files are below this folder and not below one of `foreign`.
    own: &'static str,
    foreign: &'static [&'static str],
    /// Libraries its files are linked with, made by the build.
    libraries: &'static [&'static str],
}

/// expat's source package comes without a `configure`; what it would find out is the same on every Linux.
const EXPAT_CONFIG: &str = "printf '#define %s\\n' 'BYTEORDER 1234' 'HAVE_GETRANDOM 1' 'HAVE_MMAP 1' 'HAVE_UNISTD_H 1' \
    'HAVE_FCNTL_H 1' 'HAVE_STDLIB_H 1' 'XML_NS 1' 'XML_DTD 1' 'XML_GE 1' 'XML_CONTEXT_BYTES 1024' 'XML_DEV_URANDOM 1' \
    'PACKAGE_VERSION \"0\"' > expat/lib/expat_config.h";

/// Patched packages look older than what they were generated from; nothing is to be generated again.
macro_rules! make {
    ($what:literal) => {
        concat!("make ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: MAKEINFO=: ", $what)
    };
}

pub const PACKAGES: &[Package] = &[
    Package {
        name: "zlib",
        configure: "./configure --static",
        build: "make libz.a",
        own: "",
        foreign: &[],
        libraries: &[],
    },
    Package {
        name: "bzip2",
        configure: "true",
        build: "make libbz2.a bzip2 bzip2recover",
        own: "",
        foreign: &[],
        libraries: &[],
    },
    Package { name: "cjson", configure: "true", build: "make static", own: "", foreign: &["tests"], libraries: &[] },
    Package {
        name: "gzip",
        configure: "./configure --disable-dependency-tracking",
        build: make!("all"),
        own: "",
        foreign: &["lib"],
        libraries: &["lib/libgzip.a"],
    },
    Package {
        name: "sed",
        configure: "./configure --disable-dependency-tracking --disable-acl --without-selinux",
        build: make!("all"),
        own: "sed",
        foreign: &[],
        libraries: &["lib/libsed.a"],
    },
    Package {
        name: "expat",
        configure: EXPAT_CONFIG,
        build: "cd expat/lib && for f in xmlparse xmlrole xmltok; do $CC -DHAVE_EXPAT_CONFIG_H -I. -c $f.c -o $f.o; done",
        own: "expat/lib",
        foreign: &[],
        libraries: &[],
    },
];

/// A project that can be worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    pub database: PathBuf,
    pub libraries: Vec<PathBuf>,
}

/// Writes down every call of the compiler: the folder and the arguments, a line of words separated by tabs.
const RECORDER: &str = "#!/bin/sh
if [ -n \"$COVET_RECORD\" ]; then
    { printf '%s' \"$PWD\"; for word in \"$@\"; do printf '\\t%s' \"$word\"; done; printf '\\n'; } >> \"$COVET_RECORD\"
fi
exec cc \"$@\"
";

impl Package {
    /// The project in `cache`, fetched and built unless it is there.
    pub fn fetch(&self, cache: &Path) -> Result<Fetched, Error> {
        let home = cache.join(self.name);
        let database = home.join("compile_commands.json");
        if !database.exists() {
            let _ = std::fs::remove_dir_all(&home);
            std::fs::create_dir_all(&home).map_err(Error::file(home.display()))?;
            Apt::new(&cache.join("apt")).source(self.name, &home)?;
            self.compile(&home, &database)?;
        }
        let folder = source_folder(&home)?;
        Ok(Fetched { database, libraries: self.libraries.iter().map(|library| folder.join(library)).collect() })
    }

    fn compile(&self, home: &Path, database: &Path) -> Result<(), Error> {
        let folder = source_folder(home)?;
        let recorder = home.join("cc");
        std::fs::write(&recorder, RECORDER).map_err(Error::file(recorder.display()))?;
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&recorder, executable).map_err(Error::file(recorder.display()))?;
        let record = home.join("calls");
        let shell = |commands: &str| {
            let mut command = Command::new("sh");
            command.args(["-ec", commands]).current_dir(&folder).env("CC", &recorder).env("MAKEFLAGS", "-s");
            // make takes its own CC over that of the environment, unless it is told so.
            command.env("MAKEOVERRIDES", "");
            command
        };
        succeed(&mut shell(self.configure))?;
        let build = self.build.replace("make", &format!("make CC={}", recorder.display()));
        succeed(shell(&build).env("COVET_RECORD", &record))?;
        let calls = std::fs::read_to_string(&record).map_err(Error::file(record.display()))?;
        let own = folder.join(self.own);
        let is_own = |file: &Path| {
            file.starts_with(&own) && !self.foreign.iter().any(|foreign| file.starts_with(folder.join(foreign)))
        };
        let entries = entries(&calls, is_own);
        if entries.is_empty() {
            return Err(Error::Unexpected(format!("{}: its build compiles none of its own files", self.name)));
        }
        let text = serde_json::Value::Array(entries).to_string();
        let unfinished = database.with_extension("unfinished");
        std::fs::write(&unfinished, text).map_err(Error::file(unfinished.display()))?;
        std::fs::rename(&unfinished, database).map_err(Error::file(database.display()))
    }
}

/// The recorded compilations of own files as entries of a compilation database.
fn entries(calls: &str, is_own: impl Fn(&Path) -> bool) -> Vec<serde_json::Value> {
    let mut entries = Vec::new();
    for call in calls.lines() {
        let mut words = call.split('\t');
        let folder = words.next().unwrap_or_default();
        let arguments: Vec<&str> = std::iter::once("cc").chain(words).collect();
        let is_source = |word: &&&str| word.ends_with(".c") && is_own(&Path::new(folder).join(word));
        entries.extend(
            (arguments.iter().filter(is_source))
                .map(|file| json!({ "directory": folder, "file": file, "arguments": &arguments })),
        );
    }
    entries
}

/// The one folder that unpacking made.
fn source_folder(home: &Path) -> Result<PathBuf, Error> {
    let entries = std::fs::read_dir(home).map_err(Error::file(home.display()))?;
    let mut folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(|path| path.is_dir());
    folders.next().ok_or_else(|| Error::Unexpected(format!("{}: nothing was unpacked", home.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_calls_become_entries_of_own_files() {
        let calls = "/p\t-c\ta.c\t-o\ta.o\n/p/lib\t-c\tb.c\n/p\ta.o\t-o\tprogram\n";
        let found = entries(calls, |file| !file.starts_with("/p/lib"));
        let wanted = json!({"directory": "/p", "file": "a.c", "arguments": ["cc", "-c", "a.c", "-o", "a.o"]});
        assert_eq!(found, [wanted]);
    }
}
