//! What is known of an alarm → how far it can be believed. The one place where verdicts are decided.

use covet_project::HARNESS;
use covet_results::{Alarm, Record, Sanitizer, Test, Verdict};

/// Gives every alarm of a record the verdict that it deserves by what is known of it now. What was refuted stays so.
pub fn settle(record: &mut Record) {
    let tests = &record.tests;
    for alarm in record.alarms.iter_mut().filter(|alarm| alarm.verdict != Verdict::Filtered) {
        let test = alarm.test.as_ref().and_then(|id| tests.iter().find(|test| test.id == *id));
        alarm.verdict = verdict(alarm, test);
    }
}

/// The published techniques know no assumptions: what a unit raises is an alarm, until its contexts refute it.
pub fn without_assumptions(record: &mut Record) {
    for alarm in &mut record.alarms {
        alarm.assumptions.clear();
        alarm.verdict = Verdict::Likely;
    }
}

fn verdict(alarm: &Alarm, test: Option<&Test>) -> Verdict {
    let is_shown = alarm.native || matches!(alarm.sanitizer, Some(Sanitizer::Confirmed { .. }));
    if alarm.told.public.is_some() {
        return Verdict::Confirmed;
    }
    let is_whole_program = test.is_some_and(|test| matches!(test.function.as_str(), "main" | HARNESS));
    match (alarm.assumptions.is_empty(), is_shown && is_whole_program) {
        (false, _) => Verdict::Latent,
        (true, true) => Verdict::Confirmed,
        (true, false) => Verdict::Likely,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::AlarmKind;

    #[test]
    fn only_what_a_whole_program_shows_is_confirmed_and_what_rests_on_a_guess_is_latent() {
        let test = |id: &str, function: &str| Test::new(id, function);
        let alarm = |test: &str, native, assumptions: &[&str]| Alarm {
            test: Some(test.into()),
            native,
            assumptions: assumptions.iter().map(|text| text.to_string()).collect(),
            ..Alarm::new(AlarmKind::OutOfBounds)
        };
        let refuted = Alarm { verdict: Verdict::Filtered, ..alarm("f-001", true, &[]) };
        let mut record = Record {
            tests: vec![test("main-001", "main"), test("f-001", "f")],
            alarms: vec![
                alarm("main-001", true, &[]),
                alarm("main-001", false, &[]),
                alarm("f-001", true, &[]),
                alarm("f-001", true, &["NULL is possible for p"]),
                refuted,
            ],
            ..Record::default()
        };
        settle(&mut record);
        let verdicts: Vec<Verdict> = record.alarms.iter().map(|alarm| alarm.verdict).collect();
        use Verdict::{Confirmed, Filtered, Latent, Likely};
        assert_eq!(verdicts, [Confirmed, Likely, Likely, Latent, Filtered]);
    }
}
