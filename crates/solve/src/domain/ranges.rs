//! Sets of bit patterns as sorted, disjoint, closed ranges.

use covet_expr::bits::{mask, signed_max, signed_min, truncate};

/// A set of values of one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ranges {
    width: u16,
    parts: Vec<(u128, u128)>,
}

impl Ranges {
    pub fn none(width: u16) -> Ranges {
        Ranges { width, parts: Vec::new() }
    }

    /// From `first` up to `last`, going round past the end when `last < first`.
    pub fn between(width: u16, first: u128, last: u128) -> Ranges {
        let parts = if first <= last { vec![(first, last)] } else { vec![(0, last), (first, mask(width))] };
        Ranges { width, parts }
    }

    /// Single values, in ascending order.
    pub fn of(width: u16, values: impl Iterator<Item = u128>) -> Ranges {
        let mut parts: Vec<(u128, u128)> = values.map(|value| (value, value)).collect();
        join_touching(&mut parts);
        Ranges { width, parts }
    }

    /// The ranges, in ascending order.
    pub fn parts(&self) -> &[(u128, u128)] {
        &self.parts
    }

    /// Unsigned values below `bound`.
    pub fn below(width: u16, bound: u128) -> Ranges {
        if bound == 0 { Ranges::none(width) } else { Ranges::between(width, 0, bound - 1) }
    }

    /// Signed values below `bound`.
    pub fn signed_below(width: u16, bound: u128) -> Ranges {
        if bound == signed_min(width) {
            return Ranges::none(width);
        }
        Ranges::between(width, signed_min(width), truncate(bound.wrapping_sub(1), width))
    }

    /// Signed values above `bound`.
    pub fn signed_above(width: u16, bound: u128) -> Ranges {
        if bound == signed_max(width) {
            return Ranges::none(width);
        }
        Ranges::between(width, truncate(bound.wrapping_add(1), width), signed_max(width))
    }

    pub fn complement(&self) -> Ranges {
        let mut parts = Vec::with_capacity(self.parts.len() + 1);
        let mut next = Some(0);
        for &(first, last) in &self.parts {
            if let Some(start) = next
                && start < first
            {
                parts.push((start, first - 1));
            }
            next = (last != mask(self.width)).then(|| last + 1);
        }
        if let Some(start) = next {
            parts.push((start, mask(self.width)));
        }
        Ranges { width: self.width, parts }
    }

    /// Every value moved by `offset`, going round.
    pub fn shifted(&self, offset: u128) -> Ranges {
        let offset = truncate(offset, self.width);
        if offset == 0 {
            return self.clone();
        }
        let moved = |value: u128| truncate(value.wrapping_add(offset), self.width);
        let mut parts = Vec::with_capacity(self.parts.len() + 1);
        for &(first, last) in &self.parts {
            let (first, last) = (moved(first), moved(last));
            if first <= last {
                parts.push((first, last));
            } else {
                parts.push((0, last));
                parts.push((first, mask(self.width)));
            }
        }
        parts.sort_unstable();
        join_touching(&mut parts);
        Ranges { width: self.width, parts }
    }

    /// Every value `v` as `k - v`, going round.
    pub fn reflected(&self, k: u128) -> Ranges {
        let turned = |value: u128| truncate(0u128.wrapping_sub(value), self.width);
        let mut parts = Vec::with_capacity(self.parts.len() + 1);
        for &(first, last) in &self.parts {
            match first {
                // Zero stays where it is, all others change ends.
                0 => {
                    parts.push((0, 0));
                    if last > 0 {
                        parts.push((turned(last), mask(self.width)));
                    }
                }
                _ => parts.push((turned(last), turned(first))),
            }
        }
        parts.sort_unstable();
        join_touching(&mut parts);
        Ranges { width: self.width, parts }.shifted(k)
    }

    /// The values of fewer bits that are in here when zeros are put in front.
    pub fn before_zext(&self, width: u16) -> Ranges {
        let mut low = self.clone();
        low.intersect(&Ranges::between(self.width, 0, mask(width)));
        Ranges { width, parts: low.parts }
    }

    /// The values of fewer bits that are in here when their sign is put in front.
    pub fn before_sext(&self, width: u16) -> Ranges {
        let mut low = self.clone();
        low.intersect(&Ranges::between(self.width, 0, signed_max(width)));
        let mut high = self.clone();
        let least = mask(self.width) - signed_max(width);
        high.intersect(&Ranges::between(self.width, least, mask(self.width)));
        let mut parts = low.parts;
        parts.extend(high.parts.iter().map(|(first, last)| (truncate(*first, width), truncate(*last, width))));
        join_touching(&mut parts);
        Ranges { width, parts }
    }

