//! The trace: what one run reads of its input and what it leaves for the engine.
//!
//! Reading order: [`tracking`] says whose hook calls count and [`run`] from when to when; [`variables`], [`values`] and [`marking`]
//! (with [`label`]) are the input side, [`progress`] its end and [`touched`] what was looked at of its objects, [`events`] the log of conditions and [`logs`] those that are kept on request.

pub mod run;
pub mod tracking;

pub mod label;
pub mod marking;
pub mod progress;
pub mod touched;
pub mod values;
pub mod variables;

pub mod events;
pub mod logs;
