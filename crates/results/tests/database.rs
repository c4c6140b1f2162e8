//! A record comes back from the database as it was written, and the database is never half-written.

use covet_input::{Pointee, Value, ValueKind};
use covet_results::database::{Error, FILE_NAME};
use covet_results::{Alarm, Database, Frame, Meta, Outcome, Record, Sanitizer, Test};
use covet_sites::Counter;

fn record() -> Record {
    let mut crash = returning("f-002", "f", &[("arg.p->x", wide(u128::MAX, 128, ValueKind::Unsigned))], None);
    crash.outcome = Outcome::Crashed;
    crash.signal = Some(11);
    crash.alarm = Some(0);
    crash.file = "/src/a.c".into();
    crash.covers = [1, 4, 9].map(Counter).to_vec();
    crash.pointers.insert("arg.p".into(), Pointee::Object { elements: 3, more: 1 });
    crash.pointers.insert("arg.q".into(), Pointee::Alias("arg.p".into()));
    crash.pointers.insert("arg.f".into(), Pointee::Function("compare".into()));
    crash.pointers.insert("arg.n".into(), Pointee::Null);
    let mut exit = returning("f-003", "f", &[("stdin[0]", byte(0)), ("arg.b", double(f64::NAN))], None);
    exit.outcome = Outcome::Exited;
    exit.exit_code = Some(-1);
    Record {
        meta: Meta {
            command: "cover".into(),
            sources: vec!["/src/a.c".into(), "/src/b \"c\".c".into()],
            flags: vec!["-DX=1".into()],
            seed: u64::MAX,
            tool_version: "0.1.0".into(),
            settings: [("stdin".to_string(), "8".to_string())].into(),
        },
        tests: vec![returning("f-001", "f", &[("arg.b", int(-1))], Some(int(-7))), crash, exit],
        alarms: vec![Alarm {
            id: "a1".into(),
            kind: "null-dereference".into(),
            function: "f".into(),
            file: "a.c".into(),
            line: 12,
            column: 5,
            range: Some([12, 9, 12, 20]),
            verdict: "confirmed".into(),
            native: true,
            sanitizer: Some(Sanitizer::Confirmed { tool: "AddressSanitizer".into(), kind: "SEGV".into(), line: 12 }),
            assumption: Some("p is not NULL".into()),
            stack: vec![Frame { function: "f".into(), file: "a.c".into(), line: 12, column: 5 }, Frame::default()],
            test: Some("f-002".into()),
        }],
        statistics: serde_json::json!({"totals": {"executions": 12, "mean": 0.1}}),
    }
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/covet-out");
    let mut database = Database::create(&out).unwrap();
    database.write(&record()).unwrap();
    assert_eq!(Database::open(&out).unwrap().read().unwrap(), record());
    // A later, smaller record replaces it whole.
    let smaller = Record { tests: record().tests[..1].to_vec(), alarms: Vec::new(), ..record() };
    Database::create(&out).unwrap().write(&smaller).unwrap();
    assert_eq!(Database::open(&out).unwrap().read().unwrap(), smaller);
}

#[test]
fn a_failed_write_leaves_the_old_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::create(folder.path()).unwrap();
    database.write(&record()).unwrap();
    let mut twice = record();
    twice.tests.push(twice.tests[0].clone());
    assert!(matches!(database.write(&twice), Err(Error::Sqlite { .. })), "ids are unique");
    assert_eq!(database.read().unwrap(), record());
}

#[test]
fn what_is_not_ours_is_told() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Database::open(folder.path()), Err(Error::Missing { .. })));
    std::fs::write(folder.path().join(FILE_NAME), "not a database, but long enough to look like a file of some kind")
        .unwrap();
    assert!(matches!(Database::open(folder.path()), Err(Error::Sqlite { .. })));
    std::fs::remove_file(folder.path().join(FILE_NAME)).unwrap();
    let other = rusqlite::Connection::open(folder.path().join(FILE_NAME)).unwrap();
    other.execute_batch("CREATE TABLE tests (x); PRAGMA user_version = 99;").unwrap();
    assert!(matches!(Database::open(folder.path()), Err(Error::Schema { found: 99, .. })));
    Database::create(folder.path()).unwrap().write(&record()).unwrap();
    assert_eq!(Database::open(folder.path()).unwrap().read().unwrap(), record());
}

fn byte(byte: u8) -> Value {
    wide(u128::from(byte), 8, ValueKind::Byte)
}

fn wide(bits: u128, width: u16, kind: ValueKind) -> Value {
    Value { bits, width, kind }
}

fn double(number: f64) -> Value {
    wide(u128::from(number.to_bits()), 64, ValueKind::Float)
}

fn returning(id: &str, function: &str, inputs: &[(&str, Value)], returned: Option<Value>) -> Test {
    let inputs = inputs.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Test { inputs, returned, ..Test::new(id, function) }
}

fn int(number: i64) -> Value {
    wide(u128::from(number as u32), 32, ValueKind::Signed)
}
