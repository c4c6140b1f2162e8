//! The part of a path that a goal depends on: conditions linked to it by shared variables.
//!
//! All other conditions keep holding when only variables of the slice change.

use crate::index::PathIndex;
use covet_expr::{Pool, SetId, Term};
use covet_input::VarId;

/// Marks that are cleared by counting up.
#[derive(Clone, Debug, Default)]
struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Marks `at`; true when it was not marked before.
    fn mark(&mut self, at: usize) -> bool {
        if self.stamps.len() <= at {
            self.stamps.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.stamps[at], self.now) != self.now
    }
}

/// The slice of one query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slice {
    /// Hard conditions in path order, each once.
    pub hard: Vec<Term>,
    /// Soft pins in path order, each once.
    pub soft: Vec<Term>,
    /// Number of hard conditions of the path in the slice, repetitions counted.
    pub hard_size: usize,
    pub soft_size: usize,
    /// In ascending order.
    pub variables: Vec<VarId>,
}

/// Slices queries in memory that is kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slicer {
    pub hard: PathIndex,
    pub soft: PathIndex,
    reached: Reached,
    terms: Marks,
}

/// Variables linked to the goal so far.
#[derive(Clone, Debug, Default)]
struct Reached {
    sets: Marks,
    variables: Marks,
    queue: Vec<VarId>,
}

impl Reached {
    fn clear(&mut self) {
        self.sets.clear();
        self.variables.clear();
        self.queue.clear();
    }

    /// Queues the variables of a set seen for the first time.
    fn visit(&mut self, pool: &Pool, set: SetId) {
        if !self.sets.mark(set.index()) {
            return;
        }
        for id in pool.set(set).iter() {
            if self.variables.mark(id.0 as usize) {
                self.queue.push(id);
            }
        }
    }

    /// Takes in the first `limit` conditions of a path as far as they speak of `id`; `positions` collects them.
    fn gather(&mut self, pool: &Pool, path: &PathIndex, id: VarId, limit: usize, positions: &mut Vec<u32>) {
        for set in path.sets_with(id, limit) {
            self.visit(pool, set);
            // A set is met once per variable: its conditions are taken in at the first.
            if pool.set(set).first() == Some(id) {
                positions.extend_from_slice(path.positions(set, limit));
            }
        }
    }
}

impl Slicer {
    /// The slice of `goal` in the first `hard` conditions and `soft` pins of the covered path.
    pub fn slice(&mut self, pool: &Pool, goal: Term, hard: usize, soft: usize) -> Slice {
        self.reached.clear();
        self.reached.visit(pool, pool.variable_set(goal));
        let (mut hard_at, mut soft_at) = (Vec::new(), Vec::new());
        let mut done = 0;
        while let Some(&id) = self.reached.queue.get(done) {
            done += 1;
            self.reached.gather(pool, &self.hard, id, hard, &mut hard_at);
            self.reached.gather(pool, &self.soft, id, soft, &mut soft_at);
        }
        hard_at.sort_unstable();
        soft_at.sort_unstable();
        let mut variables = self.reached.queue.clone();
        variables.sort_unstable();
        self.terms.clear();
        Slice {
            hard_size: hard_at.len(),
            soft_size: soft_at.len(),
            hard: unique(&self.hard, &hard_at, &mut self.terms),
            soft: unique(&self.soft, &soft_at, &mut self.terms),
            variables,
        }
    }
}

fn unique(index: &PathIndex, positions: &[u32], seen: &mut Marks) -> Vec<Term> {
    let mut terms = Vec::with_capacity(positions.len());
    terms.extend(positions.iter().map(|at| index.term(*at)).filter(|term| seen.mark(term.index())));
    terms
}
