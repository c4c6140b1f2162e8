//! Which variables a term depends on: interned sets, shared by all terms with the same variables.
//!
//! A set is a sorted list of ranges of variable numbers. Variables of one buffer are numbered in a row, so the sets of a
//! checksum over a long buffer (first byte, first two, first three, ...) take one range each.

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

/// Variable numbers `start .. end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Range {
    start: u32,
    end: u32,
}

/// A set of variables, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct VarSet<'a>(&'a [Range]);

impl<'a> VarSet<'a> {
    pub fn iter(self) -> impl Iterator<Item = VarId> + 'a {
        self.0.iter().flat_map(|r| (r.start..r.end).map(VarId))
    }

    #[inline]
    pub fn contains(self, id: VarId) -> bool {
        match self.0 {
            [] => false,
            [only] => only.start <= id.0 && id.0 < only.end,
            many => {
                let after = many.partition_point(|r| r.start <= id.0);
                after > 0 && id.0 < many[after - 1].end
            }
        }
    }

    pub fn len(self) -> usize {
        self.0.iter().map(|r| (r.end - r.start) as usize).sum()
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub fn first(self) -> Option<VarId> {
        self.0.first().map(|r| VarId(r.start))
    }
}

/// All sets of a pool.
#[derive(Default, Debug)]
pub(crate) struct VarSets {
    sets: Vec<Box<[Range]>>,
    index: HashTable<u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl VarSets {
    pub fn new() -> VarSets {
        let mut sets = VarSets::default();
        sets.intern(&[]);
        sets
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn get(&self, id: SetId) -> VarSet<'_> {
        VarSet(&self.sets[id.index()])
    }

    pub fn single(&mut self, id: VarId) -> SetId {
        self.intern(&[Range { start: id.0, end: id.0 + 1 }])
    }

    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        let key = (a.0.min(b.0), a.0.max(b.0));
        if let Some(&known) = self.unions.get(&key) {
            return SetId(known);
        }
        let merged = merge(&self.sets[a.index()], &self.sets[b.index()]);
        let id = self.intern(&merged);
        self.unions.insert(key, id.0);
        id
    }

    fn intern(&mut self, ranges: &[Range]) -> SetId {
        let hash = hash_of(ranges);
        if let Some(&id) = self.index.find(hash, |&id| &*self.sets[id as usize] == ranges) {
            return SetId(id);
        }
        let id = self.sets.len() as u32;
        self.sets.push(ranges.into());
        let sets = &self.sets;
        self.index.insert_unique(hash, id, |&id| hash_of(&sets[id as usize]));
        SetId(id)
    }
}

fn hash_of(ranges: &[Range]) -> u64 {
    let mut hasher = FxHasher::default();
    ranges.hash(&mut hasher);
    hasher.finish()
}

/// The union of two sorted lists of ranges, touching ranges joined.
fn merge(a: &[Range], b: &[Range]) -> Vec<Range> {
    let mut merged: Vec<Range> = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let take_a = j == b.len() || (i < a.len() && a[i].start <= b[j].start);
        let next = if take_a { a[i] } else { b[j] };
        if take_a {
            i += 1;
        } else {
            j += 1;
        }
        match merged.last_mut() {
            Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
            _ => merged.push(next),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_sorted_joined_and_shared() {
        let mut sets = VarSets::new();
        let one = sets.single(VarId(1));
        let two = sets.single(VarId(2));
        let nine = sets.single(VarId(9));
        let low = sets.union(two, one);
        assert_eq!(sets.get(low).iter().collect::<Vec<_>>(), [VarId(1), VarId(2)]);
        let a = sets.union(low, nine);
        let right = sets.union(nine, two);
        let b = sets.union(one, right);
        assert_eq!(a, b);
        assert_eq!(sets.get(a).len(), 3);
        assert!(sets.get(a).contains(VarId(9)) && !sets.get(a).contains(VarId(3)) && !sets.get(a).contains(VarId(0)));
        assert_eq!(sets.union(SetId::EMPTY, nine), nine);
    }
}
