//! The part of a path that a goal depends on: conditions linked to it by shared variables.
//!
//! All other conditions keep holding when only variables of the slice change.

pub mod index;
pub mod marks;

use crate::slice::index::PathIndex;
use crate::slice::marks::Marks;
use covet_expr::query::Query;
use covet_expr::{Pool, SetId, Term};
use covet_input::VarId;

/// The slice of a query on its own, for people who want to see it.
pub fn slice(pool: &Pool, query: &Query<'_>) -> Slice {
    Slicer::default().slice(pool, query)
}

/// The slice of one query.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// Conditions of the prefix in path order, each once.
    pub prefix: Vec<Term>,
    /// Concretization constraints in path order, each once.
    pub concretizations: Vec<Term>,
    /// Number of conditions of the prefix in the slice, repetitions counted.
    pub prefix_size: usize,
    pub concretizations_size: usize,
    /// In ascending order.
    pub variables: Vec<VarId>,
}

/// Slices queries in memory that is kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slicer {
    pub prefix: PathIndex,
    pub concretizations: PathIndex,
    reached: Reached,
    /// In the prefix, and in the concretization constraints.
    found: [Found; 2],
    terms: Marks,
}

/// What was taken in of one path.
#[derive(Clone, Debug, Default)]
struct Found {
    sets: Marks,
    waiting: Vec<SetId>,
    positions: Vec<u32>,
}

impl Found {
    fn clear(&mut self) {
        self.sets.clear();
        self.positions.clear();
    }
}

/// Variables linked to the goal so far.
#[derive(Clone, Debug, Default)]
struct Reached {
    sets: Marks,
    variables: Marks,
    queue: Vec<VarId>,
    waiting: Vec<SetId>,
    /// A bit per position, all 0 between uses.
    bits: Vec<u64>,
}

impl Reached {
    fn clear(&mut self) {
        self.sets.clear();
        self.variables.clear();
        self.queue.clear();
    }

    /// Queues the variables of a set seen for the first time; what it shares with one seen before is passed over.
    fn visit(&mut self, pool: &Pool, set: SetId) {
        self.waiting.push(set);
        while let Some(set) = self.waiting.pop() {
            if !self.sets.mark(set.index()) {
                continue;
            }
            match pool.set(set).parts() {
                Some([low, high]) => self.waiting.extend([high, low]),
                None => {
                    for id in pool.set(set).iter() {
                        if self.variables.mark(id.0 as usize) {
                            self.queue.push(id);
                        }
                    }
                }
            }
        }
    }

    /// Takes in the first `limit` conditions of a path as far as they speak of `id`.
    fn gather(&mut self, pool: &Pool, path: &PathIndex, found: &mut Found, id: VarId, limit: usize) {
        found.waiting.extend(path.narrow_sets_with(id, limit));
        while let Some(set) = found.waiting.pop() {
            // A set is met once for each of its variables: its conditions are taken in at the first.
            if found.sets.mark(set.index()) {
                self.visit(pool, set);
                found.positions.extend_from_slice(path.positions(set, limit));
                found.waiting.extend(path.sets_of_part(set, limit));
            }
        }
    }

    /// Sorts positions, each there once, all below `limit`: many by setting bits, few by comparing.
    fn in_order(&mut self, positions: &mut Vec<u32>, limit: usize) {
        let words = limit.div_ceil(64);
        if positions.len() < words {
            return positions.sort_unstable();
        }
        if self.bits.len() < words {
            self.bits.resize(words, 0);
        }
        positions.drain(..).for_each(|at| self.bits[at as usize / 64] |= 1 << (at % 64));
        for (word, bits) in self.bits[..words].iter_mut().enumerate() {
            while *bits != 0 {
                positions.push(word as u32 * 64 + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
    }
}

impl Slicer {
    /// The slice of a query; its path is covered then.
    pub fn slice(&mut self, pool: &Pool, query: &Query<'_>) -> Slice {
        self.prefix.cover(pool, query.prefix);
        self.concretizations.cover(pool, query.concretizations);
        let (prefix, concretizations) = (query.prefix.len(), query.concretizations.len());
        self.reached.clear();
        self.reached.visit(pool, pool.variable_set(query.goal));
        self.found.iter_mut().for_each(Found::clear);
        let [in_prefix, in_concretizations] = &mut self.found;
        let mut done = 0;
        while let Some(&id) = self.reached.queue.get(done) {
            done += 1;
            self.reached.gather(pool, &self.prefix, in_prefix, id, prefix);
            self.reached.gather(pool, &self.concretizations, in_concretizations, id, concretizations);
        }
        let (prefix_at, concretizations_at) = (&mut in_prefix.positions, &mut in_concretizations.positions);
        self.reached.in_order(prefix_at, prefix);
        self.reached.in_order(concretizations_at, concretizations);
        let mut variables = self.reached.queue.clone();
        variables.sort_unstable();
        self.terms.clear();
        Slice {
            prefix_size: prefix_at.len(),
            concretizations_size: concretizations_at.len(),
            prefix: unique(&self.prefix, prefix_at, &mut self.terms),
            concretizations: unique(&self.concretizations, concretizations_at, &mut self.terms),
            variables,
        }
    }
}

fn unique(index: &PathIndex, positions: &[u32], seen: &mut Marks) -> Vec<Term> {
    let mut terms = Vec::with_capacity(positions.len());
    terms.extend(positions.iter().map(|at| index.term(*at)).filter(|term| seen.mark(term.index())));
    terms
}
