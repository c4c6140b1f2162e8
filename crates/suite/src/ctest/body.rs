//! One test → one C function: globals set, arguments built, the tested function called, its result checked.

use super::access::{Node, Tree};
use super::data::Data;
use super::object::{Builder, Place, Reachable};
use super::watch::{self, Root, Watched};
use super::{literal, marks, mock, variadic};
use covet_input::{AccessPath, PathRoot, Value, ValueKind};
use covet_results::{Test, TestOutcome};
use covet_source::{Function, Global, PointeeTypes, TypeId, TypeKind, Types, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// The entry of a fuzz harness, and what is called once before it.
const HARNESS: &str = "LLVMFuzzerTestOneInput";
const INITIALISER: &str = "LLVMFuzzerInitialize";

/// What a test is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be run and read.
    Check,
    /// To find out what can be checked.
    Record,
}

/// A test as a C function, and what can be looked at after its call.
pub struct Body {
    pub text: String,
    pub watched: Vec<Watched>,
    /// Files beside it: names and texts.
    pub data: Vec<(String, String)>,
}

/// The file that a test is in.
#[derive(Clone, Copy)]
pub struct File<'a> {
    pub types: &'a Types,
    pub units: &'a [Unit],
    /// Number of the tested unit.
    pub at: usize,
    pub globals: &'a [Watched],
    pub purpose: Purpose,
    /// The folder of data beside it.
    pub data: &'a str,
}

/// The C function named `symbol` that performs `test` on `function`.
/// What it does before anything else is `before`.
pub fn function(file: File<'_>, function: &Function, test: &Test, symbol: &str, before: Vec<String>) -> Body {
    let File { types, units, at, .. } = file;
    let unit = &units[at];
    let inputs = test.inputs.iter().map(|(name, value)| (name.as_str().into(), *value)).collect();
    let (returned, filled, inputs) = mock::split(inputs);
    let (refused, inputs): (Vec<_>, Vec<_>) =
        inputs.into_iter().partition(|(path, _)| covet_input::allocation(path.as_str()).is_some());
    let (marked, placed): (Vec<_>, Vec<_>) = inputs.into_iter().partition(|(path, _)| marks::is_mark(path));
    let tree = Tree::new(&placed);
    let reachable = reachable(units, unit);
    let mut taken = taken(function, &tree);
    taken.extend(file.globals.iter().map(|global| global.name.clone()));
    let data = Data::new(format!("{}/{}", file.data, symbol.trim_start_matches("covtest_run_")));
    let mut builder = Builder::new(types, &reachable, &test.pointers, taken, symbol, data);
    (builder.returned, builder.filled) = (returned, filled);
    builder.lines.extend(before);
    builder.pointee_types = PointeeTypes::of(&units.iter().collect::<Vec<_>>(), types, at, function);
    if !marked.is_empty() {
        let lines = marks::table(&mut builder.data, &marked);
        builder.lines.extend(lines);
    }
    // One that hangs does not ask for more than it was given.
    if !marked.is_empty() && matches!(test.outcome, TestOutcome::Cut | TestOutcome::Timeout) {
        builder.lines.push("covtest_leave_after_marks();".to_string());
    }
    files(&mut builder, &tree);
    let missing = globals(&mut builder, units, unit, &tree, test.pointers.keys());
    let call = if function.name == "main" && !tree.has_arguments() {
        program_call(&mut builder, function, &tree)
    } else {
        call(&mut builder, function, &tree)
    };
    if function.name == HARNESS {
        builder.lines.extend(initialise(units, unit));
    }
    let is_program = function.name == "main" && matches!(types.kind(function.result), TypeKind::Int { width: 32, .. });
    let call = if is_program { format!("covtest_leaving({call})") } else { call };
    let numbers = refused.iter().filter_map(|(path, _)| covet_input::allocation(path.as_str()));
    let refusals: Vec<String> = numbers.map(|number| format!("REFUSE_ALLOCATION({number});")).collect();
    let watched = ending(&mut builder, file, function, &call, test, refusals);
    let mut text: String = builder.definitions.iter().map(|definition| format!("{definition}\n\n")).collect();
    let lines = missing.iter().map(|name| format!("/* not set: {name} */")).chain(unused(&tree)).chain(builder.lines);
    let statements: String = lines.map(|line| format!("    {}\n", line.replace('\n', "\n    "))).collect();
    text += &format!("static void {symbol}(void)\n{{\n{}}}\n", builder.data.statements(statements));
    Body { text, watched, data: builder.data.files }
}

