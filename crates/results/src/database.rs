//! A record ↔ the results database `results.db` (SQLite).
//!
//! Writing replaces the whole record inside one transaction: a reader, or a process killed half-way, sees the record before or
//! after, never between. Bits are stored as 32 hexadecimal digits, so 128-bit values survive and compare as text.

use crate::json;
use crate::record::{Alarm, Frame, Meta, Outcome, Record, Test};
use covet_input::{AccessPath, Pointee, Value, ValueKind};
use covet_sites::Counter;
use rusqlite::{Connection, OpenFlags, Transaction, params};
use std::path::{Path, PathBuf};

/// Number of the table layout. A database with another number is not read.
pub const SCHEMA: i64 = 3;
/// Name of the database inside the output folder.
pub const FILE_NAME: &str = "results.db";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: there are no results here; run `covet cover` or `covet run` first, or name the folder given to --out", path.display())]
    Missing { path: PathBuf },
    #[error("{}: cannot read or write the results database: {source}; remove the file to start over", path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("{}: written by another version of covet (layout {found}, this one reads {SCHEMA}); run the command again to rewrite it", path.display())]
    Schema { path: PathBuf, found: i64 },
    #[error("{}: the results database is damaged: {what}; remove the file and run the command again", path.display())]
    Damaged { path: PathBuf, what: String },
}

