//! Rows → a table for people, the same as Markdown for the documentation, and one JSON object.

use super::judged::Judged;
use super::totals::{Totals, totals};
use super::{Row, Sighting};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Alarms that are told of a bug that was missed.
const INSTEAD: usize = 4;
/// Characters of a line of the source that are told.
const WIDTH: usize = 70;

/// The cells of a table, its head first.
type Cells = Vec<Vec<String>>;

pub fn text(rows: &[Row]) -> String {
    let mut text = aligned(&cells(rows));
    for totals in totals(rows) {
        let _ = writeln!(text, "\n{}", summed(&totals));
        for (demand, met) in totals.demands() {
            let _ = writeln!(text, "  {} {demand}", if met { "yes" } else { "NO " });
        }
    }
    for row in rows {
        text.push_str(&explained(row));
    }
    text
}

pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    for totals in totals(rows) {
        let demands: Vec<String> = totals.demands().into_iter().map(|(demand, _)| demand).collect();
        let _ = writeln!(text, "{}: {}.\n", totals.way.name, demands.join("; "));
    }
    for (at, line) in cells(rows).iter().enumerate() {
        let _ = writeln!(text, "| {} |", line.join(" | "));
        if at == 0 {
            let _ = writeln!(text, "|{}", "---|".repeat(line.len()));
        }
    }
    text
}

pub fn json(rows: &[Row], seconds_each: f64) -> Json {
    let totals: Vec<Json> = totals(rows).iter().map(total).collect();
    let rows: Vec<Json> = rows.iter().map(object).collect();
    json!({"schema": "covet/bench/bugs/1", "seconds_each": seconds_each, "rows": rows, "totals": totals})
}

fn total(totals: &Totals) -> Json {
    json!({
        "way": totals.way.name, "bugs": totals.bugs, "confirmed": totals.confirmed, "likely": totals.likely,
        "latent": totals.latent, "missed": totals.missed, "failed": totals.failed,
        "false": {"confirmed": totals.wrong[0], "likely": totals.wrong[1], "latent": totals.wrong[2]},
        "false_per_true": totals.ratio(), "seconds": totals.seconds,
        "within_targets": totals.demands().iter().all(|(_, met)| *met),
    })
}

fn object(row: &Row) -> Json {
    let bug = &row.bug;
    let mut object = json!({
        "row": bug.number, "package": bug.package, "version": bug.version, "patch": bug.patch, "id": bug.id,
        "kind": bug.kind.text(), "file": bug.file, "functions": bug.functions, "way": row.way.name,
    });
    match &row.judged {
        Ok(judged) => {
            object["found"] = json!(judged.found.map(|verdict| verdict.text()));
            object["alarms"] = json!(judged.hits);
            let wrong = judged.wrong;
            object["false"] = json!({"confirmed": wrong.confirmed, "likely": wrong.likely, "latent": wrong.latent});
            object["seconds"] = json!(judged.seconds);
            let instead = judged.instead.iter().map(|one| json!({"why": one.why, "alarm": one.alarm}));
            object["instead"] = instead.collect();
            object["explored"] = json!(judged.reached);
        }
        Err(reason) => object["reason"] = json!(reason),
    }
    object
}

const HEAD: [&str; 9] = ["row", "package", "id", "kind", "function", "way", "found", "false", "seconds"];

fn cells(rows: &[Row]) -> Cells {
    let line = |row: &Row| {
        let (found, wrong, seconds) = match &row.judged {
            Ok(judged) => (found(judged), wrong(judged), format!("{:.0}", judged.seconds)),
            Err(_) => ("failed".to_owned(), String::new(), String::new()),
        };
        let bug = &row.bug;
        let functions = match &bug.functions[..] {
            [first, _, ..] => format!("{first}, ..."),
            few => few.join(", "),
        };
        let id = bug.id.split(' ').next().unwrap_or_default().to_owned();
        let name = |text: &str| text.to_owned();
        let kind = bug.kind.text();
        vec![
            bug.number.to_string(),
            name(&bug.package),
            id,
            name(kind),
            functions,
            name(row.way.name),
            found,
            wrong,
            seconds,
        ]
    };
    std::iter::once(HEAD.map(str::to_owned).to_vec()).chain(rows.iter().map(line)).collect()
}