/// The call, with what is looked at before and after it; `last` is said right before it.
fn ending(
    builder: &mut Builder<'_>,
    file: File<'_>,
    function: &Function,
    call: &str,
    test: &Test,
    last: Vec<String>,
) -> Vec<Watched> {
    let types = builder.types;
    let name = builder.name("result");
    let is_value = types.get(function.result).size.is_some() && !matches!(types.kind(function.result), TypeKind::Void);
    let declared = covet_source::spelling::declare(&function.result_name, &name);
    let mut watched: Vec<Watched> = watch::objects(&builder.objects).cloned().collect();
    let lines = &mut builder.lines;
    match file.purpose {
        Purpose::Record => {
            let last = ["covtest_watch_globals();", "COUNT_BLOCKS();"].map(String::from);
            lines.extend(watched.iter().map(Watched::statement).chain(last))
        }
        Purpose::Check => lines.extend(watch::before(&test.checks)),
    }
    lines.extend(last);
    watched.extend(file.globals.iter().map(|global| {
        let is_mentioned = function.mentions.contains(&global.name);
        Watched { root: Root::Global { is_mentioned }, ..global.clone() }
    }));
    let result = Watched {
        root: Root::Result,
        name: name.clone(),
        ty: Some(function.result),
        elements: 1,
        size: format!("sizeof {name}"),
    };
    let expected = if test.outcome == TestOutcome::Returned { test.returned } else { None };
    let checked = expected.and_then(|expected| checked(types, function, &name, expected));
    let is_looked_at = match file.purpose {
        Purpose::Record => is_value,
        Purpose::Check => checked.is_some() || watch::mentions(&test.checks, &name),
    };
    // A compiler leaves out the call of a function without side effects when nobody wants its result.
    let is_wanted = is_value && test.outcome.ended_badly();
    lines.push(if is_looked_at || is_wanted { format!("{declared} = {call};") } else { format!("{call};") });
    if is_wanted && !is_looked_at {
        lines.push(format!("USE({name});"));
    }
    lines.push("covtest_returned();".to_string());
    lines.extend(checked);
    match file.purpose {
        Purpose::Record => {
            if is_value {
                lines.push(result.statement());
            }
            lines.push("covtest_observe();".to_string());
        }
        Purpose::Check => lines.extend(watch::after(&test.checks)),
    }
    if is_value {
        watched.push(result);
    }
    watched
}

fn reachable<'u>(units: &'u [Unit], unit: &'u Unit) -> Reachable<'u> {
    let others =
        units.iter().flat_map(|unit| &unit.functions).filter(|function| function.has_body && !function.is_static);
    Reachable {
        here: unit.functions.iter().map(|function| function.name.as_str()).collect(),
        records: &unit.records,
        elsewhere: others.map(|function| function.name.as_str()).collect(),
    }
}

fn unused(tree: &Tree) -> Vec<String> {
    tree.unused()
        .into_iter()
        .map(|(path, value)| format!("/* not used: {} = {value} */", path.as_str().replace("*/", "* /")))
        .collect()
}

