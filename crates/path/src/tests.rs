//! A small arena by hand, through import, path condition and verification.

use crate::*;
use covet_abi::event::{Event, Kind};
use covet_abi::node::{Node, Op, Table};
use covet_expr::{Evaluator, Pool};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_sites::SiteNumber;
use std::collections::BTreeMap;

fn node(op: Op, width: u16, a: u32, b: u32, c: u32, imm: u64) -> Node {
    Node { op: op as u8, aux: 0, width, a, b, c, imm }
}

fn registry() -> Variables {
    let mut variables = Variables::default();
    for name in ["arg.a", "arg.b"] {
        variables.intern(Variable { name: name.into(), width: 32, kind: ValueKind::Signed, default: 0 });
    }
    variables
}

/// 1: b, 2: a (the worker's order differs from the engine's), 3: 10, 4: a < b, 5: a == 10, 6: table[a] ...
fn nodes() -> Vec<Node> {
    vec![
        Node::default(),
        node(Op::Var, 32, 0, 0, 0, 0),
        node(Op::Var, 32, 1, 0, 0, 0),
        node(Op::Const, 32, 0, 0, 0, 10),
        node(Op::Slt, 1, 2, 1, 0, 0),
        node(Op::Eq, 1, 2, 3, 0, 0),
        node(Op::Select, 32, 2, 0, 0, 0),
        node(Op::Slt, 1, 6, 3, 0, 0),
    ]
}

const WORKER_ORDER: [VarId; 2] = [VarId(1), VarId(0)];

fn event(kind: Kind, taken: u8, site: u32, expr: u32, value: u64) -> Event {
    Event { kind: kind as u8, taken, detail: 0, site, expr, asked: 0, value }
}

struct World {
    pool: Pool,
    variables: Variables,
    importer: Importer,
    cases: BTreeMap<SiteNumber, Vec<u64>>,
}

impl World {
    fn new() -> World {
        let cases = BTreeMap::from([(SiteNumber(7), vec![1, 2, 3])]);
        World { pool: Pool::new(), variables: registry(), importer: Importer::new(), cases }
    }

    fn path(&mut self, events: &[Event]) -> Result<PathCondition, TraceError> {
        let nodes = nodes();
        let tables = [Table { start: 0, len: 2, width: 32, hash: 0 }];
        let arena = Arena { nodes: &nodes, tables: &tables, entries: &[3, 1], variables: &WORKER_ORDER, epoch: 1 };
        PathCondition::of(&mut self.pool, &self.variables, &mut self.importer, &arena, events, &self.cases)
    }

    fn show(&self, t: covet_expr::Term) -> String {
        covet_expr::text::text(&self.pool, &self.variables, t)
    }
}

#[test]
fn conditions_and_their_text() {
    let mut world = World::new();
    let events = [
        event(Kind::Branch, 0, 1, 4, 0),
        event(Kind::Switch, 1, 7, 2, 2),
        event(Kind::Concretise, 1, 0, 5, 0),
        event(Kind::Target, 1, 9, 2, 2),
        event(Kind::Check, 0, 3, 7, 0),
    ];
    let path = world.path(&events).expect("a good trace");
    let shown: Vec<String> = path.conditions.iter().map(|c| world.show(c.term)).collect();
    assert_eq!(shown[0], "arg.a >= arg.b");
    assert_eq!(shown[1], "arg.a == 2");
    assert_eq!(path.prefix(4).len(), 3);
    assert_eq!(path.concretizations(4).len(), 1);
    let listing = text::path(&world.pool, &world.variables, &path, |site| format!("main.c:{site}"));
    assert!(listing.contains("switch     main.c:7"), "{listing}");
    assert_eq!(text::trace(&events, |site| site.to_string()).lines().count(), 5);
}

#[test]
fn defaults_of_switches_exclude_every_case() {
    let mut world = World::new();
    let path = world.path(&[event(Kind::Switch, 1, 7, 2, 40)]).expect("a good trace");
    let mut input = Input::default();
    input.set(VarId(0), 40);
    assert!(verify(&path, &world.pool, &input).is_clean());
    input.set(VarId(0), 3);
    let wrong = verify(&path, &world.pool, &input);
    assert_eq!((wrong.mismatches, wrong.first, wrong.event), (1, Some(0), Some(0)));
}

#[test]
fn variables_are_translated_and_tables_read() {
    let mut world = World::new();
    let path = world.path(&[event(Kind::Branch, 1, 1, 7, 0)]).expect("good");
    let mut input = Input::default();
    // table = {10, b}: with a = 1 the entry is b.
    input.set(VarId(0), 1);
    input.set(VarId(1), 3);
    let mut evaluator = Evaluator::new(&world.pool, &input);
    assert!(evaluator.holds(path.conditions[0].term));
}

#[test]
fn scribbled_arenas_are_errors() {
    let mut world = World::new();
    let bad = [
        (node(Op::Add, 32, 1, 9, 0, 0), "younger"),
        (node(Op::Add, 16, 1, 2, 0, 0), "do not fit"),
        (node(Op::Var, 32, 77, 0, 0, 0), "variable 77"),
        (node(Op::Select, 32, 2, 5, 0, 0), "table 5"),
        (Node { op: 255, width: 1, ..Node::default() }, "unknown operator"),
        (node(Op::Extract, 8, 1, 0, 0, u64::MAX), "do not fit"),
        (node(Op::Call, 64, 1, 0, 0, 3), "do not fit"),
        (node(Op::Call, 32, 1, 0, 0, u64::MAX), "do not fit"),
    ];
    for (scribble, expected) in bad {
        let mut nodes = nodes();
        nodes.push(scribble);
        let arena = Arena { nodes: &nodes, tables: &[], entries: &[], variables: &WORKER_ORDER, epoch: 2 };
        let events = [event(Kind::Branch, 1, 1, nodes.len() as u32 - 1, 0)];
        let error =
            PathCondition::of(&mut world.pool, &world.variables, &mut world.importer, &arena, &events, &NoCases);
        let message = error.expect_err("must not import").to_string();
        assert!(message.contains(expected), "{message}");
    }
    assert!(world.path(&[event(Kind::Branch, 1, 1, 1, 0)]).is_err(), "not a condition");
    assert!(world.path(&[event(Kind::Branch, 1, 1, 0, 0)]).is_err(), "no expression");
    assert!(world.path(&[Event { kind: 99, ..Event::default() }]).is_err());
}

#[test]
fn long_chains_import_without_recursion_and_once() {
    let mut world = World::new();
    let mut nodes = nodes();
    let mut last = 2;
    for i in 0..150_000u64 {
        nodes.push(node(Op::Const, 32, 0, 0, 0, i | 1));
        let constant = nodes.len() as u32 - 1;
        nodes.push(node(if i % 2 == 0 { Op::Mul } else { Op::Add }, 32, last, constant, 0, 0));
        last = nodes.len() as u32 - 1;
    }
    nodes.push(node(Op::Slt, 1, last, 3, 0, 0));
    let root = nodes.len() as u32 - 1;
    let arena = Arena { nodes: &nodes, tables: &[], entries: &[], variables: &WORKER_ORDER, epoch: 3 };
    world.importer.refresh(&arena);
    let first = world.importer.term(&mut world.pool, &world.variables, &arena, root).expect("good");
    let before = world.pool.len();
    let again = world.importer.term(&mut world.pool, &world.variables, &arena, root).expect("good");
    assert_eq!((first, before), (again, world.pool.len()));
}
