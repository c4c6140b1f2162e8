//! What an exploration is to bring about, one at a time: [`Goal`] in the numbers of one build, [`GoalId`] in names that mean the same in
//! the next one.

use crate::mcdc::Half;
use covet_abi::check::Check;
use covet_sites::cfg::{BlockNumber, FlowGraph};
use covet_sites::{
    Counter, DecisionId, FunctionId, FunctionInfo, FunctionNumber, Ids, SiteId, SiteKind, SiteMap, SiteNumber,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// One thing to bring about, in the numbers of one build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// A branch outcome is taken: the one with this counter.
    Branch(Counter),
    /// A line of a function is executed.
    Line(FunctionNumber, u32),
    /// One side of a pair of condition vectors that shows a condition deciding on its own.
    Half(Half),
    /// A check is violated at a site.
    Violation(SiteNumber, Check),
}

/// The kinds of goals, to count by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoalKind {
    Branch,
    Line,
    Half,
    Violation,
}

/// A goal, in this build and the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "goal", rename_all = "kebab-case")]
pub enum GoalId {
    Branch {
        site: SiteId,
        outcome: u32,
    },
    Line {
        function: FunctionId,
        line: u32,
    },
    Half {
        decision: DecisionId,
        condition: u32,
        outcome: bool,
    },
    Violation {
        site: SiteId,
        #[serde(serialize_with = "write_check", deserialize_with = "read_check")]
        check: Check,
    },
}

impl Goal {
    pub fn kind(self) -> GoalKind {
        match self {
            Goal::Branch(_) => GoalKind::Branch,
            Goal::Line(..) => GoalKind::Line,
            Goal::Half(_) => GoalKind::Half,
            Goal::Violation(..) => GoalKind::Violation,
        }
    }

    /// Its name beyond this build; none when the map has no such thing.
    pub fn id(self, map: &SiteMap, ids: &Ids) -> Option<GoalId> {
        Some(match self {
            Goal::Branch(counter) => {
                let site = site_of(map, counter)?;
                GoalId::Branch { site: ids.site_id(site.number)?, outcome: counter.0 - site.counter.0 }
            }
            Goal::Line(function, line) => GoalId::Line { function: ids.function_id(function)?.clone(), line },
            Goal::Half(Half { decision, condition, outcome }) => {
                GoalId::Half { decision: ids.decision_id(decision)?, condition, outcome }
            }
            Goal::Violation(site, check) => GoalId::Violation { site: ids.site_id(site)?, check },
        })
    }
}

impl GoalId {
    /// Where it is in this build, if it still is anywhere.
    pub fn find(&self, map: &SiteMap, ids: &Ids) -> Option<Goal> {
        match self {
            GoalId::Branch { site, outcome } => {
                let site = &map.sites[ids.site_number(site)?.index()];
                let is_there = counts_branches(site.kind) && *outcome < site.outcomes;
                is_there.then(|| Goal::Branch(site.counter + *outcome))
            }
            GoalId::Line { function, line } => {
                let function = ids.function_number(function)?;
                let has_code = lines_of(&map.functions[function.index()]).contains_key(line);
                has_code.then_some(Goal::Line(function, *line))
            }
            GoalId::Half { decision, condition, outcome } => {
                let decision = ids.decision_number(decision)?;
                let is_there = (*condition as usize) < map.decisions[decision.index()].conditions.0.len();
                is_there.then_some(Goal::Half(Half { decision, condition: *condition, outcome: *outcome }))
            }
            GoalId::Violation { site, check } => Some(Goal::Violation(ids.site_number(site)?, *check)),
        }
    }
}

impl fmt::Display for GoalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalId::Branch { site, outcome } => write!(f, "outcome {outcome} of {site}"),
            GoalId::Line { function, line } => write!(f, "line {line} of {function}"),
            GoalId::Half { decision, condition, outcome } => {
                write!(f, "condition {condition} deciding {outcome} in {decision}")
            }
            GoalId::Violation { site, check } => write!(f, "{} at {site}", check.text()),
        }
    }
}

