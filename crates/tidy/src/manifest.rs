//! `Cargo.toml` files: who depends on whom.

use crate::tree;
use toml::Table;

/// The dependencies of a crate that reach its users: what it is built with and from, not what its tests need. Without our prefix `covet-`.
pub struct Dependencies {
    pub ours: Vec<String>,
    pub others: Vec<String>,
}

pub fn dependencies(of: &str) -> Dependencies {
    let manifest = read(of);
    let sections = ["dependencies", "build-dependencies"];
    let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    let mut names: Vec<String> = tables.flat_map(|table| table.keys().cloned()).collect();
    names.sort();
    names.dedup();
    let (ours, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.starts_with("covet-"));
    Dependencies { ours: ours.iter().map(|name| name["covet-".len()..].to_owned()).collect(), others }
}

/// Whether a crate takes the lints of the workspace.
pub fn takes_lints(of: &str) -> bool {
    read(of).get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool) == Some(true)
}

fn read(of: &str) -> Table {
    let file = format!("crates/{of}/Cargo.toml");
    tree::read(&file).parse().unwrap_or_else(|error| panic!("{file}: {error}"))
}
