//! Alarms as people read them: the worst first, no more than one can read, each with its story where alarms are what was asked for.

use crate::arguments::told::Show;
use crate::view::table::columns;
use covet_results::{Alarm, Record, Verdict};
use std::fmt::Write as _;

/// So many are told at most, unless all are asked for.
const SHOWN: usize = 20;

/// Which alarms are told, and how.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    pub show: Option<Show>,
    /// Alarms are what the command is for.
    pub has_stories: bool,
    /// Columns of the terminal.
    pub width: usize,
}

/// The alarms of a record. Those that are known must be gone from it.
pub fn alarms(text: &mut String, record: &Record, telling: Telling) {
    let all: Vec<&Alarm> = record.alarms.iter().filter(|alarm| is_shown(alarm.verdict, telling.show)).collect();
    let most = if telling.show == Some(Show::All) { all.len() } else { SHOWN };
    let shown = &all[..all.len().min(most)];
    if !shown.is_empty() {
        text.push('\n');
        table(text, shown);
    }
    if all.len() > shown.len() {
        let _ = writeln!(text, "... and {} more (--show all, --json)", all.len() - shown.len());
    }
    if telling.has_stories {
        shown.iter().filter(|alarm| !alarm.told.story.is_empty()).for_each(|alarm| story(text, alarm, telling.width));
    } else {
        for alarm in shown.iter().filter(|alarm| !alarm.assumptions.is_empty()) {
            let _ = writeln!(text, "{} assumes: {}", alarm.id, alarm.assumptions.join("; "));
        }
    }
    hidden(text, record, telling.show);
}

/// Whether alarms of a verdict are told.
fn is_shown(verdict: Verdict, show: Option<Show>) -> bool {
    match (verdict, show) {
        (Verdict::Confirmed | Verdict::Likely, _) => true,
        (Verdict::Latent, show) => show.is_some(),
        (Verdict::Filtered, show) => show == Some(Show::All),
    }
}

fn table(text: &mut String, alarms: &[&Alarm]) {
    let row = |alarm: &&Alarm| {
        let place = format!("{}:{}", alarm.file, alarm.line);
        let test = alarm.test.clone().unwrap_or_default();
        [alarm.id.clone(), place, alarm.function.clone(), alarm.verdict.to_string(), test]
    };
    let rows: Vec<_> = alarms.iter().map(row).collect();
    columns(text, ["alarm", "where", "function", "verdict", "test"], &rows);
}

fn story(text: &mut String, alarm: &Alarm, width: usize) {
    let _ = writeln!(text, "\n{} ({})", alarm.id, alarm.verdict);
    for line in wrapped(&alarm.told.story, width.saturating_sub(INDENT.len())) {
        let _ = writeln!(text, "{INDENT}{line}");
    }
}

const INDENT: &str = "  ";

/// How many are there that are not told.
fn hidden(text: &mut String, record: &Record, show: Option<Show>) {
    let count = |verdict| record.alarms.iter().filter(|alarm| alarm.verdict == verdict).count();
    let plural = |count| if count == 1 { ("", "s") } else { ("s", "") };
    let (latent, filtered) = (count(Verdict::Latent), count(Verdict::Filtered));
    if latent > 0 && !is_shown(Verdict::Latent, show) {
        let (noun, verb) = plural(latent);
        let _ = writeln!(text, "\n{latent} latent alarm{noun} rest{verb} on assumptions: --show latent");
    }
    if filtered > 0 && !is_shown(Verdict::Filtered, show) {
        let (noun, _) = plural(filtered);
        let _ = writeln!(text, "\n{filtered} alarm{noun} refuted by the callers: --show all");
    }
}

/// A paragraph as lines no wider than this, broken at spaces where there are any.
fn wrapped(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_results::{AlarmKind, Told};

    fn record(verdicts: &[Verdict]) -> Record {
        let alarm = |(at, verdict): (usize, &Verdict)| Alarm {
            id: format!("out-of-bounds-{}", at + 1),
            file: "parse.c".into(),
            line: 80 + at as u32,
            function: "header".into(),
            verdict: *verdict,
            test: Some(format!("header-{at:03}")),
            told: Told { story: "header reads `a[i]`, outside of its object.".into(), ..Told::default() },
            ..Alarm::new(AlarmKind::OutOfBounds)
        };
        Record { alarms: verdicts.iter().enumerate().map(alarm).collect(), ..Record::default() }
    }

    fn told(verdicts: &[Verdict], show: Option<Show>, has_stories: bool) -> String {
        let mut text = String::new();
        alarms(&mut text, &record(verdicts), Telling { show, has_stories, width: 40 });
        text
    }

    #[test]
    fn what_rests_on_assumptions_is_counted_and_shown_on_request() {
        use Verdict::{Confirmed, Filtered, Latent, Likely};
        let expected = "
alarm            where       function  verdict    test
out-of-bounds-1  parse.c:80  header    confirmed  header-000
out-of-bounds-2  parse.c:81  header    likely     header-001

out-of-bounds-1 (confirmed)
  header reads `a[i]`, outside of its
  object.

out-of-bounds-2 (likely)
  header reads `a[i]`, outside of its
  object.

1 latent alarm rests on assumptions: --show latent

2 alarms refuted by the callers: --show all
";
        assert_eq!(told(&[Confirmed, Likely, Latent, Filtered, Filtered], None, true), expected);
        let all = told(&[Latent, Latent, Filtered], Some(Show::All), false);
        assert!(all.contains("out-of-bounds-3") && !all.contains("--show"), "{all}");
        assert_eq!(told(&[Latent, Latent], None, false), "\n2 latent alarms rest on assumptions: --show latent\n");
        assert_eq!(told(&[], None, true), "");
    }

    #[test]
    fn no_more_are_told_than_one_can_read() {
        let many = told(&[Verdict::Likely; 23], None, true);
        assert!(many.contains("... and 3 more"), "{many}");
        assert_eq!(many.matches("(likely)").count(), 20);
        assert_eq!(told(&[Verdict::Likely; 23], Some(Show::All), true).matches("(likely)").count(), 23);
    }

    #[test]
    fn words_longer_than_a_line_stand_alone() {
        assert_eq!(wrapped("a verylongword b c", 5), ["a", "verylongword", "b c"]);
        assert!(wrapped("", 5).is_empty());
    }
}
