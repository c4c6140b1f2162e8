//! Reads the repository as text, for the tests of this crate: they check what `ARCHITECTURE.md` and the other pages promise about it.
//!
//! The pages are the single source: the arrows between crates and the places where a thing may live are tables in `ARCHITECTURE.md`, parsed here.

pub mod code;
pub mod manifest;
pub mod page;
pub mod tree;

/// Fails with every violation in a line of its own.
pub fn none(promise: &str, violations: &[String]) {
    assert!(violations.is_empty(), "{promise}\n  {}\n", violations.join("\n  "));
}
