//! The shape of a `covet.toml` as written, before its parts are checked.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Value};

type Words = Vec<Spanned<String>>;

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct File {
    pub flags: Vec<String>,
    pub skip: Words,
    pub stubs: Words,
    pub symbolic_globals: Words,
    pub options: BTreeMap<Spanned<String>, Spanned<Value>>,
    pub pure: BTreeMap<Spanned<String>, Spanned<String>>,
    pub stub: BTreeMap<Spanned<String>, Stub>,
    pub function: BTreeMap<Spanned<String>, Function>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stub {
    pub assume: Words,
    pub outputs: Option<Words>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Function {
    pub assume: Words,
    pub sizes: BTreeMap<Spanned<String>, Spanned<Value>>,
    pub nullable: Words,
    pub nonnull: Words,
    pub stubs: Words,
    pub symbolic_globals: Words,
    pub skip: bool,
    pub time: Option<Spanned<f64>>,
    pub iterations: Option<u64>,
}
