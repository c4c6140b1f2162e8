//! One run's assignment of bits to variables.
//!
//! An exploration keeps the inputs of all its runs, and each differs from the one it was made from in a few values. So values stand in blocks
//! that inputs share until one is changed, packed in as many bytes as the widest of their block needs.

use crate::VarId;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Variables of one block.
const BLOCK: usize = 64;

/// One assignment of bits to variables. What it does not name has its default.
#[derive(Clone, Default)]
pub struct Input {
    /// By the number of the variable.
    blocks: Vec<Option<Arc<Block>>>,
    len: usize,
}

impl Input {
    pub fn get(&self, id: VarId) -> Option<u128> {
        let (block, at) = place(id);
        self.blocks.get(block)?.as_ref()?.get(at)
    }

    pub fn set(&mut self, id: VarId, bits: u128) {
        let (block, at) = place(id);
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, None);
        }
        self.len += usize::from(set(self.blocks[block].get_or_insert_default(), at, bits));
    }

    /// This input with every value of `changes` laid over it.
    pub fn with(&self, changes: &Input) -> Input {
        let mut merged = self.clone();
        merged.blocks.resize(self.blocks.len().max(changes.blocks.len()), None);
        for (block, changed) in merged.blocks.iter_mut().zip(&changes.blocks) {
            match (block, changed) {
                (block @ None, Some(changed)) => {
                    merged.len += changed.len();
                    *block = Some(Arc::clone(changed));
                }
                (Some(block), Some(changed)) if !Arc::ptr_eq(block, changed) => {
                    for (at, bits) in changed.iter() {
                        merged.len += usize::from(set(block, at, bits));
                    }
                }
                (_, _) => {}
            }
        }
        merged
    }

    /// How many variables it names.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that it takes besides what is known to `counted` already, which knows its blocks afterwards.
    pub fn bytes(&self, counted: &mut HashSet<usize>) -> usize {
        let blocks = self.blocks.iter().flatten().filter(|block| counted.insert(Arc::as_ptr(block).addr()));
        let own = size_of::<Input>() + self.blocks.capacity() * size_of::<Option<Arc<Block>>>();
        own + blocks.map(|block| size_of::<Block>() + block.bytes.capacity()).sum::<usize>()
    }

    /// What it names, by the number of the variable.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u128)> {
        let blocks = self.blocks.iter().enumerate().filter_map(|(number, block)| Some((number, block.as_ref()?)));
        blocks
            .flat_map(|(number, block)| block.iter().map(move |(at, bits)| (VarId((number * BLOCK + at) as u32), bits)))
    }
}

/// Sets a value of a block that others may share; says whether it had none before.
fn set(block: &mut Arc<Block>, at: usize, bits: u128) -> bool {
    let old = block.get(at);
    if old != Some(bits) {
        Arc::make_mut(block).set(at, bits);
    }
    old.is_none()
}

fn place(id: VarId) -> (usize, usize) {
    (id.0 as usize / BLOCK, id.0 as usize % BLOCK)
}

impl FromIterator<(VarId, u128)> for Input {
    fn from_iter<I: IntoIterator<Item = (VarId, u128)>>(values: I) -> Input {
        let mut input = Input::default();
        values.into_iter().for_each(|(id, bits)| input.set(id, bits));
        input
    }
}

