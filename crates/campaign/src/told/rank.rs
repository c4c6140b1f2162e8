//! Alarms in the order in which a person wants to read them: the surest first, then those nearest to the outside, then the worst.

use super::code::Code;
use super::culprit::{Access, access};
use covet_project::HARNESS;
use covet_results::{Alarm, AlarmKind, Record, Test};
use covet_sites::SiteMap;

/// Sorts the alarms of a record; tests keep pointing at theirs.
pub fn sort(record: &mut Record, code: &Code<'_>, map: &SiteMap) {
    let mut order: Vec<usize> = (0..record.alarms.len()).collect();
    order.sort_by_cached_key(|at| {
        let alarm = &record.alarms[*at];
        let test = record.tests.iter().find(|test| Some(&test.id) == alarm.test.as_ref());
        let writes = code.of(alarm).is_some_and(|found| access(found.tokens()) == Access::Write);
        let (file, line) = (alarm.file.clone(), alarm.line);
        (alarm.verdict, from_outside(alarm, test, map), badness(alarm.kind, writes), file, line, *at)
    });
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, old)| places[*old] = new);
    let mut alarms: Vec<Option<Alarm>> = std::mem::take(&mut record.alarms).into_iter().map(Some).collect();
    record.alarms = order.iter().filter_map(|old| alarms[*old].take()).collect();
    for test in &mut record.tests {
        test.alarm = test.alarm.and_then(|alarm| places.get(alarm).copied());
    }
}

/// How far from the outside the run began that shows it: a whole program, a function that others can call, one of the file's own.
fn from_outside(alarm: &Alarm, test: Option<&Test>, map: &SiteMap) -> u8 {
    let first = alarm.told.chain.first().map(|step| step.function.as_str());
    let Some(entry) = first.or(test.map(|test| test.function.as_str())) else { return 3 };
    match map.function(entry) {
        _ if matches!(entry, "main" | HARNESS) => 0,
        Some(function) if function.is_static => 2,
        Some(_) | None => 1,
    }
}

/// What harm it can do, the worst first.
fn badness(kind: AlarmKind, writes: bool) -> u8 {
    match kind {
        AlarmKind::OutOfBounds if writes => 0,
        AlarmKind::UseAfterFree | AlarmKind::DoubleFree | AlarmKind::InvalidFree => 1,
        AlarmKind::OutOfBounds => 2,
        AlarmKind::SegmentationFault | AlarmKind::StackOverflow => 3,
        AlarmKind::Uninitialised => 4,
        AlarmKind::NullDereference => 5,
        AlarmKind::DivisionByZero | AlarmKind::DivisionOverflow => 6,
        AlarmKind::Assertion | AlarmKind::Abort | AlarmKind::ErrorReached => 7,
        AlarmKind::Trap | AlarmKind::Signal(_) | AlarmKind::Violation | AlarmKind::Lost => 8,
        AlarmKind::Timeout | AlarmKind::OutOfMemory => 9,
        AlarmKind::ShiftOutOfRange | AlarmKind::SignedOverflow | AlarmKind::Unreachable => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Texts;
    use super::*;
    use covet_results::Verdict;

    #[test]
    fn the_surest_come_first_then_the_worst_and_tests_stay_with_theirs() {
        let alarm = |kind, verdict, test: &str| Alarm { verdict, test: Some(test.into()), ..Alarm::new(kind) };
        let alarms = vec![
            alarm(AlarmKind::UseAfterFree, Verdict::Latent, "f-001"),
            alarm(AlarmKind::DivisionByZero, Verdict::Likely, "f-002"),
            alarm(AlarmKind::NullDereference, Verdict::Likely, "f-003"),
            alarm(AlarmKind::Timeout, Verdict::Confirmed, "main-001"),
        ];
        let tests = alarms.iter().enumerate().map(|(at, alarm)| Test {
            alarm: Some(at),
            ..Test::new(alarm.test.clone().unwrap(), alarm.test.clone().unwrap().split('-').next().unwrap())
        });
        let mut record = Record { tests: tests.collect(), alarms, ..Record::default() };
        let (texts, map) = (Texts::of(std::iter::empty()), SiteMap::default());
        sort(&mut record, &texts.code(&map), &map);
        let kinds: Vec<&str> = record.alarms.iter().map(|alarm| alarm.kind.name()).collect();
        assert_eq!(kinds, ["timeout", "null-dereference", "division-by-zero", "use-after-free"]);
        for test in &record.tests {
            assert_eq!(record.alarms[test.alarm.unwrap()].test.as_ref(), Some(&test.id));
        }
    }
}
