//! What is known already: answers of this pool ([`cache`]), and what is impossible in any ([`nogoods`]).

pub mod cache;
pub mod nogoods;
