//! What a blueprint is made in: the program around an entry, limits, and what the user says.

mod limits;
mod sizes;

pub use limits::{Limits, Start};
pub use sizes::Sizes;

use covet_sites::FunctionNumber;
use covet_source::{Function, PointeeTypes, Types};

/// What is known of the program around an entry.
#[derive(Clone)]
pub struct UnitEnvironment<'a> {
    pub types: &'a Types,
    /// Functions that a function pointer may be given, with their numbers in the program.
    pub callables: Vec<(&'a Function, FunctionNumber)>,
    /// What the code behind the entry takes pointers for.
    pub pointee_types: PointeeTypes,
    pub limits: Limits,
    pub sizes: Sizes,
}
