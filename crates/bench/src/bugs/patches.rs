//! A list of patches (`debian/patches/series`) and a tree → the tree with the first of them applied.

use crate::Error;
use crate::run::succeed;
use std::path::Path;
use std::process::Command;

/// One patch of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    pub name: String,
    /// How many folders of its paths are left out.
    strip: String,
}

/// The patches in their order, without comments.
pub fn series(text: &str) -> Vec<Patch> {
    let patch = |line: &str| {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let name = words.next()?.to_owned();
        let strip = words.find(|word| word.starts_with("-p")).unwrap_or("-p1").to_owned();
        Some(Patch { name, strip })
    };
    text.lines().filter_map(patch).collect()
}

/// Applies a patch of `debian/patches` to the tree, which is of no use when it does not fit.
pub fn apply(patch: &Patch, tree: &Path) -> Result<(), Error> {
    let file = tree.join("debian/patches").join(&patch.name);
    let command = |more: &[&str]| {
        let mut command = Command::new("patch");
        command.current_dir(tree).args([patch.strip.as_str(), "--forward", "--silent", "--batch"]);
        command.args(["--no-backup-if-mismatch", "--reject-file=-"]).args(more).arg("-i").arg(&file);
        command
    };
    // Lines that end as on other systems are found only when they are taken as they are.
    let fits = |way: &[&str]| succeed(&mut command(&[way, &["--dry-run"]].concat())).is_ok();
    // One of several commits may change what it has changed before, which nobody can try without doing it.
    let way: &[&str] = if !fits(&[]) && fits(&["--binary"]) { &["--binary"] } else { &[] };
    succeed(&mut command(way))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_comments_and_levels() {
        let found = series("# first\na.patch\n\nb.patch -p0 # as upstream\n");
        let shown: Vec<(&str, &str)> = found.iter().map(|one| (one.name.as_str(), one.strip.as_str())).collect();
        assert_eq!(shown, [("a.patch", "-p1"), ("b.patch", "-p0")]);
    }

    #[test]
    fn a_patch_is_applied_whatever_its_lines_end_with_or_not_at_all() {
        let tree = tempfile::tempdir().expect("a folder");
        let path = |name: &str| tree.path().join(name);
        std::fs::create_dir_all(path("debian/patches")).expect("a folder");
        std::fs::write(path("unix.c"), "int a;\nint b;\nint c;\n").expect("a file");
        std::fs::write(path("dos.c"), "int a;\r\nint b;\r\nint c;\r\n").expect("a file");
        let patch = |file: &str, end: &str| {
            format!(
                "--- a/{file}\n+++ b/{file}\n@@ -1,3 +1,3 @@\n int a;{end}\n-int b;{end}\n+int d;{end}\n int c;{end}\n"
            )
        };
        for (name, text) in [("unix", patch("unix.c", "")), ("dos", patch("dos.c", "\r"))] {
            std::fs::write(path("debian/patches").join(name), text).expect("a patch");
            apply(&series(name)[0], tree.path()).expect("it fits");
        }
        assert_eq!(std::fs::read_to_string(path("unix.c")).expect("a file"), "int a;\nint d;\nint c;\n");
        assert_eq!(std::fs::read_to_string(path("dos.c")).expect("a file"), "int a;\r\nint d;\r\nint c;\r\n");
        let twice = "--- a/unix.c\n+++ b/unix.c\n@@ -1,3 +1,3 @@\n int a;\n-int d;\n+int e;\n int c;\n\
            --- a/unix.c\n+++ b/unix.c\n@@ -1,3 +1,3 @@\n int a;\n-int e;\n+int d;\n int c;\n";
        std::fs::write(path("debian/patches/twice"), twice).expect("a file");
        apply(&series("twice")[0], tree.path()).expect("it fits");
        // A second time it does not fit, and leaves nothing behind.
        assert!(apply(&series("unix")[0], tree.path()).is_err());
        assert_eq!(std::fs::read_dir(tree.path()).expect("a folder").count(), 3);
    }
}
