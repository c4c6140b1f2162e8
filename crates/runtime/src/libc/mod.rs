//! Stand-ins for functions of the C library that a run must not have natively: each `X` of `abi::libc` is `__covet_libc_X` here.
//!
//! Reading order: [`stand_in`] is what they share; [`memory`] (with [`refusals`]) and [`copy`] follow what is symbolic; [`process`] (with
//! [`exit_handlers`]) and [`signal`] keep the run from ending or disturbing the worker; [`state`] and [`time`] are the same in every run.

pub mod stand_in;

pub mod copy;
pub mod memory;
pub mod refusals;

pub mod exit_handlers;
pub mod process;
pub mod signal;

pub mod state;
pub mod time;
