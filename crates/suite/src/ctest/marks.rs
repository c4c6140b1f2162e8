//! Inputs that the source asks for (`klee_make_symbolic`, `CREST_int`, `__VERIFIER_nondet_int`, ...) → their values, and plain C
//! definitions of the functions that hand them out.
//!
//! Only functions that the program uses and does not define itself are given a definition.

use super::data::Data;
use super::literal;
use covet_input::{AccessPath, PathRoot, Value, ValueKind};
use covet_source::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// Scalars that can be asked for: suffix, C type, width in bits.
const SCALARS: &[(&str, &str, u32)] = &[
    ("char", "char", 8),
    ("schar", "signed char", 8),
    ("uchar", "unsigned char", 8),
    ("short", "short", 16),
    ("ushort", "unsigned short", 16),
    ("int", "int", 32),
    ("uint", "unsigned", 32),
    ("long", "long", 64),
    ("ulong", "unsigned long", 64),
    ("longlong", "long long", 64),
    ("ulonglong", "unsigned long long", 64),
    ("float", "float", 32),
    ("double", "double", 64),
    ("bool", "_Bool", 1),
];

/// More scalars, under the names of `covet.h`.
const COVET_ONLY: &[(&str, &str, u32)] = &[
    ("size", "unsigned long", 64),
    ("i8", "signed char", 8),
    ("u8", "unsigned char", 8),
    ("i16", "short", 16),
    ("u16", "unsigned short", 16),
    ("i32", "int", 32),
    ("u32", "unsigned", 32),
    ("i64", "long", 64),
    ("u64", "unsigned long", 64),
];

/// More scalars, under the names of verification tasks.
const VERIFIER_ONLY: &[(&str, &str, u32)] = &[
    ("_Bool", "_Bool", 1),
    ("longdouble", "long double", 64),
    ("size_t", "unsigned long", 64),
    ("ssize_t", "long", 64),
    ("ptrdiff_t", "long", 64),
    ("loff_t", "long", 64),
    ("off_t", "long", 64),
    ("pointer", "void *", 64),
    ("pchar", "char *", 64),
    ("S8", "signed char", 8),
    ("U8", "unsigned char", 8),
    ("S16", "short", 16),
    ("U16", "unsigned short", 16),
    ("S32", "int", 32),
    ("U32", "unsigned", 32),
    ("S64", "long", 64),
    ("U64", "unsigned long", 64),
    ("s8", "signed char", 8),
    ("u8", "unsigned char", 8),
    ("s16", "short", 16),
    ("u16", "unsigned short", 16),
    ("s32", "int", 32),
    ("u32", "unsigned", 32),
    ("s64", "long", 64),
    ("u64", "unsigned long", 64),
    ("int8_t", "signed char", 8),
    ("uint8_t", "unsigned char", 8),
    ("int16_t", "short", 16),
    ("uint16_t", "unsigned short", 16),
    ("int32_t", "int", 32),
    ("uint32_t", "unsigned", 32),
    ("int64_t", "long", 64),
    ("uint64_t", "unsigned long", 64),
    ("unsigned", "unsigned", 32),
    ("unsigned_int", "unsigned", 32),
    ("unsigned_char", "unsigned char", 8),
    ("unsigned_short", "unsigned short", 16),
    ("unsigned_long", "unsigned long", 64),
    ("signed_char", "signed char", 8),
    ("sector_t", "unsigned long", 64),
];

const CREST_ONLY: &[(&str, &str, u32)] = &[("longdouble", "long double", 64), ("pointer", "void *", 64)];

/// The functions of the original `crest.h`, which pass no name: symbol, name of the value, type, width.
const OLD_CREST: &[(&str, &str, &str, u32)] = &[
    ("__CrestUChar", "crest_uchar", "unsigned char", 8),
    ("__CrestUShort", "crest_ushort", "unsigned short", 16),
    ("__CrestUInt", "crest_uint", "unsigned", 32),
    ("__CrestChar", "crest_char", "char", 8),
    ("__CrestShort", "crest_short", "short", 16),
    ("__CrestInt", "crest_int", "int", 32),
];

