//! A record comes back from the store as it was written; results are there unit by unit, and never half, lost or mixed up.

use covet_input::{Pointee, Value, ValueKind};
use covet_results::store::{Error, FILE_NAME, LAYOUT, Unit};
use covet_results::{
    Alarm, AlarmKind, Counters, Database, Frame, FunctionResult, Meta, Mismatch, Range, Record, Sanitizer, Stopped,
    Store, Test, TestOutcome, Verdict,
};
use covet_sites::{Counter, SiteMap};
use rusqlite::Connection;
use std::path::Path;

fn record() -> Record {
    let mut crash = returning("f-002", "f", &[("arg.p->x", wide(u128::MAX, 128, ValueKind::Unsigned))], None);
    crash.outcome = TestOutcome::Crashed;
    crash.signal = Some(11);
    crash.alarm = Some(0);
    crash.file = "/src/a.c".into();
    crash.covers = [1, 4, 9].map(Counter).to_vec();
    crash.pointers.insert("arg.p".into(), Pointee::Object { elements: 3, more: 1 });
    crash.pointers.insert("arg.q".into(), Pointee::Alias("arg.p".into()));
    crash.pointers.insert("arg.f".into(), Pointee::Function("compare".into()));
    crash.pointers.insert("arg.n".into(), Pointee::Null);
    let mut exit = returning("f-003", "f", &[("stdin[0]", byte(0)), ("arg.b", double(f64::NAN))], None);
    exit.outcome = TestOutcome::Exited;
    exit.exit_code = Some(-1);
    Record {
        meta: meta(),
        seconds: 1.25,
        phases: covet_results::Phases { explore: 1.25, ..Default::default() },
        stopped: Some(Stopped::Covered),
        functions: vec![function("f"), FunctionResult { failure: Some("broke \"down\"".into()), ..function("g") }],
        tests: vec![returning("f-001", "f", &[("arg.b", int(-1))], Some(int(-7))), crash, exit],
        alarms: vec![Alarm {
            id: "null-dereference-1".into(),
            function: "f".into(),
            file: "/src/a.c".into(),
            line: 12,
            column: 9,
            range: Some(Range { line: 12, column: 9, end_line: 12, end_column: 20 }),
            verdict: Verdict::Confirmed,
            native: true,
            sanitizer: Some(Sanitizer::Not("nothing \"found\"".into())),
            assumptions: vec!["p is not NULL".into(), "n is 3".into()],
            stack: vec![Frame { function: "f".into(), file: "/src/a.c".into(), line: 12, column: 9 }],
            test: Some("f-002".into()),
            ..Alarm::new(AlarmKind::NullDereference)
        }],
        mismatches: vec![Mismatch {
            test: "f-001".into(),
            function: "f".into(),
            file: "/src/a.c".into(),
            explored: "returned 1".into(),
            native: "returned 2".into(),
            is_left_out: true,
        }],
        programs: vec!["tests.c".into()],
        notes: vec!["a note".into()],
    }
}

fn meta() -> Meta {
    Meta {
        command: "cover".into(),
        sources: vec!["/src/a.c".into(), "/src/b \"c\".c".into()],
        flags: vec!["-DX=1".into()],
        seed: u64::MAX,
        tool_version: "0.1.0".into(),
        settings: [("stdin".to_string(), "8".to_string())].into(),
    }
}

fn function(name: &str) -> FunctionResult {
    let mut counters = Counters { executions: 12, iterations: 7, ..Counters::default() };
    counters.solver.mean_constraints = 0.1;
    counters.concretised.insert("external-call".into(), 3);
    FunctionResult {
        name: name.into(),
        file: "/src/a.c".into(),
        line: 3,
        failure: None,
        stopped: Some(Stopped::Covered),
        seconds: 0.5,
        counters,
    }
}

fn begin(folder: &Path) -> Store {
    Store::begin(folder, &meta(), &SiteMap::default()).unwrap().0
}

fn read(folder: &Path) -> Record {
    Database::open(folder).unwrap().read().unwrap()
}

