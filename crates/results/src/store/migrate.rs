//! The layout of the results database, its number, and the way from older layouts to this one.

use super::{Database, Error};
use crate::record::FunctionResult;
use rusqlite::{Connection, OpenFlags, Transaction, params};
use serde_json::Value as Json;
use std::path::Path;

/// Number of the table layout, kept in SQLite's `user_version`.
pub const LAYOUT: i64 = 7;
/// The oldest layout that can be brought up to date.
const OLDEST: i64 = 3;

/// Every row belongs to a run of a command. Lists and counters are JSON: they are read as a whole.
pub(super) const TABLES: &str = "
    CREATE TABLE runs (
        number INTEGER PRIMARY KEY, meta TEXT NOT NULL, seconds REAL NOT NULL, stopped TEXT, programs TEXT NOT NULL, notes TEXT NOT NULL,
        phases TEXT NOT NULL DEFAULT '{}');
    CREATE TABLE sites (
        run INTEGER NOT NULL, file TEXT NOT NULL, function TEXT NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL,
        line INTEGER NOT NULL, place INTEGER NOT NULL, counter INTEGER NOT NULL, outcomes INTEGER NOT NULL,
        PRIMARY KEY (run, file, function, ordinal)) WITHOUT ROWID;
    CREATE TABLE functions (
        run INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, failure TEXT,
        stopped TEXT, seconds REAL NOT NULL, counters TEXT NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
    CREATE TABLE tests (
        run INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
        outcome TEXT NOT NULL, exit_code INTEGER, signal INTEGER, returned_bits TEXT, returned_width INTEGER,
        returned_kind INTEGER, alarm INTEGER, PRIMARY KEY (run, number)) WITHOUT ROWID;
    CREATE TABLE inputs (
        run INTEGER NOT NULL, test INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, bits TEXT NOT NULL,
        width INTEGER NOT NULL, kind INTEGER NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (run, test, position)) WITHOUT ROWID;
    CREATE TABLE pointers (
        run INTEGER NOT NULL, test INTEGER NOT NULL, name TEXT NOT NULL, pointee TEXT NOT NULL,
        PRIMARY KEY (run, test, name)) WITHOUT ROWID;
    CREATE TABLE checks (
        run INTEGER NOT NULL, test INTEGER NOT NULL, position INTEGER NOT NULL, how TEXT NOT NULL, what TEXT NOT NULL,
        expected TEXT NOT NULL, PRIMARY KEY (run, test, position)) WITHOUT ROWID;
    CREATE TABLE covers (
        run INTEGER NOT NULL, test INTEGER NOT NULL, counter INTEGER NOT NULL, PRIMARY KEY (run, test, counter)) WITHOUT ROWID;
    CREATE TABLE alarms (
        run INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, function TEXT NOT NULL,
        file TEXT NOT NULL, line INTEGER NOT NULL, place INTEGER NOT NULL, extent TEXT, verdict TEXT NOT NULL,
        native INTEGER NOT NULL, sanitizer TEXT, assumptions TEXT NOT NULL, stack TEXT NOT NULL, test TEXT,
        told TEXT NOT NULL DEFAULT '{}',
        PRIMARY KEY (run, number)) WITHOUT ROWID;
    CREATE TABLE mismatches (
        run INTEGER NOT NULL, number INTEGER NOT NULL, test TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
        explored TEXT NOT NULL, native TEXT NOT NULL, left_out INTEGER NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nogoods (goal TEXT NOT NULL, part TEXT NOT NULL, PRIMARY KEY (goal, part)) WITHOUT ROWID;
";

/// Moves a database that cannot be read out of the way of a new one, and says so. A newer one is left where it is.
pub(super) fn make_room(path: &Path) -> Result<Option<String>, Error> {
    if !path.is_file() {
        return Ok(None);
    }
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let found = connection.and_then(|connection| layout(&connection)).map_err(Error::sqlite(path))?;
    match found {
        None | Some(OLDEST..=LAYOUT) => Ok(None),
        Some(found) if found > LAYOUT => {
            let advice = "update covet, or name another folder with --out";
            Err(Error::Layout { path: path.to_owned(), found, advice })
        }
        Some(found) => {
            let aside = path.with_extension(format!("layout-{found}.db"));
            std::fs::rename(path, &aside).map_err(|source| Error::Folder { path: aside.clone(), source })?;
            Ok(Some(format!("results of an old version of covet were moved to {}", aside.display())))
        }
    }
}

/// Whether the database can be read as it is or after an update.
pub(super) fn check(database: &Database) -> Result<(), Error> {
    match layout(&database.connection).map_err(Error::sqlite(&database.path))? {
        Some(OLDEST..=LAYOUT) => Ok(()),
        Some(found) => {
            let advice = "run the command again, or update covet";
            Err(Error::Layout { path: database.path.clone(), found, advice })
        }
        None => Err(Error::Missing { path: database.path.clone() }),
    }
}

/// Makes the tables of a new database; those of an older one become those of this version.
pub(super) fn bring_up_to_date(database: &mut Database) -> Result<(), Error> {
    let found = layout(&database.connection).map_err(Error::sqlite(&database.path))?;
    database.transaction(|to| match found {
        None => made(to),
        Some(3) => from_3(to),
        Some(4) => from_4(to),
        Some(5) => from_5(to),
        Some(6) => from_6(to),
        Some(_) => Ok(()),
    })
}

fn made(to: &Transaction<'_>) -> rusqlite::Result<()> {
    to.execute_batch(TABLES)?;
    to.pragma_update(None, "user_version", LAYOUT)
}

/// The layout number; none of an empty database.
fn layout(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(None);
    }
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).map(Some)
}

