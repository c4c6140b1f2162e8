//! Checks: what a program must not do, asked about where a value is symbolic and ended where it happens.
//!
//! Reading order: [`violations`] log and end; [`provenance`] knows the object that an address must stay in, [`poison`] the bytes that
//! belong to nobody, [`undefined`] those that nobody has written.

pub mod violations;

pub mod poison;
pub mod provenance;
pub mod undefined;