#[test]
fn a_record_comes_back_as_it_was_written_and_a_later_one_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/out");
    begin(&out).finish(&record()).unwrap();
    assert_eq!(read(&out), record());
    let smaller = Record { tests: vec![returning("g-001", "g", &[], None)], alarms: vec![], ..record() };
    begin(&out).finish(&smaller).unwrap();
    assert_eq!(read(&out), smaller);
}

#[test]
fn units_are_there_as_soon_as_they_are_appended_and_earlier_results_until_then() {
    let folder = tempfile::tempdir().unwrap();
    begin(folder.path()).finish(&record()).unwrap();
    let mut store = begin(folder.path());
    assert_eq!(read(folder.path()), record(), "nothing new yet");
    let test = returning("3#run-1", "h", &[("arg.b", int(4))], None);
    store
        .append(Unit { number: 0, function: &function("h"), tests: std::slice::from_ref(&test), alarms: &[] })
        .unwrap();
    store.append(Unit { number: 1, function: &function("i"), tests: &[], alarms: &record().alarms }).unwrap();
    // As a killed process would leave it.
    let found = read(folder.path());
    assert_eq!((found.stopped, found.functions.len(), found.alarms.len()), (None, 2, 1));
    assert_eq!(found.tests, [test]);
    drop(store);
    assert_eq!(read(folder.path()).functions.len(), 2);
}

#[test]
fn a_run_that_found_nothing_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    begin(folder.path()).finish(&record()).unwrap();
    drop(begin(folder.path()));
    assert_eq!(read(folder.path()), record());
    let out = folder.path().join("new");
    drop(begin(&out));
    assert!(!out.exists());
}

#[test]
fn nogoods_stay_from_run_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let nogoods = vec![(7, vec![1, u128::MAX]), (9, vec![])];
    begin(folder.path()).add_nogoods(nogoods.clone().into_iter()).unwrap();
    let mut store = begin(folder.path());
    assert_eq!(store.nogoods().unwrap(), nogoods);
    store.finish(&record()).unwrap();
    assert_eq!(Database::open(folder.path()).unwrap().nogoods().unwrap(), nogoods);
}

#[test]
fn a_folder_in_use_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let _store = begin(folder.path());
    let refused = Store::begin(folder.path(), &meta(), &SiteMap::default()).err().unwrap();
    assert!(matches!(refused, Error::InUse { .. }));
    assert!(refused.to_string().contains("in use by another run") && refused.to_string().contains("--out"));
}

#[test]
fn what_is_wrong_with_a_database_is_told() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Database::open(folder.path()), Err(Error::Missing { .. })));
    begin(folder.path()).finish(&record()).unwrap();
    let path = folder.path().join(FILE_NAME);
    let connection = Connection::open(&path).unwrap();
    connection.execute("UPDATE tests SET outcome = 'vanished'", []).unwrap();
    let damaged = Database::open(folder.path()).unwrap().read().unwrap_err();
    assert!(damaged.to_string().contains("vanished") && damaged.to_string().contains("remove the file"));
    connection.pragma_update(None, "user_version", LAYOUT + 1).unwrap();
    drop(connection);
    assert!(matches!(Database::open(folder.path()), Err(Error::Layout { .. })));
    assert!(matches!(Store::begin(folder.path(), &meta(), &SiteMap::default()), Err(Error::Layout { .. })));
    assert!(path.is_file(), "a newer database stays where it is");
}

#[test]
fn an_ancient_database_is_moved_aside_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE old (x); PRAGMA user_version = 1;").unwrap();
    let (_store, note) = Store::begin(folder.path(), &meta(), &SiteMap::default()).unwrap();
    assert!(note.unwrap().contains("results.layout-1.db"));
    assert!(folder.path().join("results.layout-1.db").is_file());
}

