//! The execution tree: every decision sequence run so far, and which other directions have been asked for at each point.
//!
//! A path is a sequence of edges (a site and the direction taken there, interned). Equal prefixes are stored once:
//! the tree is a radix tree whose nodes are ranges of one shared edge arena, so a path costs four bytes for each decision it
//! does not share. A [`Point`] names a place in the tree (the decision reached after a prefix) and never changes, however
//! ranges are split later.

use covet_expr::query::Unknown;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Interned `(site, direction)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

/// The place after a prefix: the arena position of the prefix's last edge, or [`Point::ROOT`] for the empty prefix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point(u32);

impl Point {
    pub const ROOT: Point = Point(u32::MAX);
}

/// What became of asking for an outcome at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// There is no answer yet.
    Pending,
    /// An input was found (whether or not its run went there).
    Solved,
    /// No input goes there.
    Infeasible,
    /// The solver gave up.
    Unknown(Unknown),
}

/// A maximal range of the arena without a fork.
#[derive(Debug)]
struct Segment {
    start: u32,
    end: u32,
    /// Segments that follow the last edge, in order of discovery. Empty: only ends of paths follow.
    children: Vec<u32>,
}

#[derive(Debug)]
pub struct Tree {
    arena: Vec<EdgeId>,
    segments: Vec<Segment>,
    /// The segment whose last edge is at this arena position.
    segment_ending: FxHashMap<Point, u32>,
    asked: FxHashSet<(Point, EdgeId)>,
    /// Where the solver gave up, and why.
    unknown: FxHashMap<(Point, EdgeId), Unknown>,
    /// Points at which some path ended.
    ends: BTreeSet<Point>,
}

/// Where an inserted path lies.
#[derive(Debug)]
pub struct Placed {
    /// `points[i]` is the decision point of edge `i` (the place before it).
    pub points: Vec<Point>,
    /// The whole path was not there before.
    pub is_new: bool,
    /// How many edges lead through known territory.
    pub shared: usize,
}

/// The root segment is empty and holds the first decisions as children.
const ROOT_SEGMENT: u32 = 0;

impl Default for Tree {
    fn default() -> Tree {
        let root = Segment { start: 0, end: 0, children: Vec::new() };
        Tree {
            arena: Vec::new(),
            segments: vec![root],
            segment_ending: FxHashMap::from_iter([(Point::ROOT, ROOT_SEGMENT)]),
            asked: FxHashSet::default(),
            unknown: FxHashMap::default(),
            ends: BTreeSet::new(),
        }
    }
}

impl Tree {
    /// Adds a path.
    pub fn insert(&mut self, path: &[EdgeId]) -> Placed {
        let mut points = Vec::with_capacity(path.len());
        let mut last = Point::ROOT;
        let mut segment = ROOT_SEGMENT;
        let mut at = 0;
        let shared = loop {
            let Some(child) = path.get(at).and_then(|&edge| self.child(segment, edge)) else { break at };
            let Segment { start, end, .. } = self.segments[child as usize];
            let known = &self.arena[start as usize..end as usize];
            let same = known.iter().zip(&path[at..]).take_while(|(a, b)| a == b).count();
            for position in start..start + same as u32 {
                points.push(last);
                last = Point(position);
            }
            at += same;
            if same < known.len() {
                if at < path.len() {
                    self.split(child, start + same as u32);
                    segment = child;
                }
                break at;
            }
            segment = child;
        };
        if shared < path.len() {
            last = self.append(segment, &path[shared..], last, &mut points);
        }
        let is_new = self.ends.insert(last);
        Placed { points, is_new, shared }
    }

    /// True when some run took `edge` at `point`, or it was asked for there.
    pub fn is_tried(&self, point: Point, edge: EdgeId) -> bool {
        self.asked.contains(&(point, edge)) || self.is_seen(point, edge)
    }

    /// True when some run took `edge` at `point`.
    pub fn is_seen(&self, point: Point, edge: EdgeId) -> bool {
        match self.segment_ending.get(&point) {
            Some(&segment) => self.child(segment, edge).is_some(),
            None => self.arena[point.0 as usize + 1] == edge,
        }
    }

    /// Remembers that `edge` was asked for at `point`. A later answer replaces the first.
    pub fn mark(&mut self, point: Point, edge: EdgeId, answer: Asked) {
        self.asked.insert((point, edge));
        match answer {
            Asked::Unknown(why) => self.unknown.insert((point, edge), why),
            Asked::Pending | Asked::Solved | Asked::Infeasible => self.unknown.remove(&(point, edge)),
        };
    }

    /// Why the solver gave up, of each outcome it gave up on, in no order.
    #[expect(clippy::disallowed_methods, reason = "who asks counts them by reason")]
    pub fn unknown(&self) -> impl Iterator<Item = Unknown> + '_ {
        self.unknown.values().copied()
    }

    /// Number of distinct paths.
    pub fn paths(&self) -> usize {
        self.ends.len()
    }

    /// Number of decisions stored.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    fn child(&self, segment: u32, edge: EdgeId) -> Option<u32> {
        let starts_with = |&&child: &&u32| self.arena[self.segments[child as usize].start as usize] == edge;
        self.segments[segment as usize].children.iter().find(starts_with).copied()
    }

    /// Cuts `segment` in two before arena position `at`.
    fn split(&mut self, segment: u32, at: u32) {
        let tail = self.segments.len() as u32;
        let head = &mut self.segments[segment as usize];
        let rest = Segment { start: at, end: head.end, children: std::mem::take(&mut head.children) };
        head.end = at;
        head.children.push(tail);
        self.segment_ending.insert(Point(at - 1), segment);
        self.segment_ending.insert(Point(rest.end - 1), tail);
        self.segments.push(rest);
    }

    fn append(&mut self, segment: u32, edges: &[EdgeId], mut last: Point, points: &mut Vec<Point>) -> Point {
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(edges);
        let end = self.arena.len() as u32;
        for position in start..end {
            points.push(last);
            last = Point(position);
        }
        let number = self.segments.len() as u32;
        self.segments.push(Segment { start, end, children: Vec::new() });
        self.segment_ending.insert(last, number);
        self.segments[segment as usize].children.push(number);
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_expr::query::{TierLabel, UnknownReason};

    fn edges(path: &[u32]) -> Vec<EdgeId> {
        path.iter().map(|&edge| EdgeId(edge)).collect()
    }

    #[test]
    fn prefixes_are_shared_and_points_survive_splits() {
        let mut tree = Tree::default();
        let first = tree.insert(&edges(&[1, 2, 3, 4]));
        let second = tree.insert(&edges(&[1, 2, 5]));
        assert_eq!((second.shared, tree.len()), (2, 5));
        assert_eq!(first.points[..3], second.points[..]);
        let again = tree.insert(&edges(&[1, 2, 3, 4]));
        assert_eq!((again.is_new, &again.points), (false, &first.points));
        let third = tree.insert(&edges(&[1, 2, 3, 6]));
        assert_eq!(third.points, first.points);
        assert_eq!(tree.paths(), 3);
    }

    #[test]
    fn a_prefix_of_a_known_path_is_a_path_of_its_own() {
        let mut tree = Tree::default();
        tree.insert(&edges(&[1, 2]));
        assert!(tree.insert(&edges(&[1])).is_new);
        assert!(tree.insert(&[]).is_new);
        assert!(!tree.insert(&[]).is_new);
        assert!(!tree.insert(&edges(&[1])).is_new);
        assert_eq!((tree.paths(), tree.len()), (3, 2));
    }

    #[test]
    fn marks_belong_to_one_point() {
        let mut tree = Tree::default();
        let placed = tree.insert(&edges(&[1, 1, 1]));
        let why = Unknown { reason: UnknownReason::Limit, tier: TierLabel::NONE };
        tree.mark(placed.points[1], EdgeId(2), Asked::Unknown(why));
        assert!(tree.is_tried(placed.points[1], EdgeId(2)));
        assert_eq!(tree.unknown().collect::<Vec<_>>(), [why]);
        tree.mark(placed.points[1], EdgeId(2), Asked::Infeasible);
        assert_eq!(tree.unknown().count(), 0, "a later answer replaces the first");
        assert!(!tree.is_tried(placed.points[2], EdgeId(2)) && !tree.is_tried(placed.points[0], EdgeId(2)));
        assert_eq!(placed.points[0], Point::ROOT);
    }

    /// Against a plain set of prefixes, on every path of up to 4 decisions over 3 edges.
    #[test]
    fn agrees_with_a_set_of_prefixes() {
        let mut tree = Tree::default();
        let mut prefixes: FxHashMap<Vec<EdgeId>, Point> = FxHashMap::default();
        let mut paths = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for code in 0..3u32.pow(4) * 4 {
            let scrambled = code.wrapping_mul(7919) % (3u32.pow(4) * 4);
            let (length, mut digits) = (1 + scrambled % 4, scrambled / 4);
            let mut path = Vec::new();
            for _ in 0..length {
                path.push(EdgeId(digits % 3));
                digits /= 3;
            }
            let placed = tree.insert(&path);
            assert_eq!(placed.is_new, paths.insert(path.clone()));
            for (at, point) in placed.points.iter().enumerate() {
                assert_eq!(prefixes.entry(path[..at].to_vec()).or_insert(*point), point);
                seen.insert((*point, path[at]));
                for edge in (0..3).map(EdgeId) {
                    assert_eq!(tree.is_seen(*point, edge), seen.contains(&(*point, edge)));
                }
            }
        }
        assert_eq!(tree.paths(), paths.len());
    }
}
