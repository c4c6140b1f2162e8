//! The constructors of terms, which simplify: [`build`] folds what is constant and hands the rest to the rules of its family,
//! one file each. Every rule keeps the value under every input; `exhaustive` checks that on all small operands.

pub mod build;

mod arith;
mod bitwise;
mod bounds;
mod choice;
mod compare;
mod compare_signed;
mod float;
mod slice;

#[cfg(test)]
mod exhaustive;
