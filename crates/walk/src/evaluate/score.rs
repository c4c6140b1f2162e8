//! Error scores: how badly a constraint is violated at a point. 0 exactly when it holds.
//!
//! [`Metric::Absolute`] is Algorithm 2 of the paper. [`Metric::Ulps`] counts representable values between the two sides, on a
//! logarithmic scale: it sees the last bit of a large number and the first of a small one alike.

use crate::problem::atom::{Atom, Measure, Relation, Tree, View};
use crate::problem::space::ulps;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Metric {
    Absolute,
    Ulps,
}

/// What an evaluation of one constraint gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub measures: Vec<f64>,
    /// Of each atom, whether it comes out as it must.
    pub truths: Vec<u8>,
}

/// Error of what cannot be measured, such as a NaN.
pub(crate) const HOPELESS: f64 = f64::MAX / 8.0;
const HOPELESS_ULPS: f64 = 80.0;

pub(crate) fn error(tree: &Tree, atoms: &[Atom], measures: &[Measure], reading: &Reading, metric: Metric) -> f64 {
    match tree {
        Tree::Atom(at) => atom_error(&atoms[*at], reading.truths[*at] != 0, measures, reading, metric),
        Tree::All(parts) => parts.iter().map(|part| error(part, atoms, measures, reading, metric)).sum(),
        Tree::Any(parts) => {
            parts.iter().map(|part| error(part, atoms, measures, reading, metric)).fold(f64::INFINITY, f64::min)
        }
    }
}

fn atom_error(atom: &Atom, holds: bool, measures: &[Measure], reading: &Reading, metric: Metric) -> f64 {
    if holds {
        return 0.0;
    }
    match (metric, atom.relation) {
        (_, Relation::Different | Relation::Unguided) => 1.0,
        (Metric::Absolute, relation) => {
            let d = (reading.measures[atom.sides.0] - reading.measures[atom.sides.1]).abs();
            if !d.is_finite() {
                HOPELESS
            } else if relation == Relation::Equal {
                // Unequal in bits too fine for a double is unequal all the same.
                d.max(f64::MIN_POSITIVE)
            } else {
                d + 1.0
            }
        }
        (Metric::Ulps, relation) => {
            let (a, b) = (reading.measures[atom.apart.0], reading.measures[atom.apart.1]);
            let places = match measures[atom.apart.0] {
                Measure { view: View::Float, width: 32, .. } => ulps(a, b) / (1u64 << 29) as f64,
                Measure { view: View::Float, .. } => ulps(a, b),
                // Integers wrap round: the ends of their range are neighbours.
                Measure { width, .. } if relation == Relation::Equal => {
                    let apart = (a - b).abs();
                    apart.min(f64::from(width).exp2() - apart)
                }
                _ => (a - b).abs(),
            };
            let far = if places >= 1e29 { HOPELESS_ULPS } else { (1.0 + places).log2() };
            if relation == Relation::Equal { far.max(f64::MIN_POSITIVE) } else { far + 1.0 }
        }
    }
}

/// The atoms that keep a constraint from holding: of alternatives, those of the nearest.
pub(crate) fn violated(
    tree: &Tree,
    atoms: &[Atom],
    measures: &[Measure],
    reading: &Reading,
    metric: Metric,
    found: &mut Vec<usize>,
) {
    match tree {
        Tree::Atom(at) => {
            if reading.truths[*at] == 0 {
                found.push(*at);
            }
        }
        Tree::All(parts) => parts.iter().for_each(|part| violated(part, atoms, measures, reading, metric, found)),
        Tree::Any(parts) => {
            let of = |part: &Tree| error(part, atoms, measures, reading, metric);
            if let Some(nearest) = parts.iter().min_by(|a, b| of(a).total_cmp(&of(b)))
                && of(nearest) > 0.0
            {
                violated(nearest, atoms, measures, reading, metric, found);
            }
        }
    }
}