    /// How many values there are, as far as `u128` can count.
    pub fn count(&self) -> u128 {
        self.parts.iter().fold(0u128, |sum, (first, last)| sum.saturating_add((last - first).saturating_add(1)))
    }

    /// All values, in ascending order.
    pub fn values(&self) -> impl Iterator<Item = u128> + '_ {
        self.parts.iter().flat_map(|(first, last)| *first..=*last)
    }

    pub fn intersect(&mut self, other: &Ranges) {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, b)), Some(&(c, d))) = (self.parts.get(i), other.parts.get(j)) {
            let (first, last) = (a.max(c), b.min(d));
            if first <= last {
                parts.push((first, last));
            }
            if b < d {
                i += 1;
            } else {
                j += 1;
            }
        }
        self.parts = parts;
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The value closest to `to`, the shorter way round; the larger of two.
    pub fn nearest(&self, to: u128) -> Option<u128> {
        let distance = |value: &u128| {
            let up = truncate(value.wrapping_sub(to), self.width);
            let down = truncate(to.wrapping_sub(*value), self.width);
            (up.min(down), up > down)
        };
        if self.parts.iter().any(|(first, last)| (*first..=*last).contains(&to)) {
            return Some(to);
        }
        self.parts.iter().flat_map(|(first, last)| [*first, *last]).min_by_key(distance)
    }
}

fn join_touching(parts: &mut Vec<(u128, u128)>) {
    let mut joined: Vec<(u128, u128)> = Vec::with_capacity(parts.len());
    for &(first, last) in parts.iter() {
        match joined.last_mut() {
            Some(previous) if previous.1.checked_add(1).is_none_or(|next| first <= next) => {
                previous.1 = previous.1.max(last)
            }
            _ => joined.push((first, last)),
        }
    }
    *parts = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(ranges: &Ranges) -> Vec<u128> {
        (0..16).filter(|v| ranges.parts.iter().any(|(a, b)| a <= v && v <= b)).collect()
    }

    #[test]
    fn agree_with_sets_on_four_bits() {
        for a in 0..16 {
            for b in 0..16 {
                let ranges = Ranges::between(4, a, b);
                let expected: Vec<u128> =
                    (0..16).filter(|v| if a <= b { a <= *v && *v <= b } else { *v <= b || a <= *v }).collect();
                assert_eq!(members(&ranges), expected);
                let rest: Vec<u128> = (0..16).filter(|v| !expected.contains(v)).collect();
                assert_eq!(members(&ranges.complement()), rest);
                for k in 0..16 {
                    let moved: Vec<u128> = (0..16).filter(|v| expected.contains(&((v + 16 - k) % 16))).collect();
                    assert_eq!(members(&ranges.shifted(k)), moved);
                    let mut both = ranges.clone();
                    both.intersect(&Ranges::below(4, k));
                    let common: Vec<u128> = expected.iter().copied().filter(|v| *v < k).collect();
                    assert_eq!(members(&both), common);
                    let near = ranges.nearest(k).expect("never empty");
                    let far = |v: u128| ((v + 16 - k) % 16).min((k + 16 - v) % 16);
                    assert_eq!(far(near), expected.iter().map(|v| far(*v)).min().expect("not empty"));
                }
            }
        }
    }

    #[test]
    fn turned_and_extended_values_agree_with_sets() {
        for a in 0..16 {
            for b in 0..16 {
                let ranges = Ranges::between(4, a, b);
                for k in 0..16u128 {
                    let expected: Vec<u128> =
                        (0..16).filter(|v| members(&ranges).contains(&((k + 16 - v) % 16))).collect();
                    assert_eq!(members(&ranges.reflected(k)), expected);
                }
                let unsigned: Vec<u128> = (0..4).filter(|v| members(&ranges).contains(v)).collect();
                assert_eq!(members(&ranges.before_zext(2)), unsigned);
                let extended = |v: &u128| if *v < 2 { *v } else { v + 12 };
                let signed: Vec<u128> = (0..4).filter(|v| members(&ranges).contains(&extended(v))).collect();
                assert_eq!(members(&ranges.before_sext(2)), signed);
                assert_eq!(ranges.count(), ranges.values().count() as u128);
            }
        }
    }

    #[test]
    fn full_width() {
        let all = Ranges::between(128, 0, u128::MAX);
        assert!(all.complement().is_empty());
        assert_eq!(all.shifted(5), all);
        assert_eq!(Ranges::signed_below(128, 0).nearest(0), Some(u128::MAX));
    }
}
