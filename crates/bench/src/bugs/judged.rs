//! What a hunt showed on the buggy and on the fixed tree → whether the bug was found, and what was said wrongly.

use super::hunted::{Hunted, Reached, Sighting};
use super::table::Bug;
use covet_results::Verdict;

/// What came of one bug in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The best verdict of an alarm that is the bug.
    pub found: Option<Verdict>,
    /// Alarms that are the bug, best first.
    pub hits: Vec<Sighting>,
    /// Alarms in the functions of the fixed tree.
    pub wrong: Wrong,
    pub seconds: f64,
    /// Of a bug that was missed: what was said in its functions instead, and how far they were explored.
    pub instead: Vec<Instead>,
    pub reached: Vec<Reached>,
}

/// Alarms of the fixed tree by their verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    pub confirmed: usize,
    pub likely: usize,
    pub latent: usize,
}

/// An alarm that is not the bug, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    pub alarm: Sighting,
    pub why: &'static str,
}

impl Wrong {
    /// Those that a user is shown.
    pub fn shown(&self) -> usize {
        self.confirmed + self.likely
    }

    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Confirmed => self.confirmed += 1,
            Verdict::Likely => self.likely += 1,
            Verdict::Latent => self.latent += 1,
            Verdict::Filtered => {}
        }
    }
}

/// A bug is found when an alarm of a fitting kind in its functions, or below, stands on the buggy tree and not on the fixed one.
pub fn judge(bug: &Bug, buggy: &Hunted, fixed: &Hunted) -> Judged {
    let within = |hunted: &Hunted| -> Vec<Sighting> {
        hunted.alarms.iter().filter(|alarm| alarm.is_within(&bug.functions)).cloned().collect()
    };
    let (before, after) = (within(buggy), within(fixed));
    let (mut hits, mut instead) = (Vec::new(), Vec::new());
    for alarm in before {
        match why_not(bug, &alarm, &after) {
            None => hits.push(alarm),
            Some(why) => instead.push(Instead { alarm, why }),
        }
    }
    hits.sort_by_key(|alarm| alarm.verdict);
    instead.sort_by_key(|one| (one.alarm.verdict, one.alarm.line));
    let mut wrong = Wrong::default();
    // What has one cause is told once.
    after.iter().filter(|alarm| !alarm.is_grouped).for_each(|alarm| wrong.count(alarm.verdict));
    let found = hits.first().map(|alarm| alarm.verdict);
    if found.is_some() {
        instead.clear();
    }
    Judged { found, hits, wrong, seconds: buggy.seconds + fixed.seconds, instead, reached: buggy.functions.clone() }
}

/// A crash of the whole program that the patch mends is the bug, whatever it is told as.
fn is_confirmed(alarm: &Sighting) -> bool {
    alarm.verdict == Verdict::Confirmed
}

/// Whether the fixed tree says as much: what was confirmed there is no more than a guess is mended.
fn stands_too(alarm: &Sighting, after: &Sighting) -> bool {
    after.stands() && (!is_confirmed(alarm) || is_confirmed(after))
}

