//! The vocabulary that the engine shares with the tested process.
//!
//! Everything here is plain data with a fixed layout (`repr(C)`), or a constant. The engine (`execute`, `path`) and the
//! runtime linked into the program under test map the same pages and read each other's records without decoding.
//! Nothing in this crate allocates, runs or prints.
#![no_std]

pub mod check;
pub mod event;
pub mod hooks;
pub mod input;
pub mod libc;
pub mod library;
pub mod logs;
pub mod missing;
pub mod node;
pub mod placed;
pub mod plan;
pub mod process;
pub mod shared;
pub mod sites;
pub mod stubs;
pub mod symbols;
pub mod termination;
