//! explore
pub mod distance;
pub mod edges;
pub mod random;
pub mod state;
pub mod strategies;
pub mod strategy;
#[cfg(test)]
mod testing;
pub mod tree;
