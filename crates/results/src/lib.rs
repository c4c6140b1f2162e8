//! What was found → typed records, and the store that holds them; the `--json` summary, tables and reports are views of a [`Record`].
//!
//! Everything here is plain data: how runs were found, what solved them and who shows them is not known.

mod counters;
pub mod json;
pub mod kind;
mod record;
pub mod store;
mod summary;

pub use counters::{Counters, Official, SolverCounters, TierCounters};
pub use kind::{AlarmKind, Verdict};
pub use record::{
    Alarm, Check, CheckKind, Frame, FunctionResult, Meta, Mismatch, Phases, Range, Record, Sanitizer, Stopped, Test,
    TestOutcome,
};
pub use store::{Database, Store};
pub use summary::{SCHEMA, summary};
