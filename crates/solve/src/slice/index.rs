//! Which conditions of a path speak of which variables.
//!
//! Built once per path and extended or cut back as queries move along it, so that a query costs what its slice costs, not
//! what the path costs. Conditions are grouped by their (interned) variable set; all lists are in path order, and cutting
//! back pops from their ends.

use covet_expr::{Pool, SetId, Term};
use covet_input::VarId;

#[derive(Clone, Debug, Default)]
pub(crate) struct PathIndex {
    terms: Vec<Term>,
    /// Positions of the conditions with this variable set.
    by_set: Vec<Vec<u32>>,
    /// Variable sets in use that contain this variable, in order of first use.
    by_variable: Vec<Vec<SetId>>,
}

impl PathIndex {
    /// Makes the index cover `prefix`. It may cover more; see the `limit` of the other methods.
    pub fn cover(&mut self, pool: &Pool, prefix: &[Term]) {
        let common = self.terms.iter().zip(prefix).take_while(|(a, b)| a == b).count();
        if common == prefix.len() {
            return;
        }
        self.cut(pool, common);
        for &term in &prefix[common..] {
            self.push(pool, term);
        }
    }

    fn push(&mut self, pool: &Pool, term: Term) {
        let set = pool.variable_set(term);
        if self.by_set.len() <= set.index() {
            self.by_set.resize(pool.set_count(), Vec::new());
        }
        if self.by_set[set.index()].is_empty() {
            for id in pool.set(set).iter() {
                let at = id.0 as usize;
                if self.by_variable.len() <= at {
                    self.by_variable.resize(at + 1, Vec::new());
                }
                self.by_variable[at].push(set);
            }
        }
        self.by_set[set.index()].push(self.terms.len() as u32);
        self.terms.push(term);
    }

    fn cut(&mut self, pool: &Pool, len: usize) {
        while self.terms.len() > len {
            let Some(term) = self.terms.pop() else { return };
            let set = pool.variable_set(term);
            self.by_set[set.index()].pop();
            if self.by_set[set.index()].is_empty() {
                for id in pool.set(set).iter() {
                    self.by_variable[id.0 as usize].pop();
                }
            }
        }
    }

    pub fn term(&self, position: u32) -> Term {
        self.terms[position as usize]
    }

    /// Variable sets with a condition before `limit` that contain `id`.
    pub fn sets_with(&self, id: VarId, limit: usize) -> impl Iterator<Item = SetId> + '_ {
        let sets = self.by_variable.get(id.0 as usize).map_or(&[][..], Vec::as_slice);
        sets.iter().copied().take_while(move |set| (self.by_set[set.index()][0] as usize) < limit)
    }

    /// Positions before `limit` of the conditions with this variable set.
    pub fn positions(&self, set: SetId, limit: usize) -> &[u32] {
        let all = self.by_set.get(set.index()).map_or(&[][..], Vec::as_slice);
        &all[..all.partition_point(|position| (*position as usize) < limit)]
    }

    /// How many conditions before `limit` contain `id`; of a variable in very many sets, about that many.
    pub fn count(&self, id: VarId, limit: usize) -> usize {
        const ENOUGH: usize = 2_000;
        self.sets_with(id, limit).take(ENOUGH).map(|set| self.positions(set, limit).len()).sum()
    }

    /// The conditions before `limit` that contain `id`, set by set.
    pub fn conditions_with(&self, id: VarId, limit: usize) -> impl Iterator<Item = Term> + '_ {
        self.sets_with(id, limit).flat_map(move |set| self.positions(set, limit).iter().map(|at| self.term(*at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_prefix_back_and_forth() {
        let mut pool = Pool::new();
        let vars: Vec<Term> = (0..4).map(|i| pool.var_with(VarId(i), 8, 0)).collect();
        let conditions: Vec<Term> = (0..3).map(|i| pool.ult(vars[i], vars[i + 1])).collect();
        let other = pool.ult(vars[3], vars[0]);
        let mut index = PathIndex::default();
        index.cover(&pool, &conditions);
        assert_eq!(index.count(VarId(1), 3), 2);
        assert_eq!(index.count(VarId(1), 1), 1);
        index.cover(&pool, &conditions[..1]);
        assert_eq!(index.count(VarId(3), 1), 0);
        index.cover(&pool, &[conditions[0], other]);
        assert_eq!(index.count(VarId(3), 2), 1);
        assert_eq!(index.count(VarId(2), 2), 0);
        let found: Vec<Term> = index.conditions_with(VarId(0), 2).collect();
        assert_eq!(found, [conditions[0], other]);
    }
}
