//! Finds the decisions of a function in the shape that clang gives `&&` and `||`.
//!
//! ```text
//! if (a && b)                              x = a && b
//!   br %a, land.lhs.true, if.end             br %a, land.rhs, land.end
//! land.lhs.true:                           land.rhs:
//!   br %b, if.then, if.end                   %b = ...
//!                                            br land.end
//!                                          land.end:
//!                                            phi i1 [false, ...], [%b, land.rhs]
//! ```
//!
//! Clang emits the operands in the order of the source, names the block in which the right operand of each operator begins (a
//! *continuation*), and makes the blocks that an expression leads to for that expression alone. So branches that share a target are
//! tests of one expression; between two continuations there is one condition; and where the ways of a test lead is what follows it
//! ([`shape`] collects that, [`graph`] makes a decision of it). Negations and parentheses leave no trace but swapped targets, macros none at all: nothing here
//! looks at places in the source. What does not add up is left out, with a reason.

mod graph;
mod layout;
mod shape;

use crate::ir::{Block, Location, Value};
use covet_sites::{Conditions, SiteNumber, WhyLeftOut};
use layout::Layout;
use std::collections::HashMap;

/// The sites of a function that can decide a condition.
#[derive(Default)]
pub struct Sites {
    /// By terminator: branches.
    pub branches: HashMap<Value, SiteNumber>,
    /// By block and value: last conditions of operators whose value is kept.
    pub kept: HashMap<(Block, Value), SiteNumber>,
}

/// A decision, and how a program can follow its own way through it.
pub struct Decision {
    pub place: Location,
    pub conditions: Conditions,
    pub marks: Vec<Mark>,
}

/// Where a program notes what a condition was.
pub enum Mark {
    /// On the way from a branch to one of its successors.
    Edge { terminator: Value, successor: usize, step: Step },
    /// Before `at`, by the value of the last condition: what it adds when false and when true. Ends the decision.
    Kept { at: Value, value: Value, adds: [u32; 2] },
    /// Before `at`. Ends the decision: the last operand was a constant.
    Passed { at: Value },
}

/// What is noted: see [`Conditions::step`].
#[derive(Clone, Copy)]
pub struct Step {
    pub adds: u32,
    /// Nothing was noted before.
    pub is_first: bool,
    /// The vector is complete.
    pub is_last: bool,
}

/// What was found in a function, in the order of the source.
#[derive(Default)]
pub struct Found {
    pub decisions: Vec<Decision>,
    pub left_out: Vec<(Location, WhyLeftOut)>,
}

pub fn find(function: Value, sites: &Sites) -> Found {
    let layout = Layout::of(function);
    let mut found = Found::default();
    for shape in shape::shapes(&layout) {
        match graph::decision(&shape, &layout, sites) {
            Ok(decision) => found.decisions.push(decision),
            Err(why) => found.left_out.push((shape.place(), why)),
        }
    }
    found
}
