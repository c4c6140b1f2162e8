//! Paths are written as they are read, and are cut and joined as a whole.

use super::*;
use proptest::prelude::*;

fn written(root: &PathRoot, steps: &[PathStep]) -> String {
    AccessPath::new(root.clone()).joined(steps).text
}

/// Every form that programs, plans and records have.
const FORMS: [&str; 36] = [
    "arg.x",
    "arg.0",
    "arg.2:long",
    "arg.3:text[0]",
    "arg.p->next->val",
    "arg.v.d[1]",
    "arg.rows[2][7]",
    "(*arg.p)",
    "(*arg.p)[3]",
    "(*(*arg.m)[1])[2]",
    "(*arg.p)->x",
    "(*arg.a)[2].k->v",
    "arg.p.more",
    "arg.p.length",
    "arg.cursor.at",
    "arg.f()",
    "arg.f()#2",
    "arg.ops->read()#12",
    "arg.u.pointer?",
    "global.cfg.mode",
    "(*global.table)[0]->name[4]",
    "stub.g",
    "stub.g#2",
    "stub.g->out[3].x#2",
    "stub.g[0]#w16.2",
    "stdin[3]",
    "stdin.size",
    "argv[1][0]",
    "file.config.ini[7]",
    "file.a b[c].txt.size",
    "x",
    "x#2",
    "buffer#3[5]",
    "record.12",
    "nondet_int#w8.2",
    "a name (of *some* kind)[2]",
];

#[test]
fn every_form_reads_as_it_is_written() {
    for text in FORMS {
        let path = AccessPath::from(text);
        assert_eq!(written(path.root(), path.steps()), text);
    }
}

#[test]
fn steps_are_told_apart() {
    let member = |name: &str| PathStep::Member(name.into());
    let of = |text: &str| {
        let path = AccessPath::from(text);
        (path.root, path.steps)
    };
    let argument = |name: &str| PathRoot::Argument(name.into());
    assert_eq!(of("arg.p->x[2]"), (argument("p"), vec![PathStep::Deref, member("x"), PathStep::Index(2)]));
    assert_eq!(of("(*(*arg.m)[1])"), (argument("m"), vec![PathStep::Deref, PathStep::Index(1), PathStep::Deref]));
    assert_eq!(of("arg.f()#2"), (argument("f"), vec![PathStep::Call, PathStep::Repetition(2)]));
    assert_eq!(of("argv[1][0]"), (PathRoot::Argv, vec![PathStep::Index(1), PathStep::Index(0)]));
    assert_eq!(of("file.a.b[c].txt[7]"), (PathRoot::File("a.b[c].txt".into()), vec![PathStep::Index(7)]));
    assert_eq!(of("file.in.size"), (PathRoot::File("in".into()), vec![member("size")]));
    assert_eq!(
        of("stub.g->level#2"),
        (PathRoot::Stub("g".into()), vec![PathStep::Deref, member("level"), PathStep::Repetition(2)])
    );
    assert_eq!(
        of("b#2[3]#w8.2").1,
        [PathStep::Repetition(2), PathStep::Index(3), PathStep::Width { bits: 8, clash: 2 }]
    );
}

#[test]
fn what_we_do_not_write_is_a_name_of_the_program() {
    for text in ["", "arg", "arg.", "(*arg.m", "arg.x[", "arg.x[01]", "(*arg.p).x", "[", "#2", "stdinput"] {
        assert_eq!(AccessPath::from(text).root, PathRoot::Marked(text.into()));
    }
}

#[test]
fn paths_are_moved_as_a_whole() {
    let moved = |path: &str, from: &str, to: &str| {
        AccessPath::from(path).moved(&from.into(), &to.into()).map(|path| path.to_string())
    };
    assert_eq!(moved("arg.a->x", "arg.a", "arg.b").as_deref(), Some("arg.b->x"));
    assert_eq!(moved("(*arg.a)[2]", "arg.a", "arg.b->c").as_deref(), Some("(*arg.b->c)[2]"));
    assert_eq!(moved("(*(*arg.m)[1])[2]", "(*arg.m)[1]", "arg.q").as_deref(), Some("(*arg.q)[2]"));
    assert_eq!(moved("arg.a()", "arg.a", "arg.b").as_deref(), Some("arg.b()"));
    assert_eq!(moved("arg.ab->x", "arg.a", "arg.b"), None);
    assert_eq!(moved("arg.a", "arg.a", "arg.b"), None);
}

#[test]
fn one_place_has_one_canonical_path() {
    let canonical = |path: &str| AccessPath::from(path).canonical().to_string();
    assert_eq!(canonical("arg.p->x"), "arg.p[0].x");
    assert_eq!(canonical("(*(*arg.m)[1])"), "arg.m[0][1][0]");
    assert_eq!(canonical("(*arg.m)[2]"), canonical("arg.m[0][2]"));
}

fn any_step() -> impl Strategy<Value = PathStep> {
    let count = prop_oneof![0..4u64, any::<u64>()];
    prop_oneof![
        4 => "[a-z_][a-z0-9_]{0,3}".prop_map(|name| PathStep::Member(name.into())),
        3 => count.clone().prop_map(PathStep::Index),
        3 => Just(PathStep::Deref),
        1 => Just(PathStep::Call),
        1 => count.clone().prop_map(PathStep::Repetition),
        1 => (count.clone(), count).prop_map(|(bits, clash)| PathStep::Width { bits, clash }),
        1 => Just(PathStep::Choice),
    ]
}

fn any_root() -> impl Strategy<Value = PathRoot> {
    let name = || "[a-zA-Z0-9_:]{1,4}".prop_map(Arc::<str>::from);
    prop_oneof![
        name().prop_map(PathRoot::Argument),
        name().prop_map(PathRoot::Global),
        name().prop_map(PathRoot::Stub),
        Just(PathRoot::Stdin),
        Just(PathRoot::Argv),
    ]
}

proptest! {
    #[test]
    fn any_text_reads_as_it_is_written(text in "[a-c.\\[\\]()*>#w?0-9-]{0,14}|(\\(\\*)?(arg|stub|file)\\.[a-c.\\[\\]()*>#w?0-9-]{0,14}|.*") {
        let path = AccessPath::from(text.as_str());
        prop_assert_eq!(written(path.root(), path.steps()), text);
    }

    #[test]
    fn any_path_is_read_back(root in any_root(), steps in prop::collection::vec(any_step(), 0..8)) {
        let path = AccessPath::new(root.clone()).joined(&steps);
        let read = AccessPath::from(path.as_str());
        prop_assert_eq!((read.root(), read.steps()), (&root, &steps[..]));
    }

    #[test]
    fn parts_are_below_what_they_are_parts_of(root in any_root(), steps in prop::collection::vec(any_step(), 0..8), cut in 0..8usize) {
        let (above, below) = steps.split_at(cut.min(steps.len()));
        let parent = AccessPath::new(root).joined(above);
        let path = parent.clone().joined(below);
        prop_assert_eq!(path.below(&parent), Some(below));
        prop_assert!(path.canonical().as_str().starts_with(parent.canonical().as_str()));
        let parents = std::iter::successors(Some(path), AccessPath::parent);
        prop_assert!(parents.into_iter().any(|path| path == parent));
    }
}