/// Words that a local variable may not hide: the function, its types, the globals set here.
fn taken(function: &Function, tree: &Tree) -> BTreeSet<String> {
    const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline int \
        long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true \
        false asm typeof NULL main";
    let mut words: BTreeSet<String> = KEYWORDS.split_whitespace().map(str::to_string).collect();
    words.insert(function.name.clone());
    for parameter in &function.parameters {
        let parts =
            parameter.type_name.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        let mut is_tag = false;
        for word in parts {
            if !is_tag {
                words.insert(word.to_string());
            }
            // Tags have a name space of their own.
            is_tag = matches!(word, "struct" | "union" | "enum");
        }
    }
    words.extend(tree.globals().map(|(name, _)| name.to_string()));
    words
}

/// Standard input and files.
fn files(builder: &mut Builder<'_>, tree: &Tree) {
    if let Some(input) = tree.root(&PathRoot::Stdin) {
        let bytes = contents(input);
        let text = builder.bytes("stdin_bytes", &bytes);
        builder.lines.push(format!("covtest_stdin({text}, {});", bytes.len()));
    }
    for (name, node) in tree.files() {
        let bytes = contents(node);
        let name = literal::string(name.as_bytes());
        let text = builder.bytes("file_bytes", &bytes);
        builder.lines.push(format!("covtest_file({name}, {text}, {});", bytes.len()));
    }
}

/// The bytes of a file: up to its size where that is an input too, all that are named otherwise.
pub fn contents(node: &Node) -> Vec<u8> {
    let size = node.field("size").and_then(Node::take).map(|value| value.bits as u64);
    let length = size.map_or(node.extent(), |size| size.min(node.extent().max(1 << 20)));
    let bytes = node.bytes(length);
    node.take_all();
    bytes
}

/// Assigns the globals; gives those that this file cannot reach.
fn globals<'p>(
    builder: &mut Builder<'_>,
    units: &[Unit],
    unit: &Unit,
    tree: &Tree,
    pointers: impl Iterator<Item = &'p AccessPath>,
) -> Vec<AccessPath> {
    let mut missing = Vec::new();
    let mut named: BTreeMap<&str, Option<&Node>> =
        pointers.filter_map(|path| path.root().as_global()).map(|name| (name, None)).collect();
    named.extend(tree.globals().map(|(name, node)| (name, Some(node))));
    for (name, node) in named {
        let here = unit.globals.iter().find(|global| global.name == name);
        let elsewhere =
            || units.iter().flat_map(|unit| &unit.globals).find(|global| global.name == name && !global.is_static);
        match here.or_else(elsewhere) {
            Some(global) if !global.is_const && here.is_some() => {
                assign_global(builder, global, (global.ty, &global.type_name), node)
            }
            Some(global)
                if !global.is_const
                    && let Some((ty, written)) = builder.reachable.spelling(builder.types, global.ty) =>
            {
                builder.lines.push(format!("extern {};", covet_source::spelling::declare(&written, name)));
                assign_global(builder, global, (ty, &written), node);
            }
            Some(_) | None => {
                if let Some(node) = node {
                    node.take_all();
                }
                missing.push(AccessPath::global(name));
            }
        }
    }
    missing
}

fn assign_global(builder: &mut Builder<'_>, global: &Global, (ty, written): (TypeId, &str), node: Option<&Node>) {
    let path = AccessPath::global(&global.name);
    let expression = &global.name;
    let declared = Place { ty, written, bit_width: None, is_inferred: false, node, path: &path, expression };
    let place = builder.as_taken(declared, builder.pointee_types.global(&global.name));
    assign(builder, place);
}

