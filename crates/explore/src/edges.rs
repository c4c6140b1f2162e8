//! Sites and directions become edges: the alphabet of the execution tree.
//!
//! An edge is one direction at one site. What else could have happened at a site follows from the edge alone, so flips can be
//! counted and ranked without looking at terms.

use crate::tree::EdgeId;
use covet_sites::{Counter, SiteInfo, SiteKind, SiteMap, SiteNumber};
use rustc_hash::FxHashMap;

/// What happened at a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// The numbered outcome of a branch (0 false, 1 true), condition or switch (0 default, then the cases).
    Number(u32),
    /// An indirect call or jump went, or a pointer input led, to this address.
    Target(u64),
    /// It went to none of the first so many addresses seen at this site.
    Elsewhere(u32),
    /// A pointer input led to this address, and others are not asked for here.
    Object(u64),
    /// A check was passed or violated; the check's number and whether it was violated.
    Check(u16, bool),
    /// An assumption held or not.
    Assumption(bool),
}

#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub site: SiteNumber,
    pub direction: Direction,
    /// The branch counter that says whether any run took it.
    pub counter: Option<Counter>,
}

/// All edges met so far; ids are dense and in order of discovery.
#[derive(Debug, Default)]
pub struct Edges {
    all: Vec<Edge>,
    alternatives: Vec<Option<Vec<EdgeId>>>,
    by_key: FxHashMap<(SiteNumber, Direction), EdgeId>,
    /// By site: the edges of the directions 0 and 1, which are most.
    branches: Vec<[Option<EdgeId>; 2]>,
    /// Runs that took each edge.
    hits: Vec<u32>,
    /// The last path that each edge was on, and how often.
    passes: Vec<(u32, u32)>,
    path: u32,
    /// Addresses that each indirect call or jump went to, in order of discovery.
    targets: FxHashMap<SiteNumber, Vec<u64>>,
}

/// Targets of one site to ask for.
const MOST_TARGETS: usize = 32;

impl Edges {
    pub fn intern(&mut self, map: &SiteMap, site: SiteNumber, direction: Direction) -> EdgeId {
        let branch = branch_of(map, site, direction);
        let known = match branch {
            Some((site, number)) => self.branches.get(site).and_then(|edges| edges[number]),
            None => self.by_key.get(&(site, direction)).copied(),
        };
        if let Some(id) = known {
            return id;
        }
        let counter = match direction {
            Direction::Number(number) => counter_of(map.sites.get(site.index()), number),
            Direction::Target(_)
            | Direction::Object(_)
            | Direction::Elsewhere(_)
            | Direction::Check(..)
            | Direction::Assumption(_) => None,
        };
        let id = EdgeId(self.all.len() as u32);
        self.all.push(Edge { site, direction, counter });
        self.alternatives.push(None);
        self.hits.push(0);
        self.passes.push((0, 0));
        if let Some((site, number)) = branch {
            self.branches.resize(map.sites.len(), [None; 2]);
            self.branches[site][number] = Some(id);
        } else {
            self.by_key.insert((site, direction), id);
        }
        id
    }

    pub fn get(&self, id: EdgeId) -> Edge {
        self.all[id.0 as usize]
    }

    /// The other directions at the site of `id`, ready after [`Edges::prepare`].
    pub fn alternatives(&self, id: EdgeId) -> &[EdgeId] {
        self.alternatives[id.0 as usize].as_deref().unwrap_or(&[])
    }