fn found(judged: &Judged) -> String {
    judged.found.map_or("missed", |verdict| verdict.text()).to_owned()
}

/// Wrong alarms: confirmed, likely and latent.
fn wrong(judged: &Judged) -> String {
    let wrong = judged.wrong;
    format!("{}/{}/{}", wrong.confirmed, wrong.likely, wrong.latent)
}

fn summed(totals: &Totals) -> String {
    let [confirmed, likely, latent] = totals.wrong;
    format!(
        "{}: {} confirmed, {} likely, {} latent, {} missed, {} failed; false on fixed trees: {confirmed} confirmed, {likely} likely, \
         {latent} latent; {:.0} s",
        totals.way.name, totals.confirmed, totals.likely, totals.latent, totals.missed, totals.failed, totals.seconds
    )
}

/// What a person would ask about next.
fn explained(row: &Row) -> String {
    let mut text = String::new();
    let title =
        format!("row {} ({}, {}, {})", row.bug.number, row.bug.package, row.bug.functions.join(", "), row.way.name);
    match &row.judged {
        Err(reason) => {
            let _ = writeln!(text, "\n{title} failed: {}", reason.trim());
        }
        Ok(judged) if judged.found.is_none() => {
            let _ = writeln!(text, "\n{title} missed a bug of the kind {}:", row.bug.kind.text());
            for one in &judged.reached {
                let _ = writeln!(text, "  {}: {} of {} branches, {}", one.name, one.covered, one.branches, one.ended);
            }
            for one in judged.instead.iter().take(INSTEAD) {
                let _ = writeln!(text, "  {}: {}", one.why, told(&one.alarm));
            }
            let more = judged.instead.len().saturating_sub(INSTEAD);
            if more > 0 {
                let _ = writeln!(text, "  and {more} more");
            }
        }
        Ok(_) => {}
    }
    text
}

fn told(alarm: &Sighting) -> String {
    let line: String = alarm.text.chars().take(WIDTH).collect();
    format!("{} {} {}:{} in {}: {line}", alarm.verdict, alarm.kind, alarm.file, alarm.line, alarm.function)
}

fn aligned(cells: &Cells) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |column: usize| cells.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in cells {
        let padded: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", padded.join("  ").trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::{Instead, OURS, Reached, Wrong, bugs};
    use covet_results::{AlarmKind, Verdict};

    #[test]
    fn a_miss_is_told_with_what_was_said_instead() {
        let alarm = Sighting {
            kind: AlarmKind::OutOfBounds,
            verdict: Verdict::Likely,
            function: "f".into(),
            file: "a.c".into(),
            line: 7,
            text: "a[i] = 1;".into(),
            number: 0,
            rest: String::new(),
            stack: Vec::new(),
            assumptions: Vec::new(),
            reason: None,
            is_grouped: false,
        };
        let instead = vec![Instead { alarm, why: "on the fixed tree too" }; 6];
        let reached = vec![Reached { name: "f".into(), covered: 3, branches: 4, ended: "time".into() }];
        let wrong = Wrong { confirmed: 0, likely: 6, latent: 1 };
        let judged = Judged { found: None, hits: Vec::new(), wrong, seconds: 61.2, instead, reached };
        let all = bugs();
        let row = |judged| Row { bug: all[0].clone(), way: OURS, judged };
        let rows = [row(Ok(judged)), row(Err("patch failed".into()))];
        let told = text(&rows);
        for wanted in [
            "missed  0/6/1  61\n",
            "  f: 3 of 4 branches, time\n",
            "  on the fixed tree too: likely out-of-bounds a.c:7 in f: a[i] = 1;\n",
            "  and 2 more\n",
            "ours) failed: patch failed\n",
            "  NO  0 of 2 found (wanted: 2)\n",
        ] {
            assert!(told.contains(wanted), "{wanted:?} in\n{told}");
        }
        assert!(markdown(&rows).contains("| ours | missed | 0/6/1 | 61 |\n"));
        assert_eq!(json(&rows, 30.0)["rows"][0]["instead"][0]["alarm"]["line"], 7);
    }
}