/// An open results database.
pub struct Database {
    path: PathBuf,
    connection: Connection,
}

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS tests (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, function TEXT NOT NULL, file TEXT NOT NULL, outcome TEXT NOT NULL,
        exit_code INTEGER, signal INTEGER, returned_bits TEXT, returned_width INTEGER, returned_kind INTEGER, alarm INTEGER);
    CREATE TABLE IF NOT EXISTS inputs (
        test INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, bits TEXT NOT NULL, width INTEGER NOT NULL,
        kind INTEGER NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (test, position)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS pointers (
        test INTEGER NOT NULL, name TEXT NOT NULL, pointee TEXT NOT NULL, PRIMARY KEY (test, name)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS covers (
        test INTEGER NOT NULL, counter INTEGER NOT NULL, PRIMARY KEY (test, counter)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS alarms (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
        line INTEGER NOT NULL, verdict TEXT NOT NULL, native INTEGER NOT NULL, assumption TEXT, stack TEXT NOT NULL, test TEXT,
        place INTEGER NOT NULL, sanitizer TEXT, extent TEXT);
    CREATE TABLE IF NOT EXISTS refusals (goal TEXT NOT NULL, part TEXT NOT NULL, PRIMARY KEY (goal, part)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS statistics (name TEXT PRIMARY KEY, json TEXT NOT NULL);
";

impl Database {
    /// Opens `folder/results.db` for writing; makes the folder and the database when they are not there, and replaces a
    /// database of another layout.
    pub fn create(folder: &Path) -> Result<Database, Error> {
        let path = folder.join(FILE_NAME);
        let failed = |source| Error::Sqlite { path: path.clone(), source };
        std::fs::create_dir_all(folder)
            .map_err(|source| failed(rusqlite::Error::ToSqlConversionFailure(Box::new(source))))?;
        let mut connection = Connection::open(&path).map_err(failed)?;
        if layout(&connection).map_err(failed)? != SCHEMA {
            drop(connection);
            std::fs::remove_file(&path)
                .map_err(|source| failed(rusqlite::Error::ToSqlConversionFailure(Box::new(source))))?;
            connection = Connection::open(&path).map_err(failed)?;
        }
        connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(failed)?;
        connection.execute_batch(TABLES).map_err(failed)?;
        connection.pragma_update(None, "user_version", SCHEMA).map_err(failed)?;
        Ok(Database { path, connection })
    }

    /// Opens the database of an earlier run for reading.
    pub fn open(folder: &Path) -> Result<Database, Error> {
        let path = folder.join(FILE_NAME);
        if !path.is_file() {
            return Err(Error::Missing { path });
        }
        let failed = |source| Error::Sqlite { path: path.clone(), source };
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
        let found = layout(&connection).map_err(failed)?;
        if found != SCHEMA {
            return Err(Error::Schema { path, found });
        }
        Ok(Database { path, connection })
    }

    /// Replaces what the database holds by `record`, all or nothing.
    pub fn write(&mut self, record: &Record) -> Result<(), Error> {
        let path = self.path.clone();
        let failed = |source| Error::Sqlite { path: path.clone(), source };
        let transaction = self.connection.transaction().map_err(failed)?;
        write_all(&transaction, record).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    pub fn read(&self) -> Result<Record, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut tests = self.read_tests()?;
        for (number, test) in tests.iter_mut().enumerate() {
            test.inputs = self.read_inputs(number)?;
            test.pointers = self.read_pointers(number)?;
            test.covers = self.read_covers(number).map_err(failed)?;
        }
        let text: String = self
            .connection
            .query_row("SELECT json FROM statistics WHERE name = 'summary'", [], |row| row.get(0))
            .map_err(failed)?;
        let statistics = serde_json::from_str(&text).map_err(|source| self.damaged(source))?;
        Ok(Record { meta: self.read_meta()?, tests, alarms: self.read_alarms()?, statistics })
    }

    /// What earlier runs found to be impossible: a goal, and the conditions that rule it out, as fingerprints in ascending
    /// order. Independent of the record, so writing one leaves them alone. A database without them has none.
    pub fn refusals(&self) -> Vec<(u128, Vec<u128>)> {
        let read = || {
            let mut statement = self.connection.prepare("SELECT goal, part FROM refusals ORDER BY goal, part")?;
            let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<Result<Vec<_>, rusqlite::Error>>()
        };
        let number = |text: &str| u128::from_str_radix(text, 16).ok();
        let parsed = |(goal, part): &(String, String)| {
            let part: Option<Vec<u128>> = part.split_whitespace().map(number).collect();
            Some((number(goal)?, part?))
        };
        read().unwrap_or_default().iter().filter_map(parsed).collect()
    }

    /// Adds to what [`Database::refusals`] gives.
    pub fn add_refusals(&mut self, refusals: impl Iterator<Item = (u128, Vec<u128>)>) -> Result<(), Error> {
        let path = self.path.clone();
        let failed = |source| Error::Sqlite { path: path.clone(), source };
        let transaction = self.connection.transaction().map_err(failed)?;
        for (goal, part) in refusals {
            let part: Vec<String> = part.iter().map(|print| format!("{print:032x}")).collect();
            transaction
                .execute(
                    "INSERT OR IGNORE INTO refusals VALUES (?1, ?2)",
                    params![format!("{goal:032x}"), part.join(" ")],
                )
                .map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    fn read_meta(&self) -> Result<Meta, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut meta = Meta::default();
        let mut statement = self.connection.prepare("SELECT key, value FROM meta ORDER BY key").map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let key: String = row.get(0).map_err(failed)?;
            let value: String = row.get(1).map_err(failed)?;
            match key.as_str() {
                "command" => meta.command = value,
                "sources" => meta.sources = self.list(&value)?,
                "flags" => meta.flags = self.list(&value)?,
                "seed" => meta.seed = value.parse().map_err(|source| self.damaged(source))?,
                "tool-version" => meta.tool_version = value,
                other => {
                    meta.settings.insert(other.strip_prefix("setting.").unwrap_or(other).to_string(), value);
                }
            }
        }
        Ok(meta)
    }

    fn list(&self, text: &str) -> Result<Vec<String>, Error> {
        serde_json::from_str(text).map_err(|source| self.damaged(source))
    }

    fn read_tests(&self) -> Result<Vec<Test>, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut statement = self
            .connection
            .prepare(
                "SELECT id, function, file, outcome, exit_code, signal, returned_bits, returned_width, returned_kind, alarm
                 FROM tests ORDER BY number",
            )
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut tests = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let column = |at| row.get::<_, String>(at).map_err(failed);
            let mut test = Test::new(column(0)?, column(1)?);
            test.file = column(2)?;
            let outcome = column(3)?;
            test.outcome = Outcome::from_text(&outcome).ok_or_else(|| self.damaged(format!("outcome `{outcome}`")))?;
            test.exit_code = row.get(4).map_err(failed)?;
            test.signal = row.get(5).map_err(failed)?;
            if let Some(bits) = row.get::<_, Option<String>>(6).map_err(failed)? {
                let (width, kind) = (row.get(7).map_err(failed)?, row.get(8).map_err(failed)?);
                test.returned = Some(self.value(&bits, width, kind)?);
            }
            test.alarm = row.get::<_, Option<i64>>(9).map_err(failed)?.map(|index| index as usize);
            tests.push(test);
        }
        Ok(tests)
    }

    fn read_inputs(&self, test: usize) -> Result<Vec<(String, Value)>, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut statement = self
            .connection
            .prepare_cached("SELECT name, bits, width, kind FROM inputs WHERE test = ? ORDER BY position")
            .map_err(failed)?;
        let mut rows = statement.query([test as i64]).map_err(failed)?;
        let mut inputs = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let bits: String = row.get(1).map_err(failed)?;
            let value = self.value(&bits, row.get(2).map_err(failed)?, row.get(3).map_err(failed)?)?;
            inputs.push((row.get(0).map_err(failed)?, value));
        }
        Ok(inputs)
    }

    fn read_pointers(&self, test: usize) -> Result<std::collections::BTreeMap<AccessPath, Pointee>, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut statement =
            self.connection.prepare_cached("SELECT name, pointee FROM pointers WHERE test = ?").map_err(failed)?;
        let mut rows = statement.query([test as i64]).map_err(failed)?;
        let mut pointers = std::collections::BTreeMap::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let (name, text): (String, String) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
            let pointee = text.parse().map_err(|_| self.damaged(format!("pointee `{text}`")))?;
            pointers.insert(name.as_str().into(), pointee);
        }
        Ok(pointers)
    }

    fn read_covers(&self, test: usize) -> rusqlite::Result<Vec<Counter>> {
        let mut statement =
            self.connection.prepare_cached("SELECT counter FROM covers WHERE test = ? ORDER BY counter")?;
        statement.query_map([test as i64], |row| row.get(0).map(Counter))?.collect()
    }

    fn read_alarms(&self) -> Result<Vec<Alarm>, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut statement = self
            .connection
            .prepare(
                "SELECT id, kind, function, file, line, verdict, native, assumption, stack, test, place, sanitizer, extent FROM alarms ORDER BY number",
            )
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut alarms = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let stack: String = row.get(8).map_err(failed)?;
            let frames: Vec<(String, String, u32, u32)> =
                serde_json::from_str(&stack).map_err(|source| self.damaged(source))?;
            let said: Option<String> = row.get(11).map_err(failed)?;
            let extent: Option<String> = row.get(12).map_err(failed)?;
            alarms.push(Alarm {
                id: row.get(0).map_err(failed)?,
                kind: row.get(1).map_err(failed)?,
                function: row.get(2).map_err(failed)?,
                file: row.get(3).map_err(failed)?,
                line: row.get(4).map_err(failed)?,
                verdict: row.get(5).map_err(failed)?,
                native: row.get(6).map_err(failed)?,
                assumption: row.get(7).map_err(failed)?,
                stack: frames
                    .into_iter()
                    .map(|(function, file, line, column)| Frame { function, file, line, column })
                    .collect(),
                test: row.get(9).map_err(failed)?,
                column: row.get(10).map_err(failed)?,
                range: extent.and_then(|text| serde_json::from_str(&text).ok()),
                sanitizer: said
                    .and_then(|text| serde_json::from_str(&text).ok())
                    .and_then(|said| json::read_sanitizer(&said)),
            });
        }
        Ok(alarms)
    }

    fn value(&self, bits: &str, width: u16, kind: u8) -> Result<Value, Error> {
        let bits = u128::from_str_radix(bits, 16).map_err(|source| self.damaged(source))?;
        let kind = ValueKind::from_u8(kind).ok_or_else(|| self.damaged(format!("value kind {kind}")))?;
        Ok(Value { bits, width, kind })
    }

    fn damaged(&self, what: impl ToString) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.to_string() }
    }
}

