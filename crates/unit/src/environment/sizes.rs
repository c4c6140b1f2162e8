//! What the user and the calls of a function say about how many elements pointers point at, by access path (`arg.p`, `arg.p->data`).

use covet_input::AccessPath;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// So many.
    pub fixed: BTreeMap<AccessPath, u64>,
    /// As many as the parameter of this name says; for parameters only.
    pub counted: BTreeMap<AccessPath, String>,
    /// Bytes that there are where a parameter is given an array, for those that nothing else says the length of.
    pub given: BTreeMap<AccessPath, u64>,
}
