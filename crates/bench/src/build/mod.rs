//! Generated programs that are hard on a compiler.

pub mod programs;
