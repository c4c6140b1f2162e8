//! What the suite promises, end to end: records go in, C compilers and the programs they make are the judges.

mod common;
mod outcomes;
mod programs;
mod random;
mod values;
