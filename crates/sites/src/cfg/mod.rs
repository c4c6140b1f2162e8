//! Control flow over the site map: blocks of a function, calls between functions, and the way from one place of the program to another.
//!
//! ```text
//! FunctionInfo ─FlowGraph→ dominators, post-dominators, natural loops, cycles
//! SiteMap ─CallGraph→ reachable functions, recursion
//! SiteMap ─never_returning→ functions that end the program
//! SiteMap ─ProgramGraph→ distances: choices between a place and the nearest of some targets
//! ```
//!
//! Only what the map shows counts: a call through a pointer leads nowhere here. (A function that a run enters that way is known by its
//! counters.)

mod calls;
mod distance;
mod dominance;
mod ends;
mod flow;
mod loops;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;

pub use calls::{CallGraph, reachable_from};
pub use distance::{Distance, Distances, FAR, ProgramGraph, Target};
pub use dominance::DominatorTree;
pub use ends::never_returning;
pub use flow::{BlockNumber, FlowGraph};
pub use loops::{Loop, Loops, loop_line};