/// Tests that check no more than how they end.
fn from_5(to: &Transaction<'_>) -> rusqlite::Result<()> {
    let table = TABLES.split(';').find(|table| table.contains("CREATE TABLE checks")).unwrap_or_default();
    to.execute_batch(table)?;
    from_6(to)
}

/// Alarms of which no more was told than their place.
fn from_6(to: &Transaction<'_>) -> rusqlite::Result<()> {
    to.execute_batch("ALTER TABLE alarms ADD COLUMN told TEXT NOT NULL DEFAULT '{}'")?;
    to.pragma_update(None, "user_version", LAYOUT)
}

/// One run without a number, its figures in one JSON object, a table of its settings.
fn from_3(to: &Transaction<'_>) -> rusqlite::Result<()> {
    const OLD: [&str; 5] = ["tests", "inputs", "pointers", "covers", "alarms"];
    for table in OLD {
        to.execute_batch(&format!("ALTER TABLE {table} RENAME TO {table}_3"))?;
    }
    to.execute_batch("ALTER TABLE refusals RENAME TO nogoods")?;
    made(to)?;
    to.execute_batch(
        "INSERT INTO tests SELECT 1, number, id, function, file, outcome, exit_code, signal, returned_bits, returned_width,
             returned_kind, alarm FROM tests_3;
         INSERT INTO inputs SELECT 1, test, position, name, bits, width, kind, shown FROM inputs_3;
         INSERT INTO pointers SELECT 1, test, name, pointee FROM pointers_3;
         INSERT INTO covers SELECT 1, test, counter FROM covers_3;
         INSERT INTO alarms SELECT 1, number, id, kind, function, file, line, place, NULL, verdict, native, NULL,
             iif(assumption IS NULL, '[]', json_array(assumption)), '[]', test, '{}' FROM alarms_3;",
    )?;
    let text: String = to.query_row("SELECT json FROM statistics WHERE name = 'summary'", [], |row| row.get(0))?;
    let summary: Json = serde_json::from_str(&text).unwrap_or_default();
    to.execute(
        "INSERT INTO runs VALUES (1, ?, ?, ?, '[]', '[]', '{}')",
        params![meta_3(to)?.to_string(), summary["seconds"].as_f64().unwrap_or(0.0), summary["stopped"].as_str()],
    )?;
    for (number, function) in summary["functions"].as_array().into_iter().flatten().enumerate() {
        super::write::function(to, 1, number as i64, &function_3(function))?;
    }
    for table in OLD {
        to.execute_batch(&format!("DROP TABLE {table}_3"))?;
    }
    to.execute_batch("DROP TABLE statistics; DROP TABLE meta")
}

/// Phases were not told apart.
fn from_4(to: &Transaction<'_>) -> rusqlite::Result<()> {
    to.execute_batch("ALTER TABLE runs ADD COLUMN phases TEXT NOT NULL DEFAULT '{}'")?;
    from_5(to)
}

fn meta_3(to: &Transaction<'_>) -> rusqlite::Result<Json> {
    let mut statement = to.prepare("SELECT key, value FROM meta")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut meta = serde_json::json!({
        "command": "", "sources": [], "flags": [], "seed": 0, "tool_version": "", "settings": {},
    });
    for row in rows {
        let (key, value) = row?;
        let parsed = || serde_json::from_str::<Json>(&value).unwrap_or_default();
        match key.as_str() {
            "command" => meta["command"] = value.into(),
            "tool-version" => meta["tool_version"] = value.into(),
            "sources" | "flags" | "seed" => meta[&key] = parsed(),
            other => meta["settings"][other.strip_prefix("setting.").unwrap_or(other)] = value.into(),
        }
    }
    Ok(meta)
}

fn function_3(object: &Json) -> FunctionResult {
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_string();
    FunctionResult {
        name: text("name"),
        file: text("file"),
        line: object["line"].as_u64().unwrap_or(0) as u32,
        failure: object["reason"].as_str().map(str::to_string),
        stopped: object["stopped"].as_str().and_then(|text| text.parse().ok()),
        seconds: object["seconds"].as_f64().unwrap_or(0.0),
        counters: serde_json::from_value(object.clone()).unwrap_or_default(),
    }
}
