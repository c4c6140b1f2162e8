//! Formulas: the nodes a run leaves behind, as interned and simplified terms.
//!
//! A [`Pool`] owns every [`Term`]; equal terms have equal ids. Constructors simplify, and every simplification keeps the
//! value under every input (checked against [`Evaluator`] on all small operands). Terms can be very deep, so nothing here
//! recurses over the depth of a term: passes run over explicit stacks, rewrites look a bounded way down.

pub mod bits;
mod pool;
mod term;
mod varset;

mod apply;
mod batch;
mod eval;
mod fingerprint;
mod float;
pub mod library;
mod mixed;
mod tape;

mod arith;
mod bitwise;
mod build;
mod choice;
mod compare;
mod compare_signed;
mod float_rules;
mod slice;

pub mod query;

pub mod smtlib;
mod smtlib_ops;
pub mod text;

#[cfg(test)]
mod exhaustive;
#[cfg(test)]
mod random;

pub use batch::{BATCH, Batch};
pub use build::Shape;
pub use covet_abi::node::{Op, Rounding};
pub use eval::{Evaluator, Memo};
pub use fingerprint::{Fingerprints, mix};
pub use float::rounding;
pub use pool::Pool;
pub use smtlib_ops::{Form, natural_form};
pub use tape::Tape;
pub use term::{Children, TableId, Term, arity};
pub use varset::{SetId, VarSet};
