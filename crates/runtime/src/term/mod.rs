//! Terms: what the program computes from its inputs, as nodes in the shared arena.
//!
//! Reading order: [`arena`] keeps the nodes, each once; [`tables`] the lists that a selection reads from; [`range`] tells what a term
//! can be without solving; [`build`] makes a term of operands, smaller where that is cheap; [`operators`] are the hooks by which the
//! program asks for one.

pub mod arena;
pub mod tables;

pub mod range;

pub mod build;

pub mod operators;
