//! The C source that is linked into recorded programs.

/// To be compiled to bitcode and linked into every recorded unit; its functions are called by the hooks of `covet-instrument`.
pub const RUNTIME: &str = include_str!("../c/record.c");