/// Functions that are not one of many: symbol, result, parameters, body.
const SINGLE: &[(&str, &str, &str, &str)] = &[
    (
        "klee_make_symbolic",
        "void",
        "void *to, unsigned long size, const char *name",
        "covtest_mark_object(to, size, name);",
    ),
    (
        "covet_symbolic",
        "void",
        "void *to, unsigned long size, const char *name",
        "covtest_mark_object(to, size, name);",
    ),
    (
        "__VERIFIER_nondet_memory",
        "void",
        "void *to, unsigned long size",
        "covtest_mark_object(to, size, \"nondet_memory\");",
    ),
    ("covet_assume", "void", "int holds", "covtest_assumed(holds);"),
    ("klee_assume", "void", "unsigned long holds", "covtest_assumed(holds != 0);"),
    ("__VERIFIER_assume", "void", "int holds", "covtest_assumed(holds);"),
    ("covet_range", "int", "int from, int below, const char *name", RANGE),
    ("klee_range", "int", "int from, int below, const char *name", RANGE),
    ("klee_int", "int", "const char *name", "return (int)covtest_mark(name, 32);"),
    ("klee_choose", "unsigned long", "unsigned long below", "(void)below; return covtest_mark(\"klee_choose\", 64);"),
    ("covet_fail", "void", "const char *text, const char *file, unsigned line, const char *function", FAIL_AT),
    ("klee_report_error", "void", "const char *text, int line, const char *file, const char *function", FAIL_AT),
    ("__VERIFIER_error", "void", "void", "covtest_failed();"),
    ("reach_error", "void", "void", "covtest_failed();"),
    ("__VERIFIER_assert", "void", "int holds", "if (!holds) covtest_failed();"),
    ("klee_abort", "void", "void", "covtest_failed();"),
    ("klee_silent_exit", "void", "int code", "covtest_syscall(SYS_exit_group, (long)code);"),
    ("klee_is_symbolic", "unsigned", "unsigned long value", "(void)value; return 0;"),
    ("klee_is_replay", "unsigned", "void", "return 0;"),
    ("klee_get_valuef", "float", "float value", "return value;"),
    ("klee_get_valued", "double", "double value", "return value;"),
    ("klee_get_valuel", "long", "long value", "return value;"),
    ("klee_get_valuell", "long long", "long long value", "return value;"),
    ("klee_get_value_i32", "int", "int value", "return value;"),
    ("klee_get_value_i64", "long", "long value", "return value;"),
    ("klee_get_obj_size", "unsigned long", "void *object", "return __builtin_object_size(object, 0);"),
    ("klee_get_errno", "int", "void", "return 0;"),
    ("klee_prefer_cex", "void", "void *object, unsigned long condition", "(void)object; (void)condition;"),
    ("klee_posix_prefer_cex", "void", "void *object, unsigned long condition", "(void)object; (void)condition;"),
    ("klee_define_fixed_object", "void", "void *start, unsigned long size", "(void)start; (void)size;"),
    ("klee_mark_global", "void", "void *object", "(void)object;"),
    ("klee_check_memory_access", "void", "const void *start, unsigned long size", "(void)start; (void)size;"),
    ("klee_print_expr", "void", "const char *text, ...", "(void)text;"),
    ("klee_print_range", "void", "const char *name, int value", "(void)name; (void)value;"),
    ("klee_warning", "void", "const char *text", "(void)text;"),
    ("klee_warning_once", "void", "const char *text", "(void)text;"),
    ("klee_stack_trace", "void", "void", ""),
    ("klee_set_forking", "void", "unsigned enable", "(void)enable;"),
    ("klee_alias_function", "void", "const char *name, const char *other", "(void)name; (void)other;"),
    ("klee_open_merge", "void", "void", ""),
    ("klee_close_merge", "void", "void", ""),
    ("klee_merge", "void", "void", ""),
    ("__VERIFIER_atomic_begin", "void", "void", ""),
    ("__VERIFIER_atomic_end", "void", "void", ""),
];

const RANGE: &str = "(void)from; (void)below; return (int)covtest_mark(name, 32);";
const FAIL_AT: &str = "(void)text; (void)line; (void)file; (void)function; covtest_failed();";

