//! Which variables a term depends on: interned sets, shared by all terms with the same variables.
//!
//! A set is a radix tree over the numbers of variables: leaves are blocks of 64 bits, branches stand where blocks part (big-endian
//! Patricia trees, Okasaki and Gill 1998). Equal trees are one tree, so a set that grows by a variable with every round of a loop shares
//! all but the way down to that variable with the one before it, whatever else lies between its variables: what a term costs does not depend
//! on how many variables it has. Trees of few variables are single leaves.

use covet_input::VarId;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// An interned set of variables of one pool; equal sets are equal ids. 0 is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SetId(pub(crate) u32);

impl SetId {
    pub const EMPTY: SetId = SetId(0);

    /// Position among the pool's sets, for side tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Variables of one block, as a power of two: the bits of a leaf.
const BLOCK: u32 = 6;
/// A tree is at most so deep: one branch for each bit of a block's number, and a leaf.
const DEEPEST: usize = (u32::BITS - BLOCK) as usize + 1;

/// A tree: all its variables are in blocks whose number begins with `key`, `level` more bits follow.
#[derive(Clone, Copy, Debug)]
struct Tree {
    key: u32,
    /// 0 is a leaf.
    level: u32,
    /// Of a branch, the trees in which the next bit is 0 and 1; of a leaf, the two halves of its bits.
    parts: [u32; 2],
    len: u32,
}

impl Tree {
    const EMPTY: Tree = Tree { key: 0, level: 0, parts: [0; 2], len: 0 };

    fn leaf(key: u32, bits: u64) -> Tree {
        Tree { key, level: 0, parts: [bits as u32, (bits >> 32) as u32], len: bits.count_ones() }
    }

    fn is_leaf(&self) -> bool {
        self.level == 0
    }

    fn bits(&self) -> u64 {
        u64::from(self.parts[0]) | u64::from(self.parts[1]) << 32
    }

    /// The lowest block it may have.
    fn block(&self) -> u32 {
        self.key << self.level
    }

    /// Whether all blocks of `other` lie where this branch may have some, and then in which part.
    fn side(&self, other: &Tree) -> Option<usize> {
        let deeper = self.level.checked_sub(other.level + 1)?;
        let next = other.key >> deeper;
        (next >> 1 == self.key).then_some((next & 1) as usize)
    }

    fn is(&self, other: &Tree) -> bool {
        (self.key, self.level, self.parts) == (other.key, other.level, other.parts)
    }

    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (self.key, self.level, self.parts).hash(&mut hasher);
        hasher.finish()
    }
}

/// A set of variables, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct VarSet<'a> {
    trees: &'a [Tree],
    root: SetId,
}

impl<'a> VarSet<'a> {
    pub fn iter(self) -> Members<'a> {
        let mut members = Members { trees: self.trees, above: [0; DEEPEST], depth: 0, base: 0, bits: 0 };
        members.descend(self.root.0);
        members
    }

    #[inline]
    pub fn contains(self, id: VarId) -> bool {
        let block = id.0 >> BLOCK;
        let mut tree = &self.trees[self.root.index()];
        while !tree.is_leaf() {
            if block >> tree.level != tree.key {
                return false;
            }
            tree = &self.trees[tree.parts[(block >> (tree.level - 1) & 1) as usize] as usize];
        }
        tree.key == block && tree.bits() >> (id.0 % (1 << BLOCK)) & 1 != 0
    }

    #[inline]
    pub fn len(self) -> usize {
        self.trees[self.root.index()].len as usize
    }

    pub fn is_empty(self) -> bool {
        self.root == SetId::EMPTY
    }

    pub fn first(self) -> Option<VarId> {
        self.iter().next()
    }

    /// Two smaller sets that it is the union of, themselves interned; none for a set within one block.
    pub fn parts(self) -> Option<[SetId; 2]> {
        let tree = &self.trees[self.root.index()];
        (!tree.is_leaf()).then(|| tree.parts.map(SetId))
    }
}

/// The variables of a set, ascending.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    trees: &'a [Tree],
    /// Trees to go through after the present leaf, the next one last.
    above: [u32; DEEPEST],
    depth: usize,
    /// What is left of the present leaf.
    base: u32,
    bits: u64,
}

impl Members<'_> {
    /// Goes down to the first leaf of a tree.
    fn descend(&mut self, mut root: u32) {
        while !self.trees[root as usize].is_leaf() {
            let [low, high] = self.trees[root as usize].parts;
            self.above[self.depth] = high;
            self.depth += 1;
            root = low;
        }
        let leaf = &self.trees[root as usize];
        (self.base, self.bits) = (leaf.key << BLOCK, leaf.bits());
    }
}

impl Iterator for Members<'_> {
    type Item = VarId;

    #[inline]
    fn next(&mut self) -> Option<VarId> {
        if self.bits == 0 {
            self.depth = self.depth.checked_sub(1)?;
            self.descend(self.above[self.depth]);
        }
        let at = self.bits.trailing_zeros();
        let id = (self.bits != 0).then_some(VarId(self.base + at))?;
        self.bits &= self.bits - 1;
        Some(id)
    }
}

/// All sets of a pool, and the trees that they are made of, which are sets too.
#[derive(Default, Debug)]
pub(crate) struct VarSets {
    trees: Vec<Tree>,
    index: HashTable<u32>,
    /// Of sets of more than one block.
    unions: FxHashMap<(u32, u32), u32>,
}

