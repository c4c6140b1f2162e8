//! What people see: progress while a command works, a table when it is done.

pub mod alarms;
#[macro_use]
pub mod output;
pub mod progress;
pub mod table;
pub mod width;
