//! Units that compile and units that do not → those that belong to the program as it is built here.
//!
//! A program for many systems has a folder for each, and all but one of them are full of headers that are nowhere to be found. What still compiles in such
//! a folder is not meant either: `theos/_sprintf.c` defines `sprintf`.

use crate::program::{BrokenUnit, Parsed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files of a folder that do not compile before the rest of it is left out.
const FAILING: usize = 2;

/// Leaves out what lies in folders where no more files compile than do not; the folder with the most that do is never one.
pub(crate) fn leave_out(parsed: &mut Vec<Parsed>, broken: &mut Vec<BrokenUnit>) {
    let folder = |file: &Path| file.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut counts: BTreeMap<PathBuf, (usize, usize)> = BTreeMap::new();
    for (translation, _) in parsed.iter() {
        counts.entry(folder(&translation.file)).or_default().0 += 1;
    }
    for unit in broken.iter() {
        counts.entry(folder(&unit.file)).or_default().1 += 1;
    }
    let most = counts.values().map(|(fine, _)| *fine).max().unwrap_or(0);
    let is_foreign = |file: &Path| {
        let (fine, failing) = counts.get(&folder(file)).copied().unwrap_or_default();
        fine < most && failing >= FAILING.max(fine)
    };
    let (foreign, own): (Vec<Parsed>, Vec<Parsed>) =
        std::mem::take(parsed).into_iter().partition(|(translation, _)| is_foreign(&translation.file));
    *parsed = own;
    broken.extend(foreign.into_iter().map(|(translation, _)| BrokenUnit {
        file: translation.file,
        stderr: "error: most files beside it do not compile, so it is taken to be for another system".into(),
    }));
}
