//! Formulas: the nodes a run leaves behind, as interned and simplified terms.
//!
//! A [`Pool`] owns every [`Term`]; equal terms have equal ids. Constructors simplify, and every simplification keeps the
//! value under every input (checked against [`Evaluator`] on all small operands). Terms can be very deep, so nothing here
//! recurses over the depth of a term: passes run over explicit stacks, rewrites look a bounded way down.
//!
//! To be read in this order: what a term is ([`term`](Term)), how it is built (`simplify`), what it means (`eval`, with the functions of a [`library`]), how it is written
//! ([`smtlib`], [`mod@text`]), and what is asked about it ([`query`]).

#![warn(clippy::undocumented_unsafe_blocks)]

pub mod bits;

mod term;

mod simplify;

pub mod library;

mod eval;

pub mod smtlib;
pub mod text;

pub mod query;

pub use covet_abi::node::{Op, Rounding};
pub use eval::batch::{BATCH, Batch};
pub use eval::float::rounding;
pub use eval::scalar::{Evaluator, Memo};
pub use eval::tape::Tape;
pub use simplify::build::Shape;
pub use smtlib::ops::{Form, natural_form};
pub use term::fingerprint::{Fingerprints, mix};
pub use term::pool::Pool;
pub use term::varset::{Members, SetId, VarSet};
pub use term::{Children, TableId, Term, arity};
