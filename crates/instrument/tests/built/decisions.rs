//! The decisions of functions, as the site map has them.

use crate::common::Bench;
use covet_instrument::Options;
use covet_sites::{Next, WhyLeftOut};

const SOURCE: &str = r#"
#define BOTH(x, y) ((x) && (y))
#define IS_SMALL(c) ((c) == 1 || (c) == 2)
int id(int x) { return x; }
int none(int a, int b) { if (a) { if (b) return 1; } return a ? b : 0; }
int both(int a, int b) { if (a && b) return 1; return 0; }
int nested(int a, int b, int c) { if (a && (b || c)) return 1; return 0; }
int left(int a, int b, int c) { return (a || b) && c ? 1 : 2; }
int negated(int a, int b, int c) { if (!(a && !(b || !c))) return 1; return 0; }
int kept(int a, int b, int c) { int x = a && (b || c); return x; }
int kept_negated(int a, int b, int c, int d) { return a || !(b && !(c || d)); }
int ignored(int a, int b) { a && id(b); return 0; }
int assigned(int a, int b, int c) { int x = 0; if (a && (x = b || c)) return x; return 0; }
int assigned_kept(int a, int b, int c) { int x = 0; int y = a && (x = b || c); return x + y; }
int argument(int a, int b, int c) { if (a && id(b && c)) return 1; return 0; }
int loops(int a, int b) { int n = 0; for (; n < a && n < b; n++) ; while (n > 0 || a < 0) { n--; a++; } do n++; while (n < 3 && b); return n; }
int choice(int a, int b, int c, int d) { if ((a ? b : c) && d) return 1; return 0; }
int choice_behind(int a, int b, int c, int d) { if (d || (a ? b : !c)) return 1; return 0; }
int choice_kept(int a, int b, int c, int d) { int x = (a ? b : c) || d; return x; }
int chosen_by(int a, int b, int c, int d) { if (a && b ? c || d : 0) return 1; return 0; }
int around(int a, int b, int c, int d) { if (a ? (b && c) : d) return 1; return 0; }
int macros(int a, int b) { if (BOTH(IS_SMALL(a), IS_SMALL(b))) return 1; return 0; }
int constants(int a, int b) { if (a && 1 && b) return 1; if (a && 0) return 2; if (a || 0 || b) return 3; return sizeof a == 4 && a; }
int dead(int a, int b) { if (a && 0 && b) return 1; return 0; }
int floats(double x, double *p) { return x > 1.0 && p && *p < x; }
int expected(int a, int b) { if (__builtin_expect(a && b, 1)) return 1; return 0; }
int elses(int a, int b, int c) { if (a && b) return 1; else if (b && c) return 2; else if (a || c) return 3; return 4; }
int statement(int a, int b) { if (a && ({ int t = b; while (t > 3 && t != 7) t--; if (t == 5) return 9; t; })) return 1; return 0; }
int label(int a, int b) { if (a > 0 && b > 0) goto out; a++; out: return a; }
int last(int a, int b, int c, int d) { switch (a && b) { case 0: return c; default: return c || d; } }
"#;

/// What follows the conditions, as text: `1/F` goes on with condition 1 when true and is false else.
fn shapes(program: &Bench, function: &str) -> Vec<String> {
    let number = program.function(function).number;
    let text = |next: Next| match next {
        Next::Condition(at) => at.to_string(),
        Next::Outcome(true) => "T".to_owned(),
        Next::Outcome(false) => "F".to_owned(),
    };
    let own = program.map().decisions.iter().filter(|decision| decision.function == number);
    own.map(|decision| {
        let conditions = decision.conditions.0.iter();
        let texts: Vec<_> = conditions.map(|c| format!("{}/{}", text(c.if_true), text(c.if_false))).collect();
        texts.join(" ")
    })
    .collect()
}

