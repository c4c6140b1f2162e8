//! One file per command: arguments in, exit code out.

pub mod bench;
pub mod cache;
pub mod cover;
pub mod exploration;
pub mod gdb;
pub mod hunt;
pub mod profile;
pub mod replay;
pub mod run;
pub mod show;
