//! explore
pub mod distance;
#[cfg(test)]
mod testing;
pub mod tree;
