//! What was found → typed records, and the store that holds them; the `--json` summary, tables and reports are views of a [`Record`].
//!
//! Everything here is plain data: how runs were found, what solved them and who shows them is not known.

pub mod baseline;
mod counters;
pub mod json;
pub mod kind;
mod readable;
mod record;
pub mod store;
mod summary;

pub use baseline::Baseline;
pub use counters::{Counters, Official, SolverCounters, TierCounters};
pub use kind::{AlarmKind, Verdict};
pub use readable::Readable;
pub use record::{
    Alarm, Check, CheckKind, Deciding, Frame, FunctionResult, Meta, Mismatch, Phases, Range, Record, Sanitizer, Step,
    Stopped, Test, TestOutcome, Told,
};
pub use store::{Database, Store};
pub use summary::{SCHEMA, summary};