/// The layout number of a database: that of an empty one is ours, as it has nothing in another layout.
fn layout(connection: &Connection) -> rusqlite::Result<i64> {
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(SCHEMA);
    }
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn write_all(to: &Transaction<'_>, record: &Record) -> rusqlite::Result<()> {
    for table in ["meta", "tests", "inputs", "pointers", "covers", "alarms", "statistics"] {
        to.execute(&format!("DELETE FROM {table}"), [])?;
    }
    write_meta(to, &record.meta)?;
    for (number, test) in record.tests.iter().enumerate() {
        write_test(to, number as i64, test)?;
    }
    for (number, alarm) in record.alarms.iter().enumerate() {
        write_alarm(to, number as i64, alarm)?;
    }
    to.execute("INSERT INTO statistics VALUES ('summary', ?)", [record.statistics.to_string()])?;
    Ok(())
}

fn write_meta(to: &Transaction<'_>, meta: &Meta) -> rusqlite::Result<()> {
    let mut insert = to.prepare("INSERT INTO meta VALUES (?, ?)")?;
    insert.execute(params!["command", meta.command])?;
    insert.execute(params!["sources", serde_json::json!(meta.sources).to_string()])?;
    insert.execute(params!["flags", serde_json::json!(meta.flags).to_string()])?;
    insert.execute(params!["seed", meta.seed.to_string()])?;
    insert.execute(params!["tool-version", meta.tool_version])?;
    for (name, value) in &meta.settings {
        insert.execute(params![format!("setting.{name}"), value])?;
    }
    Ok(())
}

