//! The map in `ARCHITECTURE.md` against the manifests: every crate is on it, with exactly the arrows it has, and data flows downwards.

use covet_tidy::{manifest, none, page, tree};
use std::collections::BTreeMap;

/// Each crate of the map with the crates it may use, in the order of the page.
fn map() -> Vec<(String, Vec<String>)> {
    let rows = page::table(&tree::read("ARCHITECTURE.md"), "## Map");
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<String>>();
    rows.iter().map(|row| (owned(page::ticked(&row[0])).remove(0), owned(page::ticked(&row[3])))).collect()
}

#[test]
fn every_crate_is_on_the_map() {
    let mut named: Vec<String> = map().into_iter().map(|(name, _)| name).collect();
    named.sort();
    assert_eq!(named, tree::crates());
}

#[test]
fn the_arrows_between_crates_are_those_of_the_map() {
    let mut wrong = Vec::new();
    for (name, uses) in map() {
        let has = manifest::dependencies(&name).ours;
        wrong.extend(
            has.iter()
                .filter(|to| !uses.contains(to))
                .map(|to| format!("`{name}` uses `{to}`, which the map does not allow")),
        );
        wrong.extend(
            uses.iter()
                .filter(|to| !has.contains(to))
                .map(|to| format!("`{name}` no longer uses `{to}`: take it off the map")),
        );
    }
    none("ARCHITECTURE.md and the manifests differ in the arrows between crates:", &wrong);
}

#[test]
fn a_crate_uses_only_what_stands_above_it() {
    let map = map();
    let place: BTreeMap<&str, usize> = map.iter().enumerate().map(|(at, (name, _))| (name.as_str(), at)).collect();
    let mut wrong = Vec::new();
    for (name, uses) in &map {
        let below = uses.iter().filter(|to| place.get(to.as_str()) >= place.get(name.as_str()));
        wrong.extend(below.map(|to| format!("`{to}` stands below `{name}`, which uses it")));
    }
    none("the order of the map in ARCHITECTURE.md is not that of the arrows:", &wrong);
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let without: Vec<String> = tree::crates().into_iter().filter(|name| !manifest::takes_lints(name)).collect();
    none("crates without `[lints] workspace = true`:", &without);
}
