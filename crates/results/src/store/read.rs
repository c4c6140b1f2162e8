//! Rows → records. What does not read as it was written is damage, told with what is wrong.

use super::{Database, Error, StoredNogood};
use crate::record::{Alarm, Check, FunctionResult, Mismatch, Record, Test};
use covet_input::{Value, ValueKind};
use covet_sites::Counter;
use rusqlite::Row;
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The record of the last run that found something, or of the last one.
pub fn record(database: &Database) -> Result<Record, Error> {
    let runs = database.rows(
        "SELECT number, meta, seconds, stopped, programs, notes, phases FROM runs ORDER BY
             EXISTS (SELECT 1 FROM functions WHERE functions.run = runs.number AND failure IS NULL) DESC, number DESC LIMIT 1",
        0,
        |row| {
            let record = Record {
                meta: database.json(row, 1)?,
                seconds: database.column(row, 2)?,
                stopped: database.optional_word(row, 3)?,
                programs: database.json(row, 4)?,
                notes: database.json(row, 5)?,
                phases: database.json(row, 6)?,
                ..Record::default()
            };
            Ok((database.column::<i64>(row, 0)?, record))
        },
    )?;
    let Some((run, mut record)) = runs.into_iter().next() else {
        return Err(Error::Missing { path: database.path.clone() });
    };
    record.functions = functions(database, run)?;
    record.tests = tests(database, run)?;
    record.alarms = alarms(database, run)?;
    record.mismatches = mismatches(database, run)?;
    Ok(record)
}

pub fn nogoods(database: &Database) -> Result<Vec<StoredNogood>, Error> {
    let number = |text: &str| u128::from_str_radix(text, 16).map_err(|error| database.damaged(error));
    database.rows("SELECT goal, part FROM nogoods ORDER BY goal, part", 0, |row| {
        let (goal, part): (String, String) = (database.column(row, 0)?, database.column(row, 1)?);
        Ok((number(&goal)?, part.split_whitespace().map(number).collect::<Result<_, _>>()?))
    })
}

fn functions(database: &Database, run: i64) -> Result<Vec<FunctionResult>, Error> {
    let query =
        "SELECT name, file, line, failure, stopped, seconds, counters FROM functions WHERE run = ? ORDER BY number";
    database.rows(query, run, |row| {
        Ok(FunctionResult {
            name: database.column(row, 0)?,
            file: database.column(row, 1)?,
            line: database.column(row, 2)?,
            failure: database.column(row, 3)?,
            stopped: database.optional_word(row, 4)?,
            seconds: database.column(row, 5)?,
            counters: database.json(row, 6)?,
        })
    })
}

fn tests(database: &Database, run: i64) -> Result<Vec<Test>, Error> {
    let query = "SELECT id, function, file, outcome, exit_code, signal, returned_bits, returned_width, returned_kind, alarm, number
                 FROM tests WHERE run = ? ORDER BY number";
    let mut numbers = Vec::new();
    let mut tests = database.rows(query, run, |row| {
        let mut test = Test::new(database.column::<String>(row, 0)?, database.column::<String>(row, 1)?);
        test.file = database.column(row, 2)?;
        test.outcome = database.word(row, 3)?;
        test.exit_code = database.column(row, 4)?;
        test.signal = database.column(row, 5)?;
        if let Some(bits) = database.column::<Option<String>>(row, 6)? {
            test.returned = Some(database.value(&bits, database.column(row, 7)?, database.column(row, 8)?)?);
        }
        test.alarm = database.column::<Option<i64>>(row, 9)?.map(|index| index as usize);
        numbers.push(database.column::<i64>(row, 10)?);
        Ok(test)
    })?;
    let at = |number: i64| numbers.binary_search(&number).map_err(|_| database.damaged("a row of no test"));
    let query = "SELECT test, name, bits, width, kind FROM inputs WHERE run = ? ORDER BY test, position";
    for (number, input) in database.rows(query, run, |row| {
        let value =
            database.value(&database.column::<String>(row, 2)?, database.column(row, 3)?, database.column(row, 4)?)?;
        Ok((database.column(row, 0)?, (database.column(row, 1)?, value)))
    })? {
        tests[at(number)?].inputs.push(input);
    }
    let query = "SELECT test, name, pointee FROM pointers WHERE run = ? ORDER BY test, name";
    for (number, name, text) in database.rows(query, run, |row| {
        Ok((database.column(row, 0)?, database.column::<String>(row, 1)?, database.column::<String>(row, 2)?))
    })? {
        let pointee = text.parse().map_err(|_| database.damaged(format!("pointee `{text}`")))?;
        tests[at(number)?].pointers.insert(name.as_str().into(), pointee);
    }
    let query = "SELECT test, how, what, expected FROM checks WHERE run = ? ORDER BY test, position";
    for (number, check) in database.rows(query, run, |row| {
        let check =
            Check { how: database.word(row, 1)?, what: database.column(row, 2)?, expected: database.column(row, 3)? };
        Ok((database.column(row, 0)?, check))
    })? {
        tests[at(number)?].checks.push(check);
    }
    let query = "SELECT test, counter FROM covers WHERE run = ? ORDER BY test, counter";
    for (number, counter) in
        database.rows(query, run, |row| Ok((database.column(row, 0)?, database.column(row, 1)?)))?
    {
        tests[at(number)?].covers.push(Counter(counter));
    }
    Ok(tests)
}

