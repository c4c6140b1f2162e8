//! A bug of a source package → two trees, the last before its patch and the first with it.
//!
//! A tree is known by how many patches of the series it has, so bugs of a package share those they have in common. What is not finished is
//! made again: a tree gets its name when it is whole.

use super::patches::{self, Patch};
use super::table::Bug;
use crate::Error;
use crate::apt::Apt;
use crate::run::succeed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Where trees are kept.
pub struct Trees {
    folder: PathBuf,
    apt: Apt,
    /// One at a time makes trees: bugs share them.
    making: Mutex<()>,
}

/// The two versions of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub buggy: PathBuf,
    pub fixed: PathBuf,
}

impl Trees {
    /// Everything is kept below `folder`; `apt` is where lists of packages are.
    pub fn new(folder: &Path, apt: &Path) -> Trees {
        Trees { folder: folder.join("trees"), apt: Apt::new(apt), making: Mutex::new(()) }
    }

    /// The trees of a bug, downloaded and made unless they are there.
    pub fn pair(&self, bug: &Bug) -> Result<Pair, Error> {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let home = self.folder.join(format!("{}_{}", bug.package, bug.version.replace(':', "_")));
        let downloads = home.join("downloads");
        if !downloads.exists() {
            let unfinished = fresh(&home.join("downloads.unfinished"))?;
            self.apt.tarballs(&bug.package, &bug.version, &unfinished)?;
            rename(&unfinished, &downloads)?;
        }
        pair(bug, &home, &downloads)
    }
}

/// The trees in `home`, made of the tarballs in `downloads`.
fn pair(bug: &Bug, home: &Path, downloads: &Path) -> Result<Pair, Error> {
    let pristine = home.join("pristine");
    made(&pristine, |tree| unpack(downloads, tree))?;
    let list = pristine.join("debian/patches/series");
    let series = patches::series(&fs::read_to_string(&list).map_err(Error::file(list.display()))?);
    let before = series
        .iter()
        .position(|patch| patch.name == bug.patch)
        .ok_or_else(|| Error::Unexpected(format!("{}: its series has no patch {}", bug.package, bug.patch)))?;
    let tree = |count: usize| -> Result<PathBuf, Error> {
        let tree = home.join(format!("{count:02}"));
        made(&tree, |tree| {
            copy(&pristine, tree)?;
            series[..count].iter().try_for_each(|patch: &Patch| patches::apply(patch, tree))?;
            prepare(bug, home, &pristine, tree)
        })?;
        Ok(tree)
    };
    Ok(Pair { buggy: tree(before)?, fixed: tree(before + 1)? })
}

/// Makes a folder unless it is there: under another name until it is whole.
fn made(folder: &Path, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    if folder.exists() {
        return Ok(());
    }
    let unfinished = fresh(&folder.with_extension("unfinished"))?;
    make(&unfinished)?;
    rename(&unfinished, folder)
}

/// The upstream tarball without its top folder, if all of it is in one, and the distribution's files over it.
fn unpack(downloads: &Path, tree: &Path) -> Result<(), Error> {
    let mut tarballs: Vec<PathBuf> = files(downloads)?;
    tarballs.retain(|path| path.to_string_lossy().contains(".tar."));
    // debian.tar comes after orig.tar.
    tarballs.sort_by_key(|path| (path.to_string_lossy().contains(".debian.tar."), path.clone()));
    for tarball in tarballs {
        let part = fresh(&tree.with_extension("part"))?;
        succeed(Command::new("tar").arg("xf").arg(&tarball).arg("-C").arg(&part))?;
        let is_distribution = tarball.to_string_lossy().contains(".debian.tar.");
        let within = match &files(&part)?[..] {
            [only] if only.is_dir() && !is_distribution => only.clone(),
            _ => part.clone(),
        };
        copy(&within, tree)?;
        fs::remove_dir_all(&part).map_err(Error::file(part.display()))?;
    }
    Ok(())
}