/// Assignments to every part of a place that the input names; other parts keep what the program gave them.
pub fn assign(builder: &mut Builder<'_>, place: Place<'_>) {
    if place.node.is_none() && !builder.knows_pointer(place.path) {
        return;
    }
    match builder.types.kind(place.ty) {
        TypeKind::Record(record) => {
            for field in &record.fields {
                if field.name.is_empty() {
                    assign(builder, Place { ty: field.ty, ..place });
                    continue;
                }
                let path = place.path.member(&field.name);
                let expression = format!("{}.{}", place.expression, field.name);
                let part = builder.part(place, field, &path, &expression);
                assign(builder, part);
            }
        }
        TypeKind::Array { element, .. } | TypeKind::Vector { element, .. } => {
            let written = covet_source::spelling::element(builder.types, place.written, *element).unwrap_or_default();
            let named = place.node.map_or(0, Node::extent).max(builder.pointer_extent(place.path));
            for index in 0..named {
                let path = place.path.index(index);
                let expression = format!("{}[{index}]", place.expression);
                let node = place.node.and_then(|node| node.element(index));
                assign(
                    builder,
                    Place {
                        ty: *element,
                        written: &written,
                        bit_width: None,
                        is_inferred: false,
                        node,
                        path: &path,
                        expression: &expression,
                    },
                );
            }
        }
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Pointer { .. }
        | TypeKind::Function { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => {
            let value = builder.initializer(place);
            builder.lines.push(format!("{} = {value};", place.expression));
        }
    }
}

/// Declares the arguments; gives the call.
fn call(builder: &mut Builder<'_>, function: &Function, tree: &Tree) -> String {
    let mut arguments = Vec::new();
    let list = function.va_list(builder.types);
    for (position, parameter) in function.parameters.iter().enumerate().filter(|(position, _)| Some(*position) != list)
    {
        let (name, node) = argument(tree, function, position);
        let path = AccessPath::argument(&name);
        let declared = Place {
            ty: parameter.ty,
            written: &parameter.type_name,
            bit_width: None,
            is_inferred: false,
            node,
            path: &path,
            expression: "",
        };
        let place = builder.as_taken(declared, builder.pointee_types.parameter(&parameter.name));
        let wish =
            if parameter.name.is_empty() { format!("argument_{}", position + 1) } else { parameter.name.clone() };
        let variable = builder.variable(&wish, place);
        let is_cast = variable.starts_with("(void *)");
        arguments.push(if place.is_inferred && !is_cast { format!("(void *){variable}") } else { variable });
    }
    variadic::call(builder, function, arguments, tree)
}

/// The input of a parameter: by its name, or by its position when it has none. A fuzz harness has names of its own.
fn argument<'t>(tree: &'t Tree, function: &Function, position: usize) -> (String, Option<&'t Node>) {
    let own = function.parameters[position].name.as_str();
    let harness = if function.name == HARNESS { ["data", "size"].get(position).copied() } else { None };
    let number = position.to_string();
    let wishes = [own, harness.unwrap_or(&number)];
    let known = wishes.into_iter().find(|wish| tree.argument(wish).is_some());
    let name = known.unwrap_or(if own.is_empty() { &number } else { own });
    (name.to_string(), tree.argument(name))
}

/// The call of a whole program: `main` with its argument strings.
fn program_call(builder: &mut Builder<'_>, function: &Function, tree: &Tree) -> String {
    let node = tree.root(&PathRoot::Argv);
    let count = node.map_or(0, Node::extent).max(1);
    let mut strings = Vec::new();
    for index in 0..count {
        let bytes = match node.and_then(|node| node.element(index)) {
            Some(text) => text.bytes(text.extent()),
            None if index == 0 => b"program".to_vec(),
            None => Vec::new(),
        };
        let name = builder.name(&format!("argv_{index}"));
        let text = builder.data.initializer(literal::string(&bytes));
        builder.lines.push(format!("char {name}[] = {text};"));
        strings.push(name);
    }
    if function.parameters.is_empty() {
        return "main()".to_string();
    }
    builder.lines.push(format!("char *argv[] = {{ {}, NULL }};", strings.join(", ")));
    let environment = if function.parameters.len() > 2 { ", environment" } else { "" };
    if function.parameters.len() > 2 {
        builder.lines.push("char *environment[] = { NULL };".to_string());
    }
    let arguments = if function.parameters.len() == 1 { String::new() } else { format!(", argv{environment}") };
    format!("main({count}{arguments})")
}

