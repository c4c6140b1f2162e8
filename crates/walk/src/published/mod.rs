//! What the walk is measured against: the published algorithm ([`tabu`]), and the baselines of its paper ([`simplify`]).

pub mod simplify;
pub mod tabu;
