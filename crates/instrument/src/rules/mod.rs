//! How each family of instructions is followed: one file per family, each a few methods of the rewriter.

pub mod address;
mod aggregates;
mod arithmetic;
pub mod bounds;
mod casts;
mod compare;
mod control;
mod memory;
