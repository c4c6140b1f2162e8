//! The condition vectors that programs count, compared with what was worked out by hand: in the copy of a function that follows its
//! inputs, and in the one that runs on plain numbers.

use crate::common::Bench;
use covet_instrument::Options;
use std::collections::BTreeSet;
use std::fmt::Write;

const SOURCE: &str = r#"
#include <setjmp.h>
#include <stdbool.h>
#define BOTH(x, y) ((x) && (y))
#define IS_SMALL(c) ((c) == 1 || (c) == 2)
static jmp_buf back;
int id(int x) { return x; }
int away(int x) { if (x == 9) longjmp(back, 1); return x; }
int both(int a, int b) { if (a && b) return 1; return 0; }
int nested(int a, int b, int c) { if (a && (b || c)) return 1; return 0; }
int left(int a, int b, int c) { return (a || b) && c ? 1 : 2; }
int negated(int a, int b, int c) { if (!(a && !(b || !c))) return 1; return 0; }
int kept(int a, int b, int c) { int x = a && (b || c); return x; }
int kept_negated(int a, int b, int c, int d) { return a || !(b && !(c || d)); }
bool stored(int a, int b) { bool x = a > b || b == 3; x = x && a; return x; }
int assigned(int a, int b, int c) { int x = 0; if (a && (x = b || c)) return x; return 0; }
int assigned_kept(int a, int b, int c) { int x = 0; int y = a && (x = b || c); return x + y; }
int argument(int a, int b, int c) { if (a && id(b && c)) return 1; return 0; }
int loops(int a, int b) { int n = 0; while (n < a && n < b) n++; return n; }
int choice(int a, int b, int c, int d) { if ((a ? b : c) && d) return 1; return 0; }
int choice_behind(int a, int b, int c, int d) { if (d || (a ? b : !c)) return 1; return 0; }
int macros(int a, int b) { if (BOTH(IS_SMALL(a), IS_SMALL(b))) return 1; return 0; }
int constants(int a, int b) { if (a && 1 && b) return 1; return a || b || 0; }
int recursive(int n, int b) { if (n > 0 && recursive(n - 1, b) && b) return 1; return n == 0; }
int jumps(int a, int b) { if (setjmp(back)) return 5; if (a && away(b) && a < 3) return 1; return 0; }
int jumps_twice(int a, int b) { int n = jumps(a, 9) + jumps(a, b); return n; }
int late(int a, int *p) { if (a && *p && a) return 1; return 0; }
int symbolic_late(int b) { int x = b; return late(1, &x); }
"#;

