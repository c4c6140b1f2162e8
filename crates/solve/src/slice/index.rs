//! Which conditions of a path speak of which variables.
//!
//! Built once per path and extended or cut back as queries move along it, so that a query costs what its slice costs, not
//! what the path costs. Conditions are grouped by their (interned) variable set. A set of few variables is listed with each of them; one of
//! many is listed with the two parts it is the union of, which it shares with most of the other large sets on the path: a sum over all inputs that
//! is compared in every round of a loop takes memory for each round, not for each round and input. All lists are in path order, and cutting
//! back pops from their ends.

use covet_expr::{Pool, SetId, Term};
use covet_input::VarId;
use rustc_hash::FxHashSet;

/// Sets of more variables are listed with their parts.
const NARROW: usize = 64;

#[derive(Clone, Debug, Default)]
pub(crate) struct PathIndex {
    terms: Vec<Term>,
    /// Positions of the conditions with this variable set.
    by_set: Vec<Vec<u32>>,
    /// Sets in use that contain this variable and are narrow, in order of first use.
    by_variable: Vec<Vec<SetId>>,
    /// Sets in use that this one is listed with as a part, in order of first use.
    by_part: Vec<Vec<SetId>>,
    /// By set: the position of the condition that it was first used for, and one more; 0 is not in use.
    since: Vec<u32>,
    /// Sets in use, in order of first use.
    in_use: Vec<SetId>,
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
            self.by_part.resize(pool.set_count(), Vec::new());
            self.since.resize(pool.set_count(), 0);
        }
        let position = self.terms.len() as u32;
        self.by_set[set.index()].push(position);
        self.terms.push(term);
        let mut stack = vec![set];
        while let Some(set) = stack.pop() {
            if self.since[set.index()] != 0 {
                continue;
            }
            self.since[set.index()] = position + 1;
            self.in_use.push(set);
            let members = pool.set(set);
            match members.parts().filter(|_| members.len() > NARROW) {
                Some(parts) => {
                    parts.iter().for_each(|part| self.by_part[part.index()].push(set));
                    stack.extend(parts);
                }
                None => {
                    for id in members.iter() {
                        let at = id.0 as usize;
                        if self.by_variable.len() <= at {
                            self.by_variable.resize(at + 1, Vec::new());
                        }
                        self.by_variable[at].push(set);
                    }
                }
            }
        }
    }

    fn cut(&mut self, pool: &Pool, len: usize) {
        for term in self.terms.drain(len.min(self.terms.len())..) {
            self.by_set[pool.variable_set(term).index()].pop();
        }
        while let Some(&set) = self.in_use.last()
            && self.since[set.index()] as usize > len
        {
            self.in_use.pop();
            self.since[set.index()] = 0;
            let members = pool.set(set);
            match members.parts().filter(|_| members.len() > NARROW) {
                Some(parts) => {
                    for part in parts.iter() {
                        self.by_part[part.index()].pop();
                    }
                }
                None => {
                    for id in members.iter() {
                        self.by_variable[id.0 as usize].pop();
                    }
                }
            }
        }
    }

    pub fn term(&self, position: u32) -> Term {
        self.terms[position as usize]
    }

    /// Narrow sets in use before `limit` that contain `id`.
    pub fn narrow_sets_with(&self, id: VarId, limit: usize) -> impl Iterator<Item = SetId> + '_ {
        self.early(self.by_variable.get(id.0 as usize), limit)
    }

    /// Sets in use before `limit` that `part` is listed with.
    pub fn sets_of_part(&self, part: SetId, limit: usize) -> impl Iterator<Item = SetId> + '_ {
        self.early(self.by_part.get(part.index()), limit)
    }

    fn early<'a>(&'a self, sets: Option<&'a Vec<SetId>>, limit: usize) -> impl Iterator<Item = SetId> + 'a {
        let sets = sets.map_or(&[][..], Vec::as_slice);
        sets.iter().copied().take_while(move |set| self.since[set.index()] as usize <= limit)
    }

    /// Sets in use before `limit` that contain `id`, each once.
    pub fn sets_with(&self, id: VarId, limit: usize) -> impl Iterator<Item = SetId> + '_ {
        let mut waiting: Vec<SetId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut narrow = self.narrow_sets_with(id, limit);
        std::iter::from_fn(move || {
            let next = narrow.next().or_else(|| waiting.pop())?;
            let wider = self.sets_of_part(next, limit).filter(|set| seen.insert(*set));
            waiting.extend(wider);
            Some(next)
        })
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

    /// Sums over more and more variables, against a look at every condition, while the path is cut and extended.
    #[test]
    fn wide_sets_are_found_by_each_of_their_variables() {
        let mut pool = Pool::new();
        let mut sum = pool.bits(32, 0);
        let bound = pool.bits(32, 1000);
        let mut conditions = Vec::new();
        for round in 0..300 {
            let (kept, passing) = (pool.var_with(VarId(2 * round), 32, 0), pool.var_with(VarId(2 * round + 1), 32, 0));
            sum = pool.add(sum, kept);
            conditions.push(pool.ult(sum, bound));
            conditions.push(pool.ult(passing, bound));
        }
        let mut index = PathIndex::default();
        for length in [600, 250, 600, 599, 10, 420] {
            index.cover(&pool, &conditions[..250]);
            index.cover(&pool, &conditions[..length]);
            for (id, limit) in [(0, length), (1, length), (130, length), (131, 10), (2, length / 2), (598, length)] {
                let mut found: Vec<Term> = index.conditions_with(VarId(id), limit).collect();
                found.sort_unstable();
                let with = |t: &Term| pool.variables(*t).contains(VarId(id));
                let mut expected: Vec<Term> = conditions[..limit].iter().copied().filter(with).collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "variable {id} before {limit} of {length}");
            }
        }
    }
}