fn why_not(bug: &Bug, alarm: &Sighting, after: &[Sighting]) -> Option<&'static str> {
    if !alarm.stands() {
        Some("refuted")
    } else if !bug.kind.fits(alarm.kind) && !is_confirmed(alarm) {
        Some("of another kind")
    } else if after.iter().any(|other| stands_too(alarm, other) && other.is_same(alarm)) {
        Some("on the fixed tree too")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::bugs;
    use covet_results::AlarmKind;

    fn alarm(kind: AlarmKind, verdict: Verdict, line: u32, text: &str) -> Sighting {
        Sighting {
            kind,
            verdict,
            function: "below".into(),
            file: "a.c".into(),
            line,
            text: text.into(),
            stack: vec!["below".into(), "f".into()],
            assumptions: Vec::new(),
            reason: None,
            rest: String::new(),
            number: 0,
            is_grouped: false,
        }
    }

    fn hunted(alarms: Vec<Sighting>) -> Hunted {
        Hunted { alarms, seconds: 2.0, ..Hunted::default() }
    }

    #[test]
    fn a_bug_is_what_stands_on_the_buggy_tree_alone() {
        use AlarmKind::{NullDereference, OutOfBounds};
        use Verdict::{Confirmed, Filtered, Latent, Likely};
        let bug = Bug {
            kind: crate::bugs::Kind::NullDereference,
            functions: vec!["f".into()],
            ..bugs().into_iter().next().expect("a bug")
        };
        let elsewhere = Sighting { stack: vec!["h".into()], ..alarm(NullDereference, Confirmed, 1, "h") };
        let same = alarm(NullDereference, Likely, 3, "*q = 1;");
        let buggy = hunted(vec![
            elsewhere.clone(),
            same.clone(),
            alarm(OutOfBounds, Likely, 4, "a[i] = 1;"),
            alarm(NullDereference, Latent, 5, "*p = 1;"),
            alarm(NullDereference, Filtered, 6, "*r = 1;"),
        ]);
        // The line has moved, and it is less sure there: it stands all the same.
        let moved = Sighting { line: 8, verdict: Latent, ..same };
        let fixed = hunted(vec![elsewhere, moved, alarm(OutOfBounds, Likely, 9, "a[i] = 1;")]);
        let judged = judge(&bug, &buggy, &fixed);
        assert_eq!((judged.found, judged.hits.len(), judged.seconds), (Some(Latent), 1, 4.0));
        assert_eq!(judged.wrong, Wrong { confirmed: 0, likely: 1, latent: 1 });
        // Of alarms that are told together each place counts for comparing, and one is wrong.
        let together = Sighting { is_grouped: true, ..alarm(NullDereference, Likely, 10, "*p = 1;") };
        let grouped = hunted(vec![alarm(NullDereference, Likely, 3, "*q = 1;"), together]);
        let judged = judge(&bug, &buggy, &grouped);
        assert_eq!((judged.found, judged.wrong.likely), (None, 1));
        // Two pointers may be followed on a line, and the patch asks for one of them.
        let on_a_line = |rest: &str| Sighting { rest: rest.into(), ..alarm(NullDereference, Latent, 3, "*q = *r;") };
        let both = hunted(vec![on_a_line("*q = *r;"), on_a_line("*r;")]);
        assert_eq!(judge(&bug, &both, &hunted(vec![on_a_line("*r;")])).hits, [on_a_line("*q = *r;")]);
        // What the whole program shows before the patch, and nobody after it, is the bug.
        let crash = alarm(OutOfBounds, Confirmed, 3, "*q = 1;");
        let guess = Sighting { verdict: Latent, ..crash.clone() };
        assert_eq!(judge(&bug, &hunted(vec![crash.clone()]), &hunted(vec![guess])).found, Some(Confirmed));
        assert_eq!(judge(&bug, &hunted(vec![crash.clone()]), &hunted(vec![crash])).found, None);
        // One of several lines that are alike may be mended.
        let nth = |number: usize| Sighting { number, ..alarm(NullDereference, Latent, 3, "*q = 1;") };
        assert_eq!(judge(&bug, &hunted(vec![nth(1), nth(2)]), &hunted(vec![nth(1)])).hits, [nth(2)]);
        // On the fixed tree a refuted alarm does not stand, so that of the buggy one counts.
        let refuted = hunted(vec![alarm(NullDereference, Filtered, 8, "*q = 1;")]);
        assert_eq!(judge(&bug, &buggy, &refuted).found, Some(Likely));
    }

    #[test]
    fn a_miss_tells_what_was_said_instead() {
        let bug = Bug { functions: vec!["f".into()], ..bugs().into_iter().next().expect("a bug") };
        let both = alarm(AlarmKind::OutOfBounds, Verdict::Likely, 3, "a[i]");
        let buggy = hunted(vec![
            both.clone(),
            alarm(AlarmKind::NullDereference, Verdict::Latent, 4, "*p"),
            alarm(AlarmKind::OutOfBounds, Verdict::Filtered, 5, "b[i]"),
        ]);
        let judged = judge(&bug, &buggy, &hunted(vec![both]));
        assert_eq!(judged.found, None);
        let why: Vec<&str> = judged.instead.iter().map(|one| one.why).collect();
        assert_eq!(why, ["on the fixed tree too", "of another kind", "refuted"]);
    }
}