/// Unions remembered: old ones are hardly asked for again.
const REMEMBERED: usize = 1 << 18;

impl VarSets {
    pub fn new() -> VarSets {
        VarSets { trees: vec![Tree::EMPTY], ..VarSets::default() }
    }

    pub fn len(&self) -> usize {
        self.trees.len()
    }

    #[inline]
    pub fn get(&self, root: SetId) -> VarSet<'_> {
        VarSet { trees: &self.trees, root }
    }

    pub fn single(&mut self, id: VarId) -> SetId {
        SetId(self.intern(Tree::leaf(id.0 >> BLOCK, 1 << (id.0 % (1 << BLOCK)))))
    }

    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        let (smaller, larger) = (a.0.min(b.0), a.0.max(b.0));
        if self.trees[a.index()].is_leaf() && self.trees[b.index()].is_leaf() {
            return SetId(self.join(smaller, larger));
        }
        if let Some(&known) = self.unions.get(&(smaller, larger)) {
            return SetId(known);
        }
        let joined = self.join(smaller, larger);
        if self.unions.len() >= REMEMBERED {
            self.unions.clear();
        }
        self.unions.insert((smaller, larger), joined);
        SetId(joined)
    }

    /// The union of two trees that are not empty. Parts they share are not looked into.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (left, right) = (self.trees[a as usize], self.trees[b as usize]);
        if (left.level, left.key) == (right.level, right.key) {
            if left.is_leaf() {
                return self.intern(Tree::leaf(left.key, left.bits() | right.bits()));
            }
            let parts = [self.join(left.parts[0], right.parts[0]), self.join(left.parts[1], right.parts[1])];
            return self.branch(left.key, left.level, parts);
        }
        if let Some(side) = left.side(&right) {
            return self.graft(&left, side, b);
        }
        if let Some(side) = right.side(&left) {
            return self.graft(&right, side, a);
        }
        let level = u32::BITS - (left.block() ^ right.block()).leading_zeros();
        let parts = if left.block() < right.block() { [a, b] } else { [b, a] };
        self.branch(left.block().checked_shr(level).unwrap_or(0), level, parts)
    }

    /// The branch with `tree` joined to one of its parts.
    fn graft(&mut self, branch: &Tree, side: usize, tree: u32) -> u32 {
        let mut parts = branch.parts;
        parts[side] = self.join(parts[side], tree);
        self.branch(branch.key, branch.level, parts)
    }

    fn branch(&mut self, key: u32, level: u32, parts: [u32; 2]) -> u32 {
        let len = parts.iter().map(|part| self.trees[*part as usize].len).sum();
        self.intern(Tree { key, level, parts, len })
    }

    fn intern(&mut self, tree: Tree) -> u32 {
        let hash = tree.hash();
        if let Some(&id) = self.index.find(hash, |&id| self.trees[id as usize].is(&tree)) {
            return id;
        }
        let id = self.trees.len() as u32;
        self.trees.push(tree);
        let trees = &self.trees;
        self.index.insert_unique(hash, id, |&id| trees[id as usize].hash());
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(sets: &mut VarSets, ids: &BTreeSet<u32>) -> SetId {
        ids.iter().fold(SetId::EMPTY, |set, id| {
            let one = sets.single(VarId(*id));
            sets.union(one, set)
        })
    }

    fn ids() -> impl Strategy<Value = BTreeSet<u32>> {
        let id = prop_oneof![0u32..200, 1000u32..1100, Just(u32::MAX), any::<u32>()];
        prop::collection::btree_set(id, 0..40)
    }

    proptest! {
        #[test]
        fn trees_are_sets(a in ids(), b in ids()) {
            let mut sets = VarSets::new();
            let (left, right) = (set(&mut sets, &a), set(&mut sets, &b));
            let both = sets.union(left, right);
            let expected: BTreeSet<u32> = a.union(&b).copied().collect();
            prop_assert_eq!(sets.get(both).iter().map(|id| id.0).collect::<Vec<_>>(), expected.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(sets.get(both).len(), expected.len());
            prop_assert_eq!(sets.get(both).is_empty(), expected.is_empty());
            prop_assert_eq!(sets.get(both).first().map(|id| id.0), expected.first().copied());
            prop_assert_eq!(set(&mut sets, &expected), both, "equal sets are equal ids");
            prop_assert_eq!(left == right, a == b);
            for id in a.iter().chain(&b).copied().chain([0, 63, 64, 1064]) {
                prop_assert_eq!(sets.get(left).contains(VarId(id)), a.contains(&id));
            }
            if let Some(parts) = sets.get(both).parts() {
                let lens = parts.map(|part| sets.get(part).len());
                prop_assert_eq!(lens[0] + lens[1], expected.len());
            }
        }
    }

    #[test]
    fn a_set_that_grows_costs_its_growth() {
        let mut sets = VarSets::new();
        let mut all = SetId::EMPTY;
        const ROUNDS: u32 = 100_000;
        for round in 0..ROUNDS {
            // One variable in three stays out, so that there is no range of them.
            let pair = [3 * round, 3 * round + 1].map(|id| sets.single(VarId(id)));
            all = pair.into_iter().fold(all, |all, one| sets.union(all, one));
        }
        assert_eq!(sets.get(all).len(), 2 * ROUNDS as usize);
        assert!(sets.len() < 2 * ROUNDS as usize * DEEPEST / 2, "{} trees", sets.len());
    }
}