/// A database as the version before wrote it.
const LAYOUT_3: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE tests (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, function TEXT NOT NULL, file TEXT NOT NULL, outcome TEXT NOT NULL,
        exit_code INTEGER, signal INTEGER, returned_bits TEXT, returned_width INTEGER, returned_kind INTEGER, alarm INTEGER);
    CREATE TABLE inputs (
        test INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, bits TEXT NOT NULL, width INTEGER NOT NULL,
        kind INTEGER NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (test, position)) WITHOUT ROWID;
    CREATE TABLE pointers (
        test INTEGER NOT NULL, name TEXT NOT NULL, pointee TEXT NOT NULL, PRIMARY KEY (test, name)) WITHOUT ROWID;
    CREATE TABLE covers (
        test INTEGER NOT NULL, counter INTEGER NOT NULL, PRIMARY KEY (test, counter)) WITHOUT ROWID;
    CREATE TABLE alarms (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
        line INTEGER NOT NULL, verdict TEXT NOT NULL, native INTEGER NOT NULL, assumption TEXT, stack TEXT NOT NULL, test TEXT,
        place INTEGER NOT NULL, sanitizer TEXT, extent TEXT);
    CREATE TABLE refusals (goal TEXT NOT NULL, part TEXT NOT NULL, PRIMARY KEY (goal, part)) WITHOUT ROWID;
    CREATE TABLE statistics (name TEXT PRIMARY KEY, json TEXT NOT NULL);
    PRAGMA user_version = 3;
    INSERT INTO meta VALUES ('command', 'cover'), ('sources', '[\"/src/a.c\"]'), ('flags', '[]'), ('seed', '5'),
        ('tool-version', '0.1.0'), ('setting.run-time', '1000');
    INSERT INTO tests VALUES (0, 'f-001', 'f', 'a.c', 'returned', NULL, NULL, '00000000000000000000000000000001', 32, 1, 0);
    INSERT INTO inputs VALUES (0, 0, 'arg.x', '00000000000000000000000000000003', 32, 1, '3');
    INSERT INTO pointers VALUES (0, 'arg.p', 'object:2');
    INSERT INTO covers VALUES (0, 7);
    INSERT INTO alarms VALUES (0, 'abort-1', 'abort', 'f', 'a.c', 4, 'likely', 0, 'p is not NULL', '[[\"f\",\"a.c\",4,1]]', 'f-001', 1, NULL, NULL);
    INSERT INTO refusals VALUES ('00000000000000000000000000000007', '00000000000000000000000000000001');
    INSERT INTO statistics VALUES ('summary', '{\"seconds\": 2.5, \"stopped\": \"covered\", \"functions\": [{\"name\": \"f\",
        \"file\": \"a.c\", \"line\": 3, \"reason\": null, \"stopped\": \"covered\", \"seconds\": 0.5, \"executions\": 9,
        \"branches\": {\"covered\": 2, \"total\": 4}, \"solver\": {\"calls\": 3, \"mean_constraints\": 2.0}}]}');
";

#[test]
fn results_of_the_version_before_are_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    Connection::open(folder.path().join(FILE_NAME)).unwrap().execute_batch(LAYOUT_3).unwrap();
    for _ in 0..2 {
        let found = read(folder.path());
        assert_eq!((found.meta.seed, found.meta.sources.len(), found.stopped), (5, 1, Some(Stopped::Covered)));
        assert_eq!(found.meta.settings["run-time"], "1000");
        assert_eq!((found.functions[0].counters.executions, found.functions[0].counters.branches.covered), (9, 2));
        let test = &found.tests[0];
        assert_eq!((test.inputs.len(), test.pointers.len(), test.covers.len()), (1, 1, 1));
        assert_eq!((found.alarms[0].kind, found.alarms[0].assumptions.len()), (AlarmKind::Abort, 1));
    }
    assert_eq!(begin(folder.path()).nogoods().unwrap(), [(7, vec![1])]);
}

fn byte(byte: u8) -> Value {
    wide(u128::from(byte), 8, ValueKind::Char)
}

fn int(number: i64) -> Value {
    wide(u128::from(number as u32), 32, ValueKind::Signed)
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
