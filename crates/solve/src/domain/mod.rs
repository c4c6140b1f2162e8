//! Domains: which values a variable may have, by the conditions on it alone.
//!
//! [`ranges`] are sets of values. A comparison with a constant leaves one ([`comparison`]); so does whatever a condition says about a single
//! byte ([`bytes`]). [`confine`] puts together what all conditions leave of each variable.

pub mod ranges;

pub mod bytes;
pub mod comparison;

pub mod confine;
