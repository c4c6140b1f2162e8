//! What people see: progress while a command works, a table when it is done.

pub mod progress;
pub mod table;
