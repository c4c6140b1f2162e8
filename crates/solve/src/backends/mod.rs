//! SMT solvers. Their bindings appear nowhere else.

mod context;
mod encode;
mod encode_bits;
mod encode_float;
mod encode_int;
mod guard;
mod linear;
mod process;
#[cfg(test)]
pub(crate) mod reference;
mod session;
mod z3;

use covet_expr::query::UnknownReason;
use covet_input::VarId;

pub(crate) use process::Process;
pub use z3::Z3;

/// What an SMT solver says about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Values of the variables it cared about.
    Sat(Vec<(VarId, u128)>),
    Unsat,
    Unknown(UnknownReason),
}
