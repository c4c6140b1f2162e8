//! Units and records → rows.

use super::{StoredNogood, Unit};
use crate::record::{Alarm, FunctionResult, Meta, Mismatch, Record, Test};
use covet_sites::SiteMap;
use rusqlite::{Transaction, params};
use serde::Serialize;

/// Tables whose rows belong to a run.
const OF_RUNS: [&str; 9] =
    ["sites", "functions", "tests", "inputs", "pointers", "checks", "covers", "alarms", "mismatches"];

/// A new run; gives its number.
pub fn begin(to: &Transaction<'_>, meta: &Meta, map: &SiteMap) -> rusqlite::Result<i64> {
    let run: i64 = to.query_row("SELECT coalesce(max(number), 0) + 1 FROM runs", [], |row| row.get(0))?;
    to.execute("INSERT INTO runs VALUES (?, ?, 0.0, NULL, '[]', '[]', '{}')", params![run, json(meta)])?;
    sites(to, run, map)?;
    Ok(run)
}

/// The sites of the user's functions, by names and numbers that mean the same in the next build.
fn sites(to: &Transaction<'_>, run: i64, map: &SiteMap) -> rusqlite::Result<()> {
    let mut insert = to.prepare("INSERT INTO sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    let ids = map.ids();
    for site in map.sites.iter().filter(|site| site.outcomes > 0 && !map.functions[site.function.index()].is_model) {
        let Some(id) = ids.site_id(site.number) else { continue };
        insert.execute(params![
            run,
            id.function.file,
            id.function.name,
            id.ordinal,
            format!("{:?}", site.kind).to_lowercase(),
            site.line,
            site.column,
            site.counter.0,
            site.outcomes,
        ])?;
    }
    Ok(())
}

pub fn append(to: &Transaction<'_>, run: i64, unit: Unit<'_>) -> rusqlite::Result<()> {
    to.execute("DELETE FROM functions WHERE run = ? AND number = ?", [run, unit.number as i64])?;
    function(to, run, unit.number as i64, unit.function)?;
    let first: i64 =
        to.query_row("SELECT coalesce(max(number) + 1, 0) FROM tests WHERE run = ?", [run], |row| row.get(0))?;
    for (at, one) in unit.tests.iter().enumerate() {
        test(to, run, first + at as i64, one)?;
    }
    to.execute("DELETE FROM alarms WHERE run = ?", [run])?;
    alarms(to, run, unit.alarms)
}

pub fn finish(to: &Transaction<'_>, run: i64, record: &Record) -> rusqlite::Result<()> {
    let Record { meta, seconds, phases, stopped, functions, tests, alarms: all, mismatches, programs, notes } = record;
    to.execute("DELETE FROM runs WHERE number <> ?", [run])?;
    for table in OF_RUNS {
        to.execute(&format!("DELETE FROM {table} WHERE run <> ?"), [run])?;
        if table != "sites" {
            to.execute(&format!("DELETE FROM {table}"), [])?;
        }
    }
    let stopped = stopped.map(|stopped| stopped.text());
    to.execute(
        "UPDATE runs SET meta = ?, seconds = ?, stopped = ?, programs = ?, notes = ?, phases = ? WHERE number = ?",
        params![json(meta), seconds, stopped, json(programs), json(notes), json(phases), run],
    )?;
    for (number, one) in functions.iter().enumerate() {
        function(to, run, number as i64, one)?;
    }
    for (number, one) in tests.iter().enumerate() {
        test(to, run, number as i64, one)?;
    }
    for (number, one) in mismatches.iter().enumerate() {
        mismatch(to, run, number as i64, one)?;
    }
    alarms(to, run, all)
}

/// Leaves no trace of a run.
pub fn forget(to: &Transaction<'_>, run: i64) -> rusqlite::Result<()> {
    to.execute("DELETE FROM runs WHERE number = ?", [run])?;
    for table in OF_RUNS {
        to.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
    }
    Ok(())
}

pub fn nogoods(to: &Transaction<'_>, nogoods: impl Iterator<Item = StoredNogood>) -> rusqlite::Result<()> {
    let mut insert = to.prepare("INSERT OR IGNORE INTO nogoods VALUES (?, ?)")?;
    for (goal, part) in nogoods {
        let part: Vec<String> = part.iter().map(|print| format!("{print:032x}")).collect();
        insert.execute(params![format!("{goal:032x}"), part.join(" ")])?;
    }
    Ok(())
}

pub fn function(to: &Transaction<'_>, run: i64, number: i64, function: &FunctionResult) -> rusqlite::Result<()> {
    let FunctionResult { name, file, line, failure, stopped, seconds, counters } = function;
    let stopped = stopped.map(|stopped| stopped.text());
    to.prepare_cached("INSERT INTO functions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
        run,
        number,
        name,
        file,
        line,
        failure,
        stopped,
        seconds,
        json(counters)
    ])?;
    Ok(())
}

fn test(to: &Transaction<'_>, run: i64, number: i64, test: &Test) -> rusqlite::Result<()> {
    let returned = test.returned;
    to.prepare_cached("INSERT INTO tests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
        run,
        number,
        test.id,
        test.function,
        test.file,
        test.outcome.text(),
        test.exit_code,
        test.signal,
        returned.map(|value| format!("{:032x}", value.bits)),
        returned.map(|value| value.width),
        returned.map(|value| value.kind as u8),
        test.alarm.map(|index| index as i64),
    ])?;
    let mut insert = to.prepare_cached("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (position, (name, value)) in test.inputs.iter().enumerate() {
        let bits = format!("{:032x}", value.bits);
        let (position, kind, shown) = (position as i64, value.kind as u8, value.to_string());
        insert.execute(params![run, number, position, name, bits, value.width, kind, shown])?;
    }
    let mut insert = to.prepare_cached("INSERT INTO pointers VALUES (?, ?, ?, ?)")?;
    for (path, pointee) in &test.pointers {
        insert.execute(params![run, number, path.as_str(), pointee.to_string()])?;
    }
    let mut insert = to.prepare_cached("INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?)")?;
    for (position, check) in test.checks.iter().enumerate() {
        insert.execute(params![run, number, position as i64, check.how.text(), check.what, check.expected])?;
    }
    let mut insert = to.prepare_cached("INSERT OR IGNORE INTO covers VALUES (?, ?, ?)")?;
    for counter in &test.covers {
        insert.execute(params![run, number, counter.0])?;
    }
    Ok(())
}

fn alarms(to: &Transaction<'_>, run: i64, alarms: &[Alarm]) -> rusqlite::Result<()> {
    let mut insert = to.prepare_cached("INSERT INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (number, alarm) in alarms.iter().enumerate() {
        insert.execute(params![
            run,
            number as i64,
            alarm.id,
            alarm.kind.to_string(),
            alarm.function,
            alarm.file,
            alarm.line,
            alarm.column,
            alarm.range.as_ref().map(json),
            alarm.verdict.text(),
            alarm.native,
            alarm.sanitizer.as_ref().map(json),
            json(&alarm.assumptions),
            json(&alarm.stack),
            alarm.test,
            json(&alarm.told),
        ])?;
    }
    Ok(())
}

fn mismatch(to: &Transaction<'_>, run: i64, number: i64, mismatch: &Mismatch) -> rusqlite::Result<()> {
    let Mismatch { test, function, file, explored, native, is_left_out } = mismatch;
    to.prepare_cached("INSERT INTO mismatches VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
        run,
        number,
        test,
        function,
        file,
        explored,
        native,
        is_left_out
    ])?;
    Ok(())
}

/// Our own types always have a JSON form.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