fn alarms(database: &Database, run: i64) -> Result<Vec<Alarm>, Error> {
    let query =
        "SELECT id, kind, function, file, line, place, extent, verdict, native, sanitizer, assumptions, stack, test, told
                 FROM alarms WHERE run = ? ORDER BY number";
    database.rows(query, run, |row| {
        Ok(Alarm {
            id: database.column(row, 0)?,
            kind: database.word(row, 1)?,
            function: database.column(row, 2)?,
            file: database.column(row, 3)?,
            line: database.column(row, 4)?,
            column: database.column(row, 5)?,
            range: database.optional_json(row, 6)?,
            verdict: database.word(row, 7)?,
            native: database.column(row, 8)?,
            sanitizer: database.optional_json(row, 9)?,
            assumptions: database.json(row, 10)?,
            stack: database.json(row, 11)?,
            test: database.column(row, 12)?,
            told: database.json(row, 13)?,
        })
    })
}

fn mismatches(database: &Database, run: i64) -> Result<Vec<Mismatch>, Error> {
    let query = "SELECT test, function, file, explored, native, left_out FROM mismatches WHERE run = ? ORDER BY number";
    database.rows(query, run, |row| {
        Ok(Mismatch {
            test: database.column(row, 0)?,
            function: database.column(row, 1)?,
            file: database.column(row, 2)?,
            explored: database.column(row, 3)?,
            native: database.column(row, 4)?,
            is_left_out: database.column(row, 5)?,
        })
    })
}

impl Database {
    /// The rows of a query whose one parameter is the number of a run.
    fn rows<T>(
        &self,
        query: &str,
        run: i64,
        mut read: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let failed = |source| Error::Sqlite { path: self.path.clone(), source };
        let mut statement = self.connection.prepare(query).map_err(failed)?;
        let mut rows = match statement.parameter_count() {
            0 => statement.query([]),
            _ => statement.query([run]),
        }
        .map_err(failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            found.push(read(row)?);
        }
        Ok(found)
    }

    fn column<T: rusqlite::types::FromSql>(&self, row: &Row<'_>, at: usize) -> Result<T, Error> {
        row.get(at).map_err(|source| Error::Sqlite { path: self.path.clone(), source })
    }

    fn word<T: FromStr<Err: ToString>>(&self, row: &Row<'_>, at: usize) -> Result<T, Error> {
        self.column::<String>(row, at)?.parse().map_err(|error: T::Err| self.damaged(error.to_string()))
    }

    fn optional_word<T: FromStr<Err: ToString>>(&self, row: &Row<'_>, at: usize) -> Result<Option<T>, Error> {
        let text: Option<String> = self.column(row, at)?;
        text.map(|text| text.parse().map_err(|error: T::Err| self.damaged(error.to_string()))).transpose()
    }

    fn json<T: DeserializeOwned>(&self, row: &Row<'_>, at: usize) -> Result<T, Error> {
        serde_json::from_str(&self.column::<String>(row, at)?).map_err(|error| self.damaged(error))
    }

    fn optional_json<T: DeserializeOwned>(&self, row: &Row<'_>, at: usize) -> Result<Option<T>, Error> {
        let text: Option<String> = self.column(row, at)?;
        text.map(|text| serde_json::from_str(&text).map_err(|error| self.damaged(error))).transpose()
    }

    fn value(&self, bits: &str, width: u16, kind: u8) -> Result<Value, Error> {
        let bits = u128::from_str_radix(bits, 16).map_err(|error| self.damaged(error))?;
        let kind = ValueKind::from_u8(kind).ok_or_else(|| self.damaged(format!("value kind {kind}")))?;
        Ok(Value { bits, width, kind })
    }
}
