//! What two runs of a test found in memory → checks that hold whatever the addresses and the contents of fresh memory.

mod arrays;
mod changed;
mod compare;
mod digest;
mod memory;

pub use compare::checks;
pub use memory::{Heap, Observed, Printed, RawRegion};