/// The call that a fuzz harness expects before its first input, where it has such a function.
fn initialise(units: &[Unit], unit: &Unit) -> Vec<String> {
    let is_defined = |unit: &Unit| unit.function(INITIALISER).is_some_and(|function| function.has_body);
    let Some(owner) = units.iter().find(|unit| is_defined(unit)) else { return Vec::new() };
    let mut lines = Vec::new();
    if !is_defined(unit) {
        let result = owner.function(INITIALISER).map_or("int", |function| function.result_name.as_str());
        lines.push(format!("extern {result} {INITIALISER}(int *, char ***);"));
    }
    lines.push("int covtest_argc = 1;".to_string());
    lines.push("char covtest_program[] = \"program\", *covtest_list[] = { covtest_program, NULL };".to_string());
    lines.push("char **covtest_argv = covtest_list;".to_string());
    lines.push(format!("{INITIALISER}(&covtest_argc, &covtest_argv);"));
    lines
}

/// The check of a result that is a number.
fn checked(types: &Types, function: &Function, result: &str, expected: Value) -> Option<String> {
    match types.kind(function.result) {
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Enum(_) => {
            Some(integer(types, function.result, result, expected))
        }
        TypeKind::Float { width: 32 } if expected.kind == ValueKind::Float => {
            Some(format!("CHECK_FLOAT({result}, {});", literal::float(expected.bits, 32)))
        }
        TypeKind::Float { width: 64 } if expected.kind == ValueKind::Float => {
            Some(format!("CHECK_DOUBLE({result}, {});", literal::float(expected.bits, 64)))
        }
        TypeKind::Pointer { .. }
        | TypeKind::Float { .. }
        | TypeKind::Void
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => None,
    }
}

fn integer(types: &Types, ty: TypeId, result: &str, expected: Value) -> String {
    let (signed, width) = literal::integer_shape(types, ty);
    let seen = u32::from(expected.width).min(width);
    if width > 64 {
        return format!("CHECK_BITS({result}, {}, {});", literal::unsigned(expected.bits, seen), seen / 8);
    }
    let expected = literal::scalar(types, ty, None, Value { width: seen as u16, ..expected });
    if signed { format!("CHECK_INT({result}, {expected});") } else { format!("CHECK_UNSIGNED({result}, {expected});") }
}

/// How the test must end, as the entries of its row in the table.
pub fn expectation(test: &Test) -> String {
    match test.outcome {
        TestOutcome::Returned => "COVTEST_RETURNS, 0".to_string(),
        TestOutcome::Cut => "COVTEST_EXITS, 0".to_string(),
        TestOutcome::Exited => format!("COVTEST_EXITS, {}", test.exit_code.unwrap_or(0)),
        TestOutcome::Crashed => format!("COVTEST_DIES, {}", test.signal.unwrap_or(0)),
        TestOutcome::Timeout => "COVTEST_RUNS_ON, 0".to_string(),
        TestOutcome::Violated => "COVTEST_ANYTHING, 0".to_string(),
    }
}

/// The unit that a test belongs to.
pub fn unit_of(units: &[Unit], test: &Test) -> Option<usize> {
    find(units, test).map(|(unit, _)| unit)
}

/// The functions of `units` by name, those with a body first.
pub fn find<'u>(units: &'u [Unit], test: &Test) -> Option<(usize, &'u Function)> {
    let mut candidates: BTreeMap<bool, (usize, &Function)> = BTreeMap::new();
    for (index, unit) in units.iter().enumerate() {
        if let Some(function) = unit.function(&test.function).filter(|function| function.has_body) {
            let same_file = !test.file.is_empty() && same_file(test, unit, function);
            candidates.entry(same_file).or_insert((index, function));
        }
    }
    candidates.pop_last().map(|(_, found)| found)
}

fn same_file(test: &Test, unit: &Unit, function: &Function) -> bool {
    let wanted = std::path::Path::new(&test.file);
    wanted == unit.file || wanted.ends_with(&unit.file) || wanted == function.file
}
