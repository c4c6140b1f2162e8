//! What the user says about how many elements pointers point at, by access path (`arg.p`, `arg.p->data`).

use covet_input::AccessPath;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// So many.
    pub fixed: BTreeMap<AccessPath, u64>,
    /// As many as the parameter of this name says; for parameters only.
    pub counted: BTreeMap<AccessPath, String>,
}