    /// Works out the alternatives of an edge that a run took.
    pub fn prepare(&mut self, map: &SiteMap, id: EdgeId) {
        if self.alternatives[id.0 as usize].is_some() {
            return;
        }
        let Edge { site, direction, .. } = self.get(id);
        let others: Vec<Direction> = match direction {
            Direction::Number(taken) => {
                let count = map.sites.get(site.index()).map_or(2, |site| site.outcomes.max(2));
                // Cases before the default: a case says more about the input.
                (1..count).chain([0]).filter(|number| *number != taken).map(Direction::Number).collect()
            }
            Direction::Target(taken) => self.other_targets(site, taken),
            Direction::Elsewhere(_) | Direction::Object(_) | Direction::Assumption(true) => vec![],
            Direction::Assumption(false) => vec![Direction::Assumption(true)],
            // A violated check ends the run: only past it there is more to see.
            Direction::Check(check, violated) => vec![Direction::Check(check, !violated)],
        };
        let others = others.into_iter().map(|direction| self.intern(map, site, direction)).collect();
        self.alternatives[id.0 as usize] = Some(others);
    }

    /// The addresses (or sizes) seen at a site before, and "none of all these" as long as they are few.
    fn other_targets(&mut self, site: SiteNumber, taken: u64) -> Vec<Direction> {
        let seen = self.targets.entry(site).or_default();
        if !seen.contains(&taken) {
            seen.push(taken);
        }
        let others = seen.iter().filter(|address| **address != taken).map(|address| Direction::Target(*address));
        let further = (seen.len() < MOST_TARGETS).then_some(Direction::Elsewhere(seen.len() as u32));
        others.chain(further).collect()
    }

    /// The first `count` addresses seen at a site.
    pub fn targets(&self, site: SiteNumber, count: u32) -> &[u64] {
        let seen = self.targets.get(&site).map_or(&[][..], Vec::as_slice);
        &seen[..seen.len().min(count as usize)]
    }

    /// Another path is entered, edge by edge.
    pub fn begin_path(&mut self) {
        self.path += 1;
    }

    /// The path takes this edge; gives how often it did before.
    pub fn pass(&mut self, id: EdgeId) -> u32 {
        let at = id.0 as usize;
        if self.passes[at].0 != self.path {
            self.passes[at] = (self.path, 0);
            self.hits[at] = self.hits[at].saturating_add(1);
        }
        let before = self.passes[at].1;
        self.passes[at].1 += 1;
        before
    }

    pub fn hits(&self, id: EdgeId) -> u32 {
        self.hits[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The place of a direction in the table of branches. (What a trace says may be anything.)
fn branch_of(map: &SiteMap, site: SiteNumber, direction: Direction) -> Option<(usize, usize)> {
    match direction {
        Direction::Number(number @ 0..2) if site.index() < map.sites.len() => Some((site.index(), number as usize)),
        _ => None,
    }
}

fn counter_of(site: Option<&SiteInfo>, number: u32) -> Option<Counter> {
    let site = site?;
    match site.kind {
        SiteKind::Branch | SiteKind::Condition | SiteKind::Switch => {
            (number < site.outcomes).then(|| site.counter + number)
        }
        SiteKind::Decided | SiteKind::Indirect | SiteKind::Check => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::testing::{block, function, program};

    #[test]
    fn a_switch_offers_its_other_cases_then_the_default() {
        let mut map = program(vec![function(0, 0, vec![block(&[], &[])])], &[(0, 0, 1)]);
        map.sites[0].kind = SiteKind::Switch;
        map.sites[0].outcomes = 4;
        let mut edges = Edges::default();
        let taken = edges.intern(&map, SiteNumber(0), Direction::Number(2));
        edges.prepare(&map, taken);
        let others: Vec<_> = edges.alternatives(taken).iter().map(|id| edges.get(*id).direction).collect();
        assert_eq!(others, [Direction::Number(1), Direction::Number(3), Direction::Number(0)]);
        assert_eq!(edges.get(taken).counter, Some(Counter(3)));
    }

    #[test]
    fn a_violated_check_has_a_way_back() {
        let map = program(vec![], &[]);
        let mut edges = Edges::default();
        let passed = edges.intern(&map, SiteNumber(9), Direction::Check(1, false));
        edges.prepare(&map, passed);
        let violated = edges.alternatives(passed)[0];
        edges.prepare(&map, violated);
        assert_eq!(edges.alternatives(violated), [passed]);
        assert_eq!(edges.get(passed).counter, None);
    }
}
