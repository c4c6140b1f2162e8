//! Rows of one way → how many bugs were found, what was said wrongly, and whether that is as wanted.

use super::Row;
use super::judged::Judged;
use super::ways::Way;
use covet_results::Verdict;

/// What all bugs of one way come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Totals {
    pub way: Way,
    pub bugs: usize,
    pub confirmed: usize,
    pub likely: usize,
    pub latent: usize,
    pub missed: usize,
    /// Bugs of which there is nothing to judge.
    pub failed: usize,
    /// Alarms of fixed trees: confirmed, likely, latent.
    pub wrong: [usize; 3],
    pub seconds: f64,
}

/// Wanted of all 48: found with any verdict that stands, and found with one that is shown.
const ALL: f64 = 48.0;
const WANTED_FOUND: f64 = 39.0;
const WANTED_SHOWN: f64 = 30.0;
/// Wrong alarms for each right one, among those that are shown.
const WANTED_RATIO: f64 = 1.0;

impl Totals {
    pub fn found(&self) -> usize {
        self.shown() + self.latent
    }

    /// Bugs that a user is shown.
    pub fn shown(&self) -> usize {
        self.confirmed + self.likely
    }

    /// Wrong alarms for each bug found, among what is shown.
    pub fn ratio(&self) -> f64 {
        let wrong = self.wrong[0] + self.wrong[1];
        if wrong == 0 { 0.0 } else { wrong as f64 / self.shown() as f64 }
    }

    /// What is wanted, each with what there is, and whether it is enough. Of a part of the bugs the same part is wanted.
    pub fn demands(&self) -> [(String, bool); 4] {
        let least = |of_all: f64| (of_all * self.bugs as f64 / ALL).ceil() as usize;
        let (found, shown) = (least(WANTED_FOUND), least(WANTED_SHOWN));
        [
            (format!("{} of {} found (wanted: {found})", self.found(), self.bugs), self.found() >= found),
            (format!("{} of them confirmed or likely (wanted: {shown})", self.shown()), self.shown() >= shown),
            (
                format!(
                    "{:.2} wrong for each right, confirmed or likely (wanted: {WANTED_RATIO} at most)",
                    self.ratio()
                ),
                self.ratio() <= WANTED_RATIO,
            ),
            (format!("{} wrong among confirmed (wanted: none)", self.wrong[0]), self.wrong[0] == 0),
        ]
    }

    fn count(&mut self, judged: &Judged) {
        match judged.found {
            Some(Verdict::Confirmed) => self.confirmed += 1,
            Some(Verdict::Likely) => self.likely += 1,
            Some(Verdict::Latent) => self.latent += 1,
            // What was refuted is not found.
            Some(Verdict::Filtered) | None => self.missed += 1,
        }
        let wrong = [judged.wrong.confirmed, judged.wrong.likely, judged.wrong.latent];
        self.wrong.iter_mut().zip(wrong).for_each(|(sum, more)| *sum += more);
        self.seconds += judged.seconds;
    }
}

/// The totals of each way, in the order in which they occur.
pub fn totals(rows: &[Row]) -> Vec<Totals> {
    let mut all: Vec<Totals> = Vec::new();
    for row in rows {
        let at = all.iter().position(|totals| totals.way == row.way).unwrap_or_else(|| {
            all.push(Totals {
                way: row.way,
                bugs: 0,
                confirmed: 0,
                likely: 0,
                latent: 0,
                missed: 0,
                failed: 0,
                wrong: [0; 3],
                seconds: 0.0,
            });
            all.len() - 1
        });
        all[at].bugs += 1;
        match &row.judged {
            Ok(judged) => all[at].count(judged),
            Err(_) => all[at].failed += 1,
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::{OURS, PUBLISHED, Wrong, bugs};

    fn row(way: Way, found: Option<Verdict>, wrong: Wrong) -> Row {
        let bug = bugs().into_iter().next().expect("a bug");
        let judged = Judged { found, hits: Vec::new(), wrong, seconds: 1.0, instead: Vec::new(), reached: Vec::new() };
        Row { bug, way, judged: Ok(judged) }
    }

    #[test]
    fn ways_are_summed_up_apart_and_held_against_what_is_wanted() {
        let none = Wrong::default();
        let rows = [
            row(OURS, Some(Verdict::Confirmed), none),
            row(PUBLISHED[0], Some(Verdict::Likely), Wrong { confirmed: 1, likely: 3, latent: 0 }),
            row(OURS, Some(Verdict::Latent), Wrong { likely: 1, ..none }),
            row(OURS, None, Wrong { latent: 5, ..none }),
            Row { judged: Err("no such package".into()), ..row(OURS, None, none) },
        ];
        let all = totals(&rows);
        assert_eq!(all.len(), 2);
        let ours = &all[0];
        assert_eq!((ours.bugs, ours.found(), ours.shown(), ours.missed, ours.failed), (4, 2, 1, 1, 1));
        assert_eq!((ours.wrong, ours.ratio()), ([0, 1, 5], 1.0));
        let met: Vec<bool> = ours.demands().iter().map(|(_, met)| *met).collect();
        assert_eq!(met, [false, false, true, true]);
        assert_eq!(all[1].ratio(), 4.0);
        assert!(!all[1].demands()[3].1);
    }
}