fn write_test(to: &Transaction<'_>, number: i64, test: &Test) -> rusqlite::Result<()> {
    let returned = test.returned;
    to.prepare_cached("INSERT INTO tests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
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
    let mut insert = to.prepare_cached("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?)")?;
    for (position, (name, value)) in test.inputs.iter().enumerate() {
        let bits = format!("{:032x}", value.bits);
        insert.execute(params![
            number,
            position as i64,
            name,
            bits,
            value.width,
            value.kind as u8,
            value.to_string()
        ])?;
    }
    let mut insert = to.prepare_cached("INSERT INTO pointers VALUES (?, ?, ?)")?;
    for (path, pointee) in &test.pointers {
        insert.execute(params![number, path.as_str(), pointee.to_string()])?;
    }
    let mut insert = to.prepare_cached("INSERT OR IGNORE INTO covers VALUES (?, ?)")?;
    for counter in &test.covers {
        insert.execute(params![number, counter.0])?;
    }
    Ok(())
}

fn write_alarm(to: &Transaction<'_>, number: i64, alarm: &Alarm) -> rusqlite::Result<()> {
    let row = |frame: &Frame| (frame.function.clone(), frame.file.clone(), frame.line, frame.column);
    let frames: Vec<(String, String, u32, u32)> = alarm.stack.iter().map(row).collect();
    to.prepare_cached("INSERT INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?.execute(params![
        number,
        alarm.id,
        alarm.kind,
        alarm.function,
        alarm.file,
        alarm.line,
        alarm.verdict,
        alarm.native,
        alarm.assumption,
        serde_json::json!(frames).to_string(),
        alarm.test,
        alarm.column,
        alarm.sanitizer.as_ref().map(|said| json::sanitizer(said).to_string()),
        alarm.range.map(|range| serde_json::json!(range).to_string()),
    ])?;
    Ok(())
}
