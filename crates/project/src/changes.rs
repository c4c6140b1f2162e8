//! A git repository and a revision → what has changed since then: lines, and the tree as it was.
//!
//! git only reads here. Nothing that a repository can configure is run: no filters, no external differences, no hooks.

use crate::Failure;
use covet_budget::Deadline;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What differs between a revision and the files as they are.
pub struct Changes {
    /// The folder of the repository.
    pub root: PathBuf,
    /// As the user named it.
    pub revision: String,
    commit: String,
    /// By the path below the root.
    files: BTreeMap<PathBuf, Changed>,
}

/// How a file has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Changed {
    was_there: bool,
    is_there: bool,
    /// Lines, from 1, that are new or stand beside something that is gone: first and last of each part.
    lines: Vec<(u32, u32)>,
}

/// More than any list of changes.
const OUTPUT: usize = 1 << 30;
/// A file larger than this is no source.
const LARGEST: u64 = 32 << 20;
/// Bytes of a tree that is copied at most.
const WHOLE: u64 = 2 << 30;

impl Changes {
    /// The changes since `revision` in the repository around `folder`.
    pub fn since(folder: &Path, revision: &str, deadline: &Deadline) -> Result<Changes, Failure> {
        let git = Git { folder: folder.to_owned(), deadline };
        let root = git.ask(["rev-parse", "--show-toplevel"].map(OsStr::new)).map_err(|failure| match failure {
            Failure::User(_) => {
                Failure::User(format!("{} is in no git repository; --since needs one", folder.display()))
            }
            other @ (Failure::Tool(_) | Failure::Cut(_) | Failure::Machine(_)) => other,
        })?;
        let root = PathBuf::from(OsString::from_vec(trimmed(root)));
        let git = Git { folder: root.clone(), deadline };
        let name = format!("{revision}^{{commit}}");
        let commit = git.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", &name].map(OsStr::new));
        let commit = commit.map_err(|failure| match failure {
            Failure::User(_) => Failure::User(format!("--since: git knows no revision `{revision}`")),
            other @ (Failure::Tool(_) | Failure::Cut(_) | Failure::Machine(_)) => other,
        })?;
        let commit = String::from_utf8_lossy(&trimmed(commit)).into_owned();
        let quiet = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
        let shown =
            git.ask(quiet.iter().chain(&["-U0", "--src-prefix=a/", "--dst-prefix=b/", &commit, "--"]).map(OsStr::new))?;
        let mut files = hunks(&shown);
        let names = git.ask(quiet.iter().chain(&["--name-status", "-z", &commit, "--"]).map(OsStr::new))?;
        for (status, path) in statuses(&names) {
            let file = files.entry(path).or_default();
            (file.was_there, file.is_there) = (status != b'A', status != b'D');
        }
        let others = git.ask(["ls-files", "--others", "--exclude-standard", "-z"].map(OsStr::new))?;
        for path in others.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            let file = Changed { was_there: false, is_there: true, lines: vec![(1, u32::MAX)] };
            files.insert(PathBuf::from(OsStr::from_bytes(path)), file);
        }
        Ok(Changes { root, revision: revision.to_string(), commit, files })
    }

    /// The files below the root that have changed and are there.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().filter(|(_, file)| file.is_there).map(|(path, _)| self.root.join(path))
    }

    /// The changed lines of a file: first and last of each part.
    pub fn lines(&self, file: &Path) -> &[(u32, u32)] {
        let file = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let below = file.strip_prefix(&self.root).ok();
        below.and_then(|path| self.files.get(path)).map_or(&[], |changed| &changed.lines)
    }

    /// Makes `folder` the tree as it was: the files as they are, which also has those that git does not know, with what changed put back.
    pub fn restore(&self, folder: &Path, deadline: &Deadline) -> Result<(), Failure> {
        let mut room = WHOLE;
        copy(&self.root, folder, &mut room, deadline)?;
        let git = Git { folder: self.root.clone(), deadline };
        for (path, changed) in &self.files {
            let place = folder.join(path);
            if changed.was_there {
                let name: OsString =
                    [OsStr::new(&self.commit), OsStr::new(":"), path.as_os_str()].into_iter().collect();
                let text = git.ask(["cat-file".as_ref(), "blob".as_ref(), name.as_os_str()])?;
                let above = place.parent().unwrap_or(folder);
                std::fs::create_dir_all(above).map_err(Failure::file(above))?;
                // A copy may be read-only.
                let _ = std::fs::remove_file(&place);
                std::fs::write(&place, text).map_err(Failure::file(&place))?;
            } else {
                let _ = std::fs::remove_file(&place);
            }
        }
        Ok(())
    }
}

struct Git<'a> {
    folder: PathBuf,
    deadline: &'a Deadline,
}

impl Git<'_> {
    /// What git answers; a user's failure when it refuses.
    fn ask<'w>(&self, words: impl IntoIterator<Item = &'w OsStr>) -> Result<Vec<u8>, Failure> {
        let mut command = Command::new("git");
        command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"]);
        command.arg("-C").arg(&self.folder).args(words).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        let output = covet_launch::tool(command, self.deadline, OUTPUT).map_err(|error| match error.is_cut() {
            true => Failure::Cut("nothing was compared: the time was up".into()),
            false => Failure::Machine(format!("--since needs git: {error}")),
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(Failure::User(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim())))
    }
}

fn trimmed(mut line: Vec<u8>) -> Vec<u8> {
    while line.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        line.pop();
    }
    line
}

