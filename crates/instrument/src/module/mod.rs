//! The module as a whole: from the user's bitcode to one module in SSA form whose parts have numbers, and from the rewritten module to an
//! executable with its tables.

pub mod bumps;
pub mod combine;
pub mod generate;
pub mod link;
pub mod numbering;
pub mod parts;
pub mod promote;
pub mod red_zones;
pub mod replaced;
pub mod tables;
