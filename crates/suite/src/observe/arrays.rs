//! Many of one kind side by side in two runs → checks of those that have changed: one by one if they are few, the first and a digest of
//! all if they are many.

use super::compare::{Comparison, MOST_BYTES, Spot, slice};
use super::digest;
use crate::ctest::literal;
use covet_results::{Check, CheckKind};
use covet_source::{TypeId, TypeKind};

/// Elements of one array that are told.
const MOST_ELEMENTS: usize = 16;
/// The first elements, and bytes, of what is too long to be told.
const FIRST_ELEMENTS: usize = 4;
const FIRST_BYTES: usize = 24;

impl Comparison<'_> {
    /// So many elements from `pointer` on.
    pub(super) fn elements(&mut self, ty: TypeId, pointer: &str, count: u64, spot: Spot, depth: usize) {
        let ty = self.types.completed(ty);
        let Some(size) = self.types.get(ty).size.filter(|size| *size > 0) else { return };
        if self.is_character(ty) {
            return self.text(pointer, count, spot);
        }
        // A table that is filled by addresses or random numbers: which slots are free is nobody's promise.
        let is_free = |run: usize, at: u64| {
            let from = spot.offsets[run] + at * size;
            slice(&self.region(spot, run).bytes, from, size).map(|slot| slot.iter().all(|byte| *byte == 0))
        };
        let is_pointer = matches!(self.types.kind(ty), TypeKind::Pointer { .. });
        if is_pointer && (0..count).map_while(|at| Some((is_free(0, at)?, is_free(1, at)?))).any(|(a, b)| a != b) {
            return;
        }
        let (told, is_digested) = self.told_elements(ty, count, size, spot);
        for at in told {
            let place = match count {
                1 => format!("*{pointer}"),
                _ => format!("{pointer}[{at}]"),
            };
            self.value(ty, None, &place, spot.plus(at * size), depth);
        }
        if is_digested {
            self.digest(pointer, spot, count * size);
        }
    }

    /// The elements that are looked at one by one, those that have changed if they are few; and whether all are to be digested.
    fn told_elements(&self, ty: TypeId, count: u64, size: u64, spot: Spot) -> (Vec<u64>, bool) {
        if count <= MOST_ELEMENTS as u64 {
            return ((0..count).collect(), false);
        }
        let is_all_seen = [0, 1].iter().all(|run| {
            let seen = self.region(spot, *run).bytes.len() as u64;
            seen >= spot.offsets[*run] + count * size
        });
        let is_news = |at: &u64| [0, 1].iter().any(|run| self.is_news(spot.plus(at * size), size, *run));
        let news: Vec<u64> = (0..count).filter(is_news).take(MOST_ELEMENTS + 1).collect();
        let is_table = matches!(self.types.kind(ty), TypeKind::Array { .. });
        match news.len() <= MOST_ELEMENTS && is_all_seen {
            true => (news, false),
            false if digest::says_all(self.types, ty) => {
                let told = if is_table { 0 } else { FIRST_ELEMENTS };
                (news.into_iter().take(told).collect(), true)
            }
            false => ((0..MOST_ELEMENTS as u64).collect(), false),
        }
    }

    /// Whether a run has left something else there than it found.
    fn is_news(&self, spot: Spot, size: u64, run: usize) -> bool {
        let region = self.region(spot, run);
        let now = slice(&region.bytes, spot.offsets[run], size);
        let before = region.before.as_ref().map(|before| slice(before, spot.offsets[run], size));
        now.is_some() && before != Some(now)
    }

    /// So many bytes from `pointer` on, where both runs have left the same.
    fn digest(&mut self, pointer: &str, spot: Spot, size: u64) {
        let of = |run: usize| {
            let (region, from) = (self.region(spot, run), spot.offsets[run]);
            let whole = region.digest.filter(|_| from == 0 && region.size == size);
            slice(&region.bytes, from, size).map(digest::of).or(whole)
        };
        if let (Some(first), Some(second)) = (of(0), of(1))
            && first == second
        {
            let expected = format!("{size}, 0x{first:016x}UL");
            self.digests.push(Check { how: CheckKind::Digest, what: pointer.to_string(), expected });
        }
    }

    pub(super) fn is_character(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Char { .. } | TypeKind::Void => true,
            TypeKind::Int { width, .. } => *width == 8,
            _ => false,
        }
    }

    /// Bytes from `pointer` on: a text if they are one, else from the first to the last that changed.
    fn text(&mut self, pointer: &str, count: u64, spot: Spot) {
        let all = [0, 1].map(|run| self.region(spot, run).bytes.get(spot.offsets[run] as usize..).unwrap_or_default());
        let most = all[0].len().min(all[1].len()).min(count as usize);
        let same = all[0][..most].iter().zip(all[1]).take_while(|(a, b)| a == b).count();
        let bytes = &all[0][..same];
        let before = self.region(spot, 0).before.as_ref();
        let old = before.map(|before| before.get(spot.offsets[0] as usize..).unwrap_or_default());
        let is_news = |at: &usize| old.is_none_or(|old| old.get(*at) != bytes.get(*at));
        let (Some(from), Some(last)) = ((0..same).find(is_news), (0..same).rev().find(is_news)) else { return };
        if spot.regions == [self.root; 2] {
            self.changed.bytes(spot.offsets[0] + from as u64, (last - from) as u64 + 1, pointer, from as u64);
        }
        let end = bytes.iter().position(|&byte| byte == 0);
        if let Some(end) = end.filter(|end| *end <= MOST_BYTES && from <= *end)
            && (literal::is_text(&bytes[..end]) || end == 0)
        {
            self.check(CheckKind::Text, pointer, literal::string(&bytes[..end]));
            if last > end {
                self.long(pointer, count, same, spot);
            }
            return;
        }
        let is_long = last >= from + MOST_BYTES || same < most || (most as u64) < count;
        if is_long {
            self.long(pointer, count, same, spot);
        }
        let last = last.min(from + if is_long { FIRST_BYTES } else { MOST_BYTES });
        let start = if from == 0 { pointer.to_string() } else { format!("(const char *)({pointer}) + {from}") };
        self.check(CheckKind::Bytes, &start, literal::string(&bytes[from..=last]));
    }

    /// More characters than are told, of which the first `same` are seen to be the same in both runs: all there are, or else these.
    fn long(&mut self, pointer: &str, count: u64, same: usize, spot: Spot) {
        let before = self.digests.len();
        self.digest(pointer, spot, count);
        if self.digests.len() == before && same > 0 {
            self.digest(pointer, spot, same as u64);
        }
    }
}