// Two blocks of the same values may have been packed differently, so what counts is what they name.
impl PartialEq for Input {
    fn eq(&self, other: &Input) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Eq for Input {}

impl PartialOrd for Input {
    fn partial_cmp(&self, other: &Input) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Input {
    fn cmp(&self, other: &Input) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl Hash for Input {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        self.iter().for_each(|value| value.hash(state));
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Values of up to [`BLOCK`] variables that follow each other.
#[derive(Clone, Debug)]
struct Block {
    /// One bit for each variable that has a value.
    named: u64,
    /// Bytes of one value: a power of two.
    size: u8,
    /// The values of those named, one behind the other.
    bytes: Vec<u8>,
}

impl Default for Block {
    fn default() -> Block {
        Block { named: 0, size: 1, bytes: Vec::new() }
    }
}

impl Block {
    fn len(&self) -> usize {
        self.named.count_ones() as usize
    }

    fn get(&self, at: usize) -> Option<u128> {
        (self.named >> at & 1 == 1).then(|| self.value(self.rank(at)))
    }

    fn set(&mut self, at: usize, bits: u128) {
        self.fit(bits);
        let (size, start) = (self.size as usize, self.rank(at) * self.size as usize);
        let bytes = &bits.to_le_bytes()[..size];
        if self.named >> at & 1 == 1 {
            self.bytes[start..start + size].copy_from_slice(bytes);
        } else {
            self.bytes.splice(start..start, bytes.iter().copied());
            self.named |= 1 << at;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, u128)> {
        let named = (0..BLOCK).filter(|at| self.named >> at & 1 == 1);
        named.enumerate().map(|(rank, at)| (at, self.value(rank)))
    }

    /// Named variables before this one.
    fn rank(&self, at: usize) -> usize {
        (self.named & ((1 << at) - 1)).count_ones() as usize
    }

    fn value(&self, rank: usize) -> u128 {
        let size = self.size as usize;
        let mut bits = [0; 16];
        bits[..size].copy_from_slice(&self.bytes[rank * size..][..size]);
        u128::from_le_bytes(bits)
    }

    /// Gives every value as many bytes as this one needs.
    fn fit(&mut self, bits: u128) {
        let needed = (128 - bits.leading_zeros()).div_ceil(8).max(1).next_power_of_two() as u8;
        if needed > self.size {
            let values: Vec<u128> = (0..self.len()).map(|rank| self.value(rank)).collect();
            self.bytes =
                values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(needed as usize)).collect();
            self.size = needed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn bits() -> impl Strategy<Value = u128> {
        (any::<u128>(), 0_u32..128).prop_map(|(bits, shift)| bits >> shift)
    }

    fn assignments() -> impl Strategy<Value = Vec<(VarId, u128)>> {
        prop::collection::vec(((0_u32..300).prop_map(VarId), bits()), 0..200)
    }

    fn told(input: &Input) -> BTreeMap<VarId, u128> {
        input.iter().collect()
    }

    proptest! {
        #[test]
        fn it_is_what_was_set_last(values in assignments()) {
            let (input, expected): (Input, BTreeMap<VarId, u128>) = (values.iter().copied().collect(), values.iter().copied().collect());
            prop_assert_eq!(input.len(), expected.len());
            prop_assert!((0..400).map(VarId).all(|id| input.get(id) == expected.get(&id).copied()));
            prop_assert_eq!(told(&input), expected);
        }

        #[test]
        fn changes_lie_over_what_was_there(base in assignments(), changes in assignments()) {
            let (before, changes): (Input, Input) = (base.into_iter().collect(), changes.into_iter().collect());
            let mut expected = told(&before);
            expected.extend(changes.iter());
            let (kept, merged) = (told(&before), before.with(&changes));
            prop_assert_eq!(merged.len(), expected.len());
            prop_assert_eq!(told(&merged), expected);
            prop_assert_eq!(told(&before), kept);
        }

        #[test]
        fn what_two_share_is_counted_once(base in assignments()) {
            let input: Input = base.into_iter().collect();
            let mut other = input.clone();
            other.set(VarId(1000), 1);
            let counted = &mut HashSet::new();
            let (first, second) = (input.bytes(counted), other.bytes(counted));
            prop_assert!(input.iter().count() <= first && second < 512);
        }

        #[test]
        fn compared_by_what_they_name(one in assignments(), other in assignments()) {
            let (a, b): (Input, Input) = (one.into_iter().collect(), other.into_iter().collect());
            prop_assert_eq!(a.cmp(&b), told(&a).cmp(&told(&b)));
            // Wide values that were there for a while leave no trace.
            let mut again: Input = a.iter().map(|(id, _)| (id, u128::MAX)).collect();
            a.iter().for_each(|(id, bits)| again.set(id, bits));
            let hash = |input: &Input| {
                let mut hasher = std::hash::DefaultHasher::new();
                input.hash(&mut hasher);
                hasher.finish()
            };
            prop_assert_eq!(&a, &again);
            prop_assert_eq!(hash(&a), hash(&again));
        }
    }
}
