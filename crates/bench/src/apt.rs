//! Names of Debian source packages → their files, fetched with the distribution's own tool, which checks signatures.
//!
//! Lists of packages are kept in a folder of the caller's, so the machine's settings stay as they are.

use crate::Error;
use crate::run::{said, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where lists are kept.
pub struct Apt {
    folder: PathBuf,
}

impl Apt {
    pub fn new(folder: &Path) -> Apt {
        Apt { folder: folder.to_owned() }
    }

    /// Downloads and unpacks the newest version of a package that is still there into `folder`.
    pub fn source(&self, name: &str, folder: &Path) -> Result<(), Error> {
        self.know_packages()?;
        succeed(self.get(folder).args(["source", name])).or_else(|failure| {
            let listed = said(self.tool("apt-cache", &self.folder).args(["showsrc", name]))?;
            let fetch = |version: &str| succeed(self.get(folder).args(["source", &format!("{name}={version}")]));
            let is_fetched = versions(&listed).into_iter().any(|version| fetch(version).is_ok());
            if is_fetched { Ok(()) } else { Err(failure) }
        })
    }

    /// Downloads the tarballs of one version of a package into `folder`. Of packages that were replaced, the description may be gone from
    /// the archive while the tarballs are still there.
    pub fn tarballs(&self, name: &str, version: &str, folder: &Path) -> Result<(), Error> {
        self.know_packages()?;
        let package = format!("{name}={version}");
        let fetched = succeed(self.get(folder).args(["source", "--download-only", &package]));
        fetched.or_else(|failure| {
            // Asked where there is nothing: what is there already is not named.
            let named = said(self.get(&self.folder).args(["source", "--print-uris", &package]))?;
            // apt gives a file its name when its sum is right.
            let is_there = |file: &&str| folder.join(file).exists();
            let missing = tarballs(&named).into_iter().find(|file| !is_there(file));
            let has_any = !tarballs(&named).is_empty();
            if has_any && missing.is_none() { Ok(()) } else { Err(failure) }
        })
    }

    fn get(&self, folder: &Path) -> Command {
        self.tool("apt-get", folder)
    }

    fn tool(&self, name: &str, folder: &Path) -> Command {
        let mut command = Command::new(name);
        command.arg("-q").current_dir(folder);
        for (option, value) in [
            ("Dir::Etc::SourceList", self.list().as_path()),
            ("Dir::Etc::SourceParts", Path::new("/dev/null")),
            ("Dir::State::Lists", &self.folder.join("lists")),
            ("Dir::Cache::pkgcache", Path::new("")),
            ("Dir::Cache::srcpkgcache", Path::new("")),
        ] {
            command.arg("-o").arg(format!("{option}={}", value.display()));
        }
        command
    }

    fn list(&self) -> PathBuf {
        self.folder.join("sources.list")
    }

    /// Fetches the lists of packages unless they are there.
    fn know_packages(&self) -> Result<(), Error> {
        let (list, suite) = (self.list(), suite());
        let text = format!(
            "deb-src http://deb.debian.org/debian {suite} main\n\
             deb-src http://deb.debian.org/debian-security {suite}-security main\n"
        );
        if std::fs::read_to_string(&list).is_ok_and(|known| known == text) {
            return Ok(());
        }
        let partial = self.folder.join("lists/partial");
        std::fs::create_dir_all(&partial).map_err(Error::file(partial.display()))?;
        std::fs::write(&list, text).map_err(Error::file(list.display()))?;
        succeed(self.get(&self.folder).arg("update")).inspect_err(|_| drop(std::fs::remove_file(&list)))
    }
}

/// The versions that `showsrc` tells of, as it orders them.
fn versions(listed: &str) -> Vec<&str> {
    listed.lines().filter_map(|line| line.strip_prefix("Version: ")).collect()
}

/// The tarballs that `--print-uris` names: an address in quotes, a name, a size and a sum in each line.
fn tarballs(named: &str) -> Vec<&str> {
    let name = |line: &&str| line.starts_with('\'');
    let files = named.lines().filter(name).filter_map(|line| line.split_whitespace().nth(1));
    files.filter(|file| file.contains(".tar.") && !file.ends_with(".asc")).collect()
}

/// The Debian release of this machine, or a fixed one.
fn suite() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let value = |key: &str| {
        let line = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.map(|value| value.trim_matches('"').to_string())
    };
    value("VERSION_CODENAME").filter(|_| value("ID").as_deref() == Some("debian")).unwrap_or("bookworm".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tarballs_are_told_from_what_describes_them() {
        let named = "Need to get 3 B.\n'http://a/p_1-1.dsc' p_1-1.dsc 1 SHA256:0\n\
            'http://a/p_1.orig.tar.gz' p_1.orig.tar.gz 1 SHA256:0\n'http://a/p_1.orig.tar.gz.asc' p_1.orig.tar.gz.asc 1 SHA256:0\n\
            'http://a/p_1-1.debian.tar.xz' p_1-1.debian.tar.xz 1 SHA256:0\n";
        assert_eq!(tarballs(named), ["p_1.orig.tar.gz", "p_1-1.debian.tar.xz"]);
        assert_eq!(versions("Package: p\nVersion: 2-1\n\nPackage: p\nVersion: 1:1-4\n"), ["2-1", "1:1-4"]);
    }
}
