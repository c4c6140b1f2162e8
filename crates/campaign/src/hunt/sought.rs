//! An alarm of one entry → what an exploration of another is after: the same mistake at the same place, by the way that is known to lead there.

use crate::job::Allocations;
use covet_abi::check::Check;
use covet_coverage::Goal;
use covet_explore::Way;
use covet_results::{Alarm, AlarmKind, Record, Test};
use covet_sites::{Ids, SiteInfo, SiteKind, SiteMap, SiteNumber};
use serde::{Deserialize, Serialize};

/// A violation that somebody looks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sought {
    pub kind: AlarmKind,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The function that raised it, where only what goes through it counts.
    pub through: Option<String>,
    /// Decisions of a run that showed it, in the build that is explored.
    pub way: Way,
}

/// Whether callers can be asked about alarms of a kind: of one that is a matter of waiting, of depth or of memory they know no more.
pub fn can_be_sought(kind: AlarmKind) -> bool {
    !matches!(kind, AlarmKind::Timeout | AlarmKind::OutOfMemory | AlarmKind::StackOverflow | AlarmKind::Lost)
}

/// Whether memory must be able to run out for these alarms of a record to be shown. Where it need not, it does not: there are fewer paths to try.
pub fn allocations(alarms: &[usize], record: &Record) -> Allocations {
    let test_of = |at: &usize| {
        let id = record.alarms[*at].test.as_ref()?;
        record.tests.iter().find(|test| test.id == *id)
    };
    let is_refused = |test: &Test| test.inputs.iter().any(|(name, _)| covet_input::allocation(name).is_some());
    match alarms.iter().filter_map(test_of).any(is_refused) {
        true => Allocations::MayFail,
        false => Allocations::Succeed,
    }
}

impl Sought {
    pub fn of(alarm: &Alarm) -> Sought {
        let Alarm { kind, line, column, .. } = *alarm;
        let (function, file) = (alarm.function.clone(), alarm.file.clone());
        Sought { kind, function, file, line, column, through: None, way: Vec::new() }
    }

    /// With the way of the run that shows the alarm, in the same build.
    pub fn with_way(alarm: &Alarm) -> Sought {
        Sought { way: alarm.told.way.clone(), ..Sought::of(alarm) }
    }

    /// With that way in another build.
    pub fn with_way_in(alarm: &Alarm, build: &Ids, other: &Ids) -> Sought {
        let step = |(site, outcome): &(SiteNumber, u32)| Some((other.site_number(&build.site_id(*site)?)?, *outcome));
        Sought { way: alarm.told.way.iter().filter_map(step).collect(), ..Sought::of(alarm) }
    }

    /// Whether an alarm is what is looked for: of the same kind, at the same place.
    pub fn is(&self, alarm: &Alarm) -> bool {
        let Sought { kind, file, line, column, .. } = self;
        let is_through = |name: &String| alarm.stack.iter().any(|frame| frame.function == *name);
        alarm.is_same_fault(&Alarm { file: file.clone(), line: *line, column: *column, ..Alarm::new(*kind) })
            && self.through.as_ref().is_none_or(is_through)
    }

    /// What leads there: the checks that would be violated; for what no check tells (an assertion, a call of `abort`) the line, and
    /// every way of the decisions on it.
    pub fn goals(&self, map: &SiteMap) -> Vec<Goal> {
        let is_here = |site: &&SiteInfo| site.line == self.line && site.file == self.file;
        let here: Vec<&SiteInfo> = map.sites.iter().filter(is_here).collect();
        let known: Vec<Check> =
            Check::ALL.iter().copied().filter(|check| AlarmKind::from(*check) == self.kind).collect();
        let checks = || here.iter().filter(|site| site.kind == SiteKind::Check);
        let is_exact = checks().any(|site| site.column == self.column);
        let meant = checks().filter(|site| !is_exact || site.column == self.column);
        let violations = meant.flat_map(|site| known.iter().map(|check| Goal::Violation(site.number, *check)));
        let violations: Vec<Goal> = violations.collect();
        if !violations.is_empty() {
            return violations;
        }
        let is_decided =
            |site: &&&SiteInfo| matches!(site.kind, SiteKind::Branch | SiteKind::Condition | SiteKind::Switch);
        let ways = here.iter().filter(is_decided).flat_map(|site| site.counters()).map(Goal::Branch);
        let is_meant = |function: &&covet_sites::FunctionInfo| {
            function.name == self.function && function.file == self.file && !function.is_model
        };
        let has_line = |function: &&covet_sites::FunctionInfo| {
            function.blocks.iter().any(|block| block.lines.contains(&self.line))
        };
        let line = map.functions.iter().filter(is_meant).find(has_line);
        ways.chain(line.map(|function| Goal::Line(function.number, self.line))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_sites::testing::{block, function, program};

    #[test]
    fn checks_are_sought_where_there_are_any_and_lines_elsewhere() {
        let mut map = program(vec![function(0, 0, vec![block(&[], &[])])], &[(0, 0, 1), (0, 0, 3), (0, 0, 5)]);
        map.functions[0].blocks[0].lines = vec![1, 7, 9];
        for (site, (line, column, kind)) in
            map.sites.iter_mut().zip([(7, 4, SiteKind::Check), (7, 9, SiteKind::Check), (9, 2, SiteKind::Branch)])
        {
            (site.line, site.column, site.kind) = (line, column, kind);
        }
        let sought = |kind, line, column| {
            let alarm = Alarm { function: "f0".into(), file: "f.c".into(), line, column, ..Alarm::new(kind) };
            let sought = Sought::of(&alarm);
            assert!(sought.is(&alarm) && !sought.is(&Alarm { line: line + 1, ..alarm.clone() }));
            sought.goals(&map)
        };
        let violation = |site: usize| Goal::Violation(map.sites[site].number, Check::DivisionByZero);
        assert_eq!(sought(AlarmKind::DivisionByZero, 7, 9), [violation(1)]);
        assert_eq!(sought(AlarmKind::DivisionByZero, 7, 0), [violation(0), violation(1)]);
        let (function, first) = (map.functions[0].number, map.sites[2].counter);
        assert_eq!(
            sought(AlarmKind::Assertion, 9, 2),
            [Goal::Branch(first), Goal::Branch(first + 1), Goal::Line(function, 9)]
        );
        assert_eq!(sought(AlarmKind::Abort, 8, 0), [], "no code there");
    }
}