/// Whether an input is one that the source, or a stub, asks for by this name.
pub fn is_mark(path: &AccessPath) -> bool {
    match path.root() {
        PathRoot::Marked(_) | PathRoot::Stub(_) => true,
        // As a whole they are no inputs of ours.
        PathRoot::Stdin | PathRoot::Argv => path.steps().is_empty(),
        PathRoot::Argument(_) | PathRoot::Global(_) | PathRoot::File(_) => false,
    }
}

/// Names that have a list of their own.
const LISTS: usize = 64;

/// The statements that give a test its marked values: by name and number where that says all, row by row otherwise.
pub fn table(data: &mut Data, marks: &[(AccessPath, Value)]) -> Vec<String> {
    let mut lists: BTreeMap<&str, (u16, BTreeMap<u64, Value>)> = BTreeMap::new();
    let mut rows = Vec::new();
    for (path, value) in marks {
        match numbered(path).filter(|_| value.width <= 64) {
            Some((name, number)) if lists.get(name).map_or(lists.len() < LISTS, |(width, _)| *width == value.width) => {
                lists.entry(name).or_insert((value.width, BTreeMap::new())).1.insert(number, *value);
            }
            Some(_) | None => rows.push((path, value)),
        }
    }
    let mut lines = Vec::new();
    for (at, (name, (width, values))) in lists.into_iter().enumerate() {
        let count = values.last_key_value().map_or(0, |(number, _)| *number);
        let value = |number: u64| values.get(&number).map_or("0".to_string(), |value| shown(*value));
        // Of a long run only what matters is known; the rest is zero.
        let is_sparse = values.len() as u64 * 2 < count;
        let all: Vec<String> = if is_sparse {
            values.iter().map(|(number, value)| format!("[{}] = {}", number - 1, shown(*value))).collect()
        } else {
            (1..=count).map(value).collect()
        };
        let list = data.initializer(format!("{{ {} }}", all.join(", ")));
        lines.push(format!("static const long long marked_{at}[] = {list};"));
        lines.push(format!("covtest_use_values({}, {width}, marked_{at}, {count});", literal::string(name.as_bytes())));
    }
    if rows.is_empty() {
        return lines;
    }
    let mut list = "{\n".to_string();
    for (path, value) in rows {
        let name = literal::string(path.as_str().as_bytes());
        let (low, high) = (value.bits as u64, (value.bits >> 64) as u64);
        list += &format!("    {{ {name}, {}, {low:#x}ULL, {high:#x}ULL }}, /* {value} */\n", value.width);
    }
    let list = data.initializer(list + "}");
    lines.push(format!("static const struct covtest_mark marks[] = {list};"));
    lines.push("covtest_use_marks(marks, sizeof marks / sizeof marks[0]);".to_string());
    lines
}

/// The name of a mark and its number among those of that name, where nothing else is in its label.
fn numbered(path: &AccessPath) -> Option<(&str, u64)> {
    let (name, number) = match path.as_str().split_once('#') {
        Some((name, number)) => (name, number.parse().ok()?),
        None => (path.as_str(), 1),
    };
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // A run with so many is no test to read anyway.
    (is_plain && (1..1 << 24).contains(&number)).then_some((name, number))
}

/// Of at most 64 bits, as a number of that many.
fn shown(value: Value) -> String {
    match value.kind {
        ValueKind::Signed => literal::signed(value.bits, u32::from(value.width)),
        ValueKind::Float => format!("{:#x}", value.bits as u64 as i64),
        _ if value.bits > i64::MAX as u128 => format!("(long long){:#x}ULL", value.bits as u64),
        _ => value.bits.to_string(),
    }
}

