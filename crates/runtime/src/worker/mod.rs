//! The worker: a process that runs the program again and again, each time as if it were the first.
//!
//! Reading order: [`serve`] is the loop that takes requests, [`perform`] one request ([`fork`]: in a child), [`plan`] and [`files`] the
//! input it builds; [`signals`] end a run from anywhere, with [`frames`] (the call stack), [`division`] (why it trapped) and
//! [`deadline`] (its time); [`reset`] puts the program's variables back. [`standalone`] is for a program without an engine.

pub mod serve;

pub mod fork;
pub mod perform;

pub mod files;
pub mod plan;

pub mod deadline;
pub mod division;
pub mod frames;
pub mod signals;

pub mod reset;
pub mod standalone;
