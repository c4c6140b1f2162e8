//! SMT solvers: [`z3`] linked in, any other as a [`process`]. Their bindings appear nowhere else.

mod encode;
mod process;
#[cfg(test)]
pub(crate) mod reference;
mod z3;

use covet_expr::query::UnknownReason;
use covet_input::VarId;

pub(crate) use process::Process;
pub use z3::Z3;
pub use z3::context::limit_memory;

/// What an SMT solver says about a conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Values of the variables it cared about.
    Sat(Vec<(VarId, u128)>),
    Unsat,
    Unknown(UnknownReason),
}