/// Definitions of the marking functions that `units`, whose files read `texts`, use and do not define.
pub fn definitions(units: &[Unit], texts: &[String]) -> Vec<String> {
    let functions = || units.iter().flat_map(|unit| &unit.functions);
    let defined: BTreeSet<&str> = functions().filter(|f| f.has_body).map(|f| f.name.as_str()).collect();
    let mut used: BTreeSet<&str> = functions().map(|f| f.name.as_str()).collect();
    for text in texts {
        used.extend(text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
    }
    // Behind the macros of these two headers are functions that the text does not show.
    let has_macro = |prefix: &str| used.iter().any(|word| word.starts_with(prefix));
    let (crest, crown) = (has_macro("CREST_") || has_macro("__Crest_"), has_macro("SYM_") || has_macro("__Crown_"));
    let is_used = |symbol: &str| {
        used.contains(symbol)
            || (crest && symbol.starts_with("__Crest_"))
            || (crown && symbol.starts_with("__Crown_"))
            || (symbol == "covet_fail" && (crown || used.contains("covet_assert")))
            || (symbol == "covet_assume" && (crest || crown))
    };
    every()
        .into_iter()
        .filter(|(symbol, _)| is_used(symbol) && !defined.contains(symbol.as_str()))
        .map(|(_, text)| text)
        .collect()
}

/// Whether a function of this name is given a definition when the program has none.
pub fn is_marking(name: &str) -> bool {
    every().iter().any(|(symbol, _)| symbol == name)
}

/// Every marking function: its symbol and its definition.
fn every() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |symbol: String, result: &str, parameters: &str, body: &str| {
        let text =
            format!("COVTEST_DEFINE({result}, covtest_marking_{symbol}, \"{symbol}\", ({parameters})) {{ {body} }}");
        all.push((symbol, text));
    };
    for (suffix, ty, width) in SCALARS.iter().chain(COVET_ONLY) {
        let body = format!("return {};", value(ty, *width, "name"));
        add(format!("covet_{suffix}"), ty, "const char *name", &body);
    }
    for (suffix, ty, width) in SCALARS.iter().chain(VERIFIER_ONLY) {
        let body = format!("return {};", value(ty, *width, &format!("\"nondet_{suffix}\"")));
        add(format!("__VERIFIER_nondet_{suffix}"), ty, "void", &body);
    }
    for (suffix, ty, width) in SCALARS.iter().chain(CREST_ONLY) {
        let body = format!("*to = {};", value(ty, *width, "name"));
        add(format!("__Crest_{suffix}"), "void", &format!("{ty} *to, const char *name"), &body);
        let name = format!("name[0] ? name : \"SYM_{suffix}\"");
        let body = format!("{ty} made = {}; if (to) *to = made; return made;", value(ty, *width, &name));
        add(format!("__Crown_{suffix}"), ty, &format!("{ty} *to, const char *name"), &body);
    }
    for (symbol, name, ty, width) in OLD_CREST {
        let body = format!("*to = {};", value(ty, *width, &format!("\"{name}\"")));
        add(symbol.to_string(), "void", &format!("{ty} *to"), &body);
    }
    for (symbol, result, parameters, body) in SINGLE {
        add(symbol.to_string(), result, parameters, body);
    }
    all
}

/// The expression that fetches a value of this type.
fn value(ty: &str, width: u32, name: &str) -> String {
    match ty {
        "float" => format!("covtest_float((unsigned)covtest_mark({name}, 32))"),
        "double" | "long double" => format!("covtest_double(covtest_mark({name}, 64))"),
        _ => format!("({ty})covtest_mark({name}, {width})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions that the shipped headers declare.
    fn declared() -> Vec<String> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/include");
        let mut names = Vec::new();
        for header in ["covet.h", "crest.h", "crown.h", "klee/klee.h"] {
            let text = std::fs::read_to_string(folder.join(header)).unwrap();
            for line in text.lines().filter(|line| line.ends_with(");") && !line.starts_with([' ', '#', '/'])) {
                let before = line.rsplit_once('(').map_or("", |(before, _)| before);
                names.extend(before.rsplit([' ', '*']).next().map(str::to_string));
            }
        }
        names
    }

    #[test]
    fn values_far_apart_are_written_without_those_between() {
        let mark = |name: &str, bits| (AccessPath::from(name), Value { bits, width: 8, kind: ValueKind::Unsigned });
        let lines = table(&mut Data::default(), &[mark("n", 7), mark("n#2", 8), mark("m", 1), mark("m#1000000", 0)]);
        assert_eq!(lines[0], "static const long long marked_0[] = { [0] = 1, [999999] = 0 };");
        assert_eq!(lines[2], "static const long long marked_1[] = { 7, 8 };");
    }

    #[test]
    fn every_function_of_the_shipped_headers_has_a_plain_definition() {
        let known: Vec<String> = every().into_iter().map(|(symbol, _)| symbol).collect();
        let declared = declared();
        assert!(declared.len() > 80, "{declared:?}");
        let missing: Vec<_> = declared.iter().filter(|name| !known.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