/// A function, arguments, and the vectors of its decisions in the order of the source.
type Case = (&'static str, &'static [i32], &'static [&'static [&'static str]]);

const CASES: &[Case] = &[
    ("both", &[0, 1], &[&["F- F"]]),
    ("both", &[1, 0], &[&["TF F"]]),
    ("both", &[4, 5], &[&["TT T"]]),
    ("nested", &[0, 1, 1], &[&["F-- F"]]),
    ("nested", &[1, 0, 0], &[&["TFF F"]]),
    ("nested", &[1, 0, 7], &[&["TFT T"]]),
    ("nested", &[1, 7, 0], &[&["TT- T"]]),
    ("left", &[0, 0, 1], &[&["FF- F"]]),
    ("left", &[0, 1, 0], &[&["FTF F"]]),
    ("left", &[0, 1, 1], &[&["FTT T"]]),
    ("left", &[1, 1, 0], &[&["T-F F"]]),
    ("left", &[1, 0, 1], &[&["T-T T"]]),
    // The outcome is that of the whole: the way into `return 1`.
    ("negated", &[0, 0, 0], &[&["F-- T"]]),
    ("negated", &[1, 1, 0], &[&["TT- T"]]),
    ("negated", &[1, 0, 1], &[&["TFT F"]]),
    ("negated", &[1, 0, 0], &[&["TFF T"]]),
    ("kept", &[0, 1, 1], &[&["F-- F"]]),
    ("kept", &[1, 0, 0], &[&["TFF F"]]),
    ("kept", &[1, 0, 1], &[&["TFT T"]]),
    ("kept", &[1, 1, 0], &[&["TT- T"]]),
    ("kept_negated", &[1, 0, 0, 0], &[&["T--- T"]]),
    ("kept_negated", &[0, 0, 1, 1], &[&["FF-- T"]]),
    ("kept_negated", &[0, 1, 1, 0], &[&["FTT- T"]]),
    ("kept_negated", &[0, 1, 0, 1], &[&["FTFT T"]]),
    ("kept_negated", &[0, 1, 0, 0], &[&["FTFF F"]]),
    ("stored", &[5, 4], &[&["T- T"], &["TT T"]]),
    ("stored", &[0, 3], &[&["FT T"], &["TF F"]]),
    ("stored", &[3, 4], &[&["FF F"], &["F- F"]]),
    ("assigned", &[1, 0, 1], &[&["TT T"], &["FT T"]]),
    ("assigned", &[1, 0, 0], &[&["TF F"], &["FF F"]]),
    ("assigned", &[0, 1, 0], &[&["F- F"], &[]]),
    ("assigned_kept", &[1, 1, 0], &[&["TT T"], &["T- T"]]),
    ("assigned_kept", &[1, 0, 0], &[&["TF F"], &["FF F"]]),
    ("argument", &[1, 1, 0], &[&["TF F"], &["TF F"]]),
    ("argument", &[1, 1, 1], &[&["TT T"], &["TT T"]]),
    ("loops", &[2, 5], &[&["TT T", "F- F"]]),
    ("loops", &[5, 2], &[&["TT T", "TF F"]]),
    ("loops", &[0, 2], &[&["F- F"]]),
    ("choice", &[1, 0, 1, 1], &[&["F- F"]]),
    ("choice", &[0, 0, 1, 1], &[&["TT T"]]),
    ("choice", &[1, 1, 0, 0], &[&["TF F"]]),
    ("choice_behind", &[1, 1, 0, 0], &[&["FT T"]]),
    ("choice_behind", &[0, 1, 1, 0], &[&["FF F"]]),
    ("choice_behind", &[0, 1, 0, 0], &[&["FT T"]]),
    ("choice_behind", &[0, 0, 0, 1], &[&["T- T"]]),
    ("macros", &[2, 1], &[&["FTT- T"]]),
    ("macros", &[1, 2], &[&["T-FT T"]]),
    ("macros", &[3, 1], &[&["FF-- F"]]),
    ("macros", &[1, 3], &[&["T-FF F"]]),
    ("constants", &[1, 0], &[&["TF F"], &["T- T"]]),
    ("constants", &[0, 0], &[&["F- F"], &["FF F"]]),
    ("constants", &[0, 2], &[&["F- F"], &["FT T"]]),
    // Each call is one evaluation, however deep inside another it happens.
    ("recursive", &[2, 1], &[&["F-- F", "TTT T"]]),
    ("recursive", &[2, 0], &[&["F-- F", "TTF F", "TF- F"]]),
    ("jumps", &[1, 2], &[&["TTT T"]]),
    ("jumps", &[1, 9], &[&[]]),
];

fn texts(vectors: &[&[&str]]) -> Vec<BTreeSet<String>> {
    vectors.iter().map(|vectors| vectors.iter().map(|vector| (*vector).to_owned()).collect()).collect()
}

/// The source, and for each case a function that makes the call with plain numbers.
fn source() -> String {
    let mut source = SOURCE.to_owned();
    for (number, (function, arguments, _)) in CASES.iter().enumerate() {
        let arguments: Vec<String> = arguments.iter().map(i32::to_string).collect();
        let _ = writeln!(source, "int plain_{number}(void) {{ return {function}({}); }}", arguments.join(", "));
    }
    source
}

#[test]
fn vectors_are_counted_as_worked_out_by_hand() {
    let mut program = Bench::with(&source(), Options { vectors: true, ..Options::default() });
    for (number, (function, arguments, expected)) in CASES.iter().enumerate() {
        let followed = program.call(function, arguments);
        assert_eq!(program.vectors(function, &followed), texts(expected), "{function}{arguments:?}, followed");
        let plain = program.call(&format!("plain_{number}"), &[]);
        assert_eq!(program.vectors(function, &plain), texts(expected), "{function}{arguments:?}, plain");
        assert_eq!(followed.returned as u32, plain.returned as u32);
    }
}

#[test]
fn a_way_is_kept_when_the_run_goes_over_to_the_other_copy() {
    let mut program = Bench::with(SOURCE, Options { vectors: true, ..Options::default() });
    // `late` starts on plain numbers; what it reads in the middle is symbolic.
    for (b, expected) in [(0, "TF- F"), (2, "TTT T")] {
        let run = program.call("symbolic_late", &[b]);
        assert!(!run.events.is_empty());
        assert_eq!(program.vectors("late", &run), texts(&[&[expected]]));
    }
}

#[test]
fn a_jump_out_of_the_middle_leaves_nothing_behind() {
    let mut program = Bench::with(SOURCE, Options { vectors: true, ..Options::default() });
    let run = program.call("jumps_twice", &[5, 1]);
    assert_eq!(run.returned as u32, 5);
    assert_eq!(program.vectors("jumps", &run), texts(&[&["TTF F"]]));
}

#[test]
fn nothing_is_counted_unless_wanted_and_other_counters_stay() {
    let (with, without) = (Options { vectors: true, ..Options::default() }, Options::default());
    let [with, without] = [with, without].map(|options| Bench::with(SOURCE, options));
    let sites = |program: &Bench| -> Vec<_> {
        program.map().sites.iter().map(|site| (site.kind, site.line, site.counter, site.outcomes)).collect()
    };
    assert_eq!((with.map().counters, sites(&with)), (without.map().counters, sites(&without)));
    assert!(with.map().vectors > 0 && without.map().vectors == 0);
    let [with, without] = [with, without].map(|mut program| program.call("nested", &[1, 0, 1]));
    assert_eq!((with.vectors.len(), without.vectors.len()), (1, 0));
    assert_eq!((with.covered, with.fingerprint), (without.covered, without.fingerprint));
}
