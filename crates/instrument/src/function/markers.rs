//! Markers: calls left before each branch and its like, so that it can be found again after its block was split or cloned.
//!
//! ```text
//!   call void @covet.mark.branch(i1 %c, i32 7)      ; site 7 depends on %c
//!   br i1 %c, ...
//! ```
//!
//! The rewriting turns each into a guarded event (or, in the fast copy, into nothing) and erases it.

use crate::ir::{Emit, Module, Type, Value};
use covet_sites::{SiteKind, SiteNumber};

const PREFIX: &str = "covet.mark.";

/// Puts the marker of `site` on `value` before `terminator`.
pub fn place(module: Module, emit: &Emit, terminator: Value, kind: SiteKind, value: Value, site: SiteNumber) {
    emit.before(terminator);
    let marker = function(module, emit, kind, value.ty());
    emit.call(marker, &[value, emit.i32.constant(u64::from(site.0))]);
}

/// The site that a marker marks.
pub fn site_of(marker: Value) -> SiteNumber {
    let number = marker.operand(1).as_constant().expect("a marker is called with the number of its site");
    SiteNumber(number as u32)
}

/// What a marker says, if `callee` is one.
pub fn kind_of(callee: &str) -> Option<SiteKind> {
    let (kind, _) = callee.strip_prefix(PREFIX)?.split_once('.')?;
    [SiteKind::Branch, SiteKind::Condition, SiteKind::Switch, SiteKind::Indirect]
        .into_iter()
        .find(|known| format!("{known:?}") == kind)
}

fn function(module: Module, emit: &Emit, kind: SiteKind, ty: Type) -> Value {
    let width = ty.integer_width().map_or("ptr".to_owned(), |width| width.to_string());
    module.declare(&format!("{PREFIX}{kind:?}.{width}"), &[ty, emit.i32], emit.void)
}