/// The lines of each file in a difference without context.
fn hunks(text: &[u8]) -> BTreeMap<PathBuf, Changed> {
    let mut files: BTreeMap<PathBuf, Changed> = BTreeMap::new();
    let mut current: Option<PathBuf> = None;
    // Lines of files follow their header, as many as it says.
    let mut skip = 0usize;
    for line in text.split(|byte| *byte == b'\n') {
        if skip > 0 {
            skip -= usize::from(!line.starts_with(b"\\"));
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            let name = name.strip_suffix(b"\t").unwrap_or(name);
            current = name.strip_prefix(b"b/").map(|path| PathBuf::from(OsStr::from_bytes(path)));
        } else if let (Some(header), Some(path)) = (line.strip_prefix(b"@@ -"), &current) {
            let Some((gone, (first, count))) = parts(&String::from_utf8_lossy(header)) else { continue };
            skip = (gone + count) as usize;
            // What is gone shows in the lines around it.
            let lines = if count == 0 { (first, first + 1) } else { (first, first + count - 1) };
            files.entry(path.clone()).or_default().lines.push(lines);
        } else if line.starts_with(b"@@ -") {
            let gone = parts(&String::from_utf8_lossy(&line[4..]));
            skip = gone.map_or(0, |(gone, (_, count))| (gone + count) as usize);
        }
    }
    files
}

/// `7,2 +9,3 @@ ...`: how many lines are gone, and first and number of the new ones.
fn parts(header: &str) -> Option<(u32, (u32, u32))> {
    let (old, rest) = header.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let numbers = |text: &str| {
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let (_, gone): (u32, u32) = numbers(old)?;
    Some((gone, numbers(new)?))
}

/// `M\0path\0A\0path\0`
fn statuses(text: &[u8]) -> Vec<(u8, PathBuf)> {
    let words: Vec<&[u8]> = text.split(|byte| *byte == 0).filter(|word| !word.is_empty()).collect();
    let pair = |pair: &[&[u8]]| Some((*pair[0].first()?, PathBuf::from(OsStr::from_bytes(pair.get(1)?))));
    words.chunks(2).filter_map(pair).collect()
}

/// Copies a folder, but for what git keeps there.
fn copy(from: &Path, to: &Path, room: &mut u64, deadline: &Deadline) -> Result<(), Failure> {
    std::fs::create_dir_all(to).map_err(Failure::file(to))?;
    let entries: BTreeSet<OsString> =
        std::fs::read_dir(from).map_err(Failure::file(from))?.flatten().map(|entry| entry.file_name()).collect();
    for name in entries.iter().filter(|name| *name != ".git") {
        if deadline.is_over() {
            return Err(Failure::Cut("nothing was compared: the time was up".into()));
        }
        let (source, target) = (from.join(name), to.join(name));
        let Ok(about) = std::fs::symlink_metadata(&source) else { continue };
        if about.is_dir() {
            copy(&source, &target, room, deadline)?;
        } else if about.is_symlink() {
            let Ok(leads_to) = std::fs::read_link(&source) else { continue };
            std::os::unix::fs::symlink(leads_to, &target).map_err(Failure::file(&target))?;
        } else if about.is_file() && about.len() <= LARGEST {
            *room = room.checked_sub(about.len()).ok_or_else(|| {
                Failure::User(format!("{}: too large to be put back to an earlier revision", from.display()))
            })?;
            // What cannot be read is no source of ours.
            let _ = std::fs::copy(&source, &target);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_difference_are_those_of_the_new_files() {
        let text = b"diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -3 +3,2 @@ int f()\n-old\n+new\n+@@ -1 +1 @@\n@@ -9,2 +10,0 @@\n-x\n-+++ b/z.c\n\\ No newline at end of file\n\
            diff --git a/b.c b/b.c\n--- a/b.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
        let files = hunks(text);
        assert_eq!(files[Path::new("a.c")].lines, [(3, 4), (10, 11)]);
        assert_eq!(files.len(), 1);
        let statuses = statuses(b"M\0a.c\0D\0b c.c\0");
        assert_eq!(statuses, [(b'M', PathBuf::from("a.c")), (b'D', PathBuf::from("b c.c"))]);
    }

    #[test]
    fn the_tree_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let at = std::fs::canonicalize(folder.path()).unwrap();
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command
                .args(["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false", "-C"])
                .arg(&at)
                .args(words);
            assert!(command.output().unwrap().status.success(), "{words:?}");
        };
        git(&["init", "-q"]);
        std::fs::write(at.join("a.c"), "int f;\n").unwrap();
        std::fs::write(at.join("gone.c"), "int g;\n").unwrap();
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "one"]);
        std::fs::write(at.join("a.c"), "int f;\nint h;\n").unwrap();
        std::fs::remove_file(at.join("gone.c")).unwrap();
        std::fs::write(at.join("new.c"), "int n;\n").unwrap();
        let deadline = Deadline::default();
        let changes = Changes::since(&at, "HEAD", &deadline).unwrap();
        assert_eq!(changes.lines(&at.join("a.c")), [(2, 2)]);
        assert_eq!(changes.lines(&at.join("new.c")), [(1, u32::MAX)]);
        assert_eq!(changes.files().count(), 2);
        let old = tempfile::tempdir().unwrap();
        changes.restore(old.path(), &deadline).unwrap();
        let text = |name: &str| std::fs::read_to_string(old.path().join(name)).ok();
        assert_eq!(text("a.c").as_deref(), Some("int f;\n"));
        assert_eq!(text("gone.c").as_deref(), Some("int g;\n"));
        assert_eq!(text("new.c"), None);
        let wrong = |folder: &Path, revision: &str| Changes::since(folder, revision, &deadline).err().unwrap();
        assert!(wrong(&at, "nothing").message().contains("no revision `nothing`"));
        assert!(wrong(old.path(), "HEAD").message().contains("no git repository"));
    }
}