/// Makes what the sources need besides themselves. What it makes is kept if the table names it: configuring takes long.
fn prepare(bug: &Bug, home: &Path, pristine: &Path, tree: &Path) -> Result<(), Error> {
    if bug.prepare.is_empty() {
        return Ok(());
    }
    let run = |folder: &Path| succeed(Command::new("sh").args(["-ec", &bug.prepare]).current_dir(folder));
    if bug.keep.is_empty() {
        return run(tree);
    }
    let kept = home.join("prepared");
    made(&kept, |kept| {
        let whole = fresh(&home.join("preparing"))?;
        copy(pristine, &whole)?;
        run(&whole)?;
        bug.keep.iter().try_for_each(|file| place(&whole.join(file), &kept.join(file)))?;
        fs::remove_dir_all(&whole).map_err(Error::file(whole.display()))
    })?;
    bug.keep.iter().try_for_each(|file| place(&kept.join(file), &tree.join(file)))
}

/// Copies one file into a folder that may be missing.
fn place(from: &Path, to: &Path) -> Result<(), Error> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(Error::file(folder.display()))?;
    fs::copy(from, to).map(drop).map_err(Error::file(from.display()))
}

/// Everything in `from`, with times and links as they are.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    succeed(Command::new("cp").arg("-a").arg(from.join(".")).arg(to))
}

fn fresh(folder: &Path) -> Result<PathBuf, Error> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(Error::file(folder.display()))?;
    Ok(folder.to_owned())
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(Error::file(to.display()))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::file(folder.display()))?;
    Ok(entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// A package of one file, whose second patch mends a bug and whose third adds a line.
    fn package(folder: &Path) -> PathBuf {
        let downloads = folder.join("downloads");
        fs::create_dir_all(&downloads).expect("a folder");
        let (upstream, debian) = (folder.join("upstream"), folder.join("distribution"));
        write(&upstream.join("p-1/a.c"), "one\ntwo\nthree\n");
        write(&upstream.join("p-1/mk"), "echo made > config.h\n");
        let patch = |old: &str, new: &str| {
            let (before, after) = (old.lines().count(), new.lines().count());
            let line = |sign: char| move |line: &str| format!("{sign}{line}\n");
            let (minus, plus): (String, String) =
                (old.lines().map(line('-')).collect(), new.lines().map(line('+')).collect());
            format!("--- a/a.c\n+++ b/a.c\n@@ -1,{before} +1,{after} @@\n{minus}{plus}")
        };
        write(&debian.join("debian/patches/series"), "first\n# a comment\nfix\nlast\n");
        write(&debian.join("debian/patches/first"), &patch("one\ntwo\nthree", "1\ntwo\nthree"));
        write(&debian.join("debian/patches/fix"), &patch("1\ntwo\nthree", "1\n2\nthree"));
        write(&debian.join("debian/patches/last"), &patch("1\n2\nthree", "1\n2\n3"));
        for (name, from, what) in [("p_1.orig.tar.gz", &upstream, "p-1"), ("p_1-1.debian.tar.gz", &debian, "debian")] {
            succeed(Command::new("tar").arg("czf").arg(downloads.join(name)).arg("-C").arg(from).arg(what))
                .expect("tar");
        }
        downloads
    }

    fn bug(patch: &str) -> Bug {
        Bug {
            number: 1,
            package: "p".into(),
            version: "1-1".into(),
            patch: patch.into(),
            id: String::new(),
            kind: crate::bugs::Kind::NullDereference,
            file: "a.c".into(),
            functions: vec!["f".into()],
            flags: Vec::new(),
            prepare: "sh mk && echo x >> runs".into(),
            keep: vec!["config.h".into()],
        }
    }

    #[test]
    fn a_made_up_package_becomes_the_tree_before_a_patch_and_the_one_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let downloads = package(folder.path());
        let home = folder.path().join("home");
        let read = |tree: &Path, name: &str| fs::read_to_string(tree.join(name)).expect("a file");
        let first = pair(&bug("fix"), &home, &downloads).expect("two trees");
        assert_eq!(read(&first.buggy, "a.c"), "1\ntwo\nthree\n");
        assert_eq!(read(&first.fixed, "a.c"), "1\n2\nthree\n");
        assert_eq!(read(&first.fixed, "config.h"), "made\n");
        // What the preparation leaves besides is not wanted.
        assert!(!first.fixed.join("runs").exists());
        let second = pair(&bug("last"), &home, &downloads).expect("two trees");
        assert_eq!(second.buggy, first.fixed);
        assert_eq!(read(&second.fixed, "a.c"), "1\n2\n3\n");
        assert!(pair(&bug("none"), &home, &downloads).is_err());
    }
}