/// The site that has this counter as that of a branch outcome.
pub(crate) fn site_of(map: &SiteMap, counter: Counter) -> Option<&covet_sites::SiteInfo> {
    map.sites.iter().find(|site| counts_branches(site.kind) && site.counters().any(|own| own == counter))
}

pub(crate) fn counts_branches(kind: SiteKind) -> bool {
    match kind {
        SiteKind::Branch | SiteKind::Condition | SiteKind::Switch => true,
        SiteKind::Decision | SiteKind::Indirect | SiteKind::Check => false,
    }
}

/// Where a line is, and how one knows that it was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Each of these, bumped, means that it was. Ascending.
    pub counters: Vec<Counter>,
    /// Ascending.
    pub blocks: Vec<BlockNumber>,
}

/// The lines of `function` that hold code.
///
/// A block ran when the edge counter on a way into it was bumped, or when it follows a block that ran over an edge that
/// has no choice. A line is executed when any block holding it ran. (A block that leaves half-way, through `exit` or a
/// crash, counts as wholly executed, as line coverage by regions does too.)
pub(crate) fn lines_of(function: &FunctionInfo) -> BTreeMap<u32, Line> {
    let flow = FlowGraph::of(function);
    let mut arriving: Vec<Vec<Counter>> = vec![vec![]; function.blocks.len()];
    let mut arrive = |counter: Counter, block: BlockNumber| {
        flow.without_choice(block).for_each(|block| arriving[block as usize].push(counter));
    };
    for block in flow.blocks() {
        if block == 0 {
            arrive(function.counter_start, block);
        }
        flow.successors(block)
            .for_each(|(next, counter)| counter.into_iter().for_each(|counter| arrive(counter, next)));
    }
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for (number, (block, counters)) in (0..).zip(function.blocks.iter().zip(&arriving)) {
        for line in &block.lines {
            let line = lines.entry(*line).or_default();
            line.blocks.push(number);
            line.counters.extend(counters);
        }
    }
    for line in lines.values_mut() {
        line.counters.sort_unstable();
        line.counters.dedup();
    }
    lines
}

fn write_check<S: Serializer>(check: &Check, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(check.text())
}

fn read_check<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Check, D::Error> {
    let text = String::deserialize(deserializer)?;
    let found = Check::ALL.iter().find(|check| check.text() == text);
    found.copied().ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no check")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at_line, small_program};
    use covet_sites::testing::function;

    #[test]
    fn a_line_is_known_by_every_counter_that_leads_to_it_without_a_choice() {
        let blocks = vec![
            at_line(2, &[(1, Some(1)), (2, Some(2))]),
            at_line(3, &[(3, None)]),
            at_line(4, &[(3, None)]),
            at_line(5, &[(4, None)]),
            at_line(2, &[]),
        ];
        let lines = lines_of(&function(0, 0, blocks));
        let counters = |line: u32| lines[&line].counters.iter().map(|counter| counter.0).collect::<Vec<_>>();
        assert_eq!([2, 3, 4, 5].map(counters), [vec![0, 1, 2], vec![1], vec![2], vec![1, 2]]);
        assert_eq!(lines[&2].blocks, [0, 4]);
    }

    #[test]
    fn ids_lead_back_and_say_what_is_gone() {
        let map = small_program();
        let ids = map.ids();
        let site = SiteNumber(0);
        let goals = [
            Goal::Branch(map.sites[0].counter + 1),
            Goal::Line(FunctionNumber(0), 2),
            Goal::Violation(site, Check::DivisionByZero),
        ];
        for goal in goals {
            let id = goal.id(&map, &ids).unwrap();
            let text = serde_json::to_string(&id).unwrap();
            assert_eq!(serde_json::from_str::<GoalId>(&text).unwrap(), id, "{text}");
            assert_eq!(id.find(&map, &ids), Some(goal));
        }
        assert_eq!(Goal::Branch(Counter(63)).id(&map, &ids), None);
        let function = ids.function_id(FunctionNumber(0)).unwrap().clone();
        assert_eq!(GoalId::Line { function, line: 99 }.find(&map, &ids), None, "no code there");
        let id = GoalId::Branch { site: ids.site_id(site).unwrap(), outcome: 2 };
        assert_eq!(id.find(&map, &ids), None, "no such outcome any more");
    }
}
