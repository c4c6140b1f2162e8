//! What llvm-cov prints, read from text; programs are run in `tests/official.rs`.

use super::*;

fn reading(functions: &str) -> Vec<FunctionCoverage> {
    let text = format!(r#"{{"data":[{{"files":[],"functions":[{functions}],"totals":{{}}}}],"version":"2.0.1"}}"#);
    read(text.as_bytes(), Path::new("/elsewhere")).unwrap()
}

/// A switch over nine lines, of which one case was executed.
const SWITCH: &str = r#"{"name":"b c.c:same","count":1,"filenames":["/p/b c.c"],"mcdc_records":[],
    "branches":[[4,13,4,14,0,1,0,0,4],[5,5,5,11,1,0,0,0,4],[6,5,6,11,0,1,0,0,4],[7,5,7,11,0,1,0,0,4],[9,12,9,13,0,0,0,0,4]],
    "regions":[[3,1,11,2,1,0,0,0],[4,16,7,21,0,0,0,3],[5,5,5,21,1,0,0,0],[5,22,6,5,0,0,0,3],[6,5,7,21,0,0,0,0],
        [7,5,7,21,0,0,0,0],[8,6,9,5,0,0,0,3],[9,5,10,17,0,0,0,0],[9,12,9,13,0,0,0,0],[9,15,9,16,0,0,0,3],
        [9,16,9,17,0,0,0,0],[10,16,10,17,0,0,0,0]]}"#;

/// `if (BIG(x))`: the condition stands in a macro of the same file.
const MACRO: &str = r#"{"name":"a.c:same","count":1,"filenames":["/p/a.c","/p/a.c"],
    "branches":[[2,17,2,24,0,1,1,0,6],[2,28,2,35,0,0,1,0,6]],"mcdc_records":[[2,17,2,35,0,5,[false,true]]],
    "regions":[[4,1,8,2,1,0,0,0],[5,9,5,12,1,0,1,1],[5,16,6,9,0,0,0,3],[6,9,6,17,0,0,0,0],[6,18,7,5,1,0,0,3],
        [7,5,7,19,1,0,0,0],[2,16,2,36,1,1,0,0],[2,17,2,24,1,1,0,0],[2,28,2,35,0,1,0,0]]}"#;

#[test]
fn lines_and_branches_are_those_of_the_report() {
    let found = reading(&format!("{SWITCH},{MACRO}"));
    assert_eq!(found[0].statements, Count { covered: 5, total: 9 });
    assert_eq!(found[0].branches, Count { covered: 4, total: 10 });
    assert_eq!(
        (found[1].statements, found[1].branches),
        (Count { covered: 4, total: 5 }, Count { covered: 1, total: 4 })
    );
    assert_eq!((found[0].name.as_str(), found[0].file.as_path()), ("same", Path::new("/p/b c.c")));
}

#[test]
fn decisions_are_read() {
    let found = reading(MACRO);
    let decision = McdcRecord { line: 2, column: 17, end_line: 2, end_column: 35, conditions: vec![false, true] };
    assert_eq!(found[0].mcdc, [decision]);
    assert_eq!(found[0].conditions(), Count { covered: 1, total: 2 });
}

#[test]
fn a_name_is_looked_for_in_its_file() {
    let official = Official { functions: reading(&format!("{SWITCH},{MACRO}")), lost: vec![] };
    assert_eq!(official.of(Path::new("/p/a.c"), "same").unwrap().branches.total, 4);
    assert_eq!(official.of(Path::new("/p/b c.c"), "same").unwrap().branches.total, 10);
    assert_eq!(official.of(Path::new("/p/c.c"), "same"), None);
    assert_eq!(official.branches(), Count { covered: 5, total: 14 });
}

#[test]
fn a_strange_row_is_an_error_not_a_number() {
    assert!(serde_json::from_str::<export::Region>("[3,1,11,2,1,0,0,0]").is_ok());
    assert!(serde_json::from_str::<export::Region>("[3,1,11,2,1,0,0]").is_err());
    assert!(serde_json::from_str::<export::Region>("[3,1,11,2,1,0,0,\"code\"]").is_err());
}

#[test]
fn text_that_is_not_compiled_is_no_line() {
    // Lines 3 and 4 are left out by the preprocessor; behind them the line has nothing but the end of the function.
    let found = reading(
        r#"{"name":"f","count":1,"filenames":["/p/a.c"],"branches":[],
            "regions":[[1,1,6,2,2,0,0,0],[3,1,5,1,0,0,0,2]]}"#,
    );
    assert_eq!(found[0].statements, Count { covered: 3, total: 3 });
}

#[test]
fn an_empty_region_at_the_end_takes_its_line_along() {
    let found = reading(
        r#"{"name":"f","count":1,"filenames":["/p/a.c"],"branches":[],
            "regions":[[8,33,11,2,1,0,0,0],[9,54,9,54,1,0,0,0]]}"#,
    );
    assert_eq!(found[0].statements, Count { covered: 3, total: 3 });
}

#[test]
fn copies_count_once() {
    let copy = |covered| FunctionCoverage {
        file: PathBuf::from("a.h"),
        name: "f".to_owned(),
        statements: Count { covered, total: 4 },
        branches: Count { covered, total: 4 },
        mcdc: vec![],
    };
    assert_eq!(once_each(vec![copy(1), copy(3), copy(2)]), [copy(3)]);
}
