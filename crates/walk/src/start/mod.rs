//! Where a search begins: the [`polytope`] of the linear constraints, the box that interval contraction leaves ([`contract`]), special values, and
//! random points inside all of these ([`sample`]).

pub mod contract;
pub mod interval;
pub mod polytope;

pub mod sample;
pub mod special;
