//! Path conditions that no theory decides → inputs, by search: the Concolic Walk.
//!
//! Every term can be evaluated, library calls included, so every condition can say how far a point is from satisfying it.
//! A [`Problem`] splits the conditions into linear ones, whose solutions form a polytope, and the rest; a walk inside the
//! polytope follows the error scores of the rest. [`Variant::Paper`] is the published algorithm; [`Variant::Ours`] keeps the frame and
//! takes better steps. What is found is a solution; that nothing is found means nothing.

mod config;
mod random;
mod space;

mod atom;
mod linear;
mod problem;
mod schedule;

mod compile;
mod emit;
mod machine;
mod score;
mod speed;

mod polytope;
mod simplify;
mod tabu;

mod contract;
mod coordinate;
mod interval;
mod jitter;
mod newton;
mod sample;
mod search;
mod special;
mod spot;

mod theory;
mod walk;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;

pub use config::{Config, Variant};
pub use problem::Problem;
pub use space::{Kind, Point, Variable};
pub use speed::{Speed, speed};
pub use theory::Theories;
pub use walk::{Found, Walk};