fn left_out(program: &Bench, function: &str) -> Vec<WhyLeftOut> {
    let number = program.function(function).number;
    program.map().decisions_left_out.iter().filter(|left| left.function == number).map(|left| left.why).collect()
}

#[test]
fn conditions_follow_each_other_as_c_evaluates_them() {
    let program = Bench::with(SOURCE, Options::default());
    let and = "1/F T/F";
    let or = "T/1 T/F";
    let expected: &[(&str, &[&str])] = &[
        ("none", &[]),
        ("both", &[and]),
        ("nested", &["1/F T/2 T/F"]),
        ("left", &["2/1 2/F T/F"]),
        ("negated", &["1/T T/2 F/T"]),
        ("kept", &["1/F T/2 T/F"]),
        ("kept_negated", &["T/1 2/T T/3 T/F"]),
        ("ignored", &[and]),
        ("assigned", &[and, or]),
        ("assigned_kept", &[and, or]),
        ("argument", &[and, and]),
        ("loops", &[and, or, and]),
        ("choice", &[and]),
        ("choice_behind", &[or]),
        ("choice_kept", &[or]),
        ("macros", &["2/1 2/F T/3 T/F"]),
        ("floats", &["1/F 2/F T/F"]),
        ("expected", &[and]),
        ("elses", &[and, and, or]),
        ("statement", &[and, and]),
        ("label", &[and]),
        ("last", &[and, or]),
    ];
    for (function, wanted) in expected {
        assert_eq!(shapes(&program, function), *wanted, "{function}");
        assert_eq!(left_out(&program, function), [], "{function}");
    }
}

#[test]
fn what_is_left_out_has_a_reason() {
    let program = Bench::with(SOURCE, Options::default());
    assert_eq!(shapes(&program, "constants"), ["1/F T/F", "T/1 T/F"]);
    assert_eq!(left_out(&program, "constants"), [WhyLeftOut::Constant]);
    assert_eq!(left_out(&program, "dead"), [WhyLeftOut::Constant]);
    assert_eq!(left_out(&program, "around"), [WhyLeftOut::Choice]);
    assert_eq!(shapes(&program, "chosen_by"), ["1/F T/F"]);
    assert_eq!(left_out(&program, "chosen_by"), [WhyLeftOut::Choice]);
    let many: Vec<String> = (0..12).map(|at| format!("(x == {at} || y == {at})")).collect();
    let text = format!("int many(int x, int y) {{ return {}; }}\n", many.join(" && "));
    let program = Bench::with(&text, Options::default());
    assert_eq!(left_out(&program, "many"), [WhyLeftOut::TooManyVectors]);
}

#[test]
fn a_stub_beside_a_function_changes_nothing() {
    let program = Bench::new(SOURCE, |config| config.replaceable = ["both", "kept"].map(str::to_owned).into());
    assert_eq!((shapes(&program, "both"), left_out(&program, "both")), (vec!["1/F T/F".to_owned()], vec![]));
    assert_eq!((shapes(&program, "kept"), left_out(&program, "kept")), (vec!["1/F T/2 T/F".to_owned()], vec![]));
}

#[test]
fn conditions_know_their_sites_and_places() {
    let program = Bench::with(SOURCE, Options::default());
    let map = program.map();
    for decision in &map.decisions {
        for condition in &decision.conditions.0 {
            assert!(condition.line > 0 && decision.line > 0, "{decision:?}");
            for test in &condition.tests {
                assert_eq!(map.sites[test.site.index()].function, decision.function);
                assert_eq!(map.sites[test.site.index()].outcomes, 2);
            }
        }
    }
    let choice = program.function("choice_behind").number;
    let decision = map.decisions.iter().find(|decision| decision.function == choice).unwrap();
    let tests = |at: usize| decision.conditions.0[at].tests.iter().map(|test| test.is_true_on).collect::<Vec<_>>();
    assert_eq!([tests(0), tests(1)], [vec![true], vec![true, false]], "`!c` makes the condition true when c is false");
}
