//! Function model → driver: a C function of one fixed type that calls it with arguments found behind pointers.
//!
//! ```text
//! int f(struct s v, char *p);
//! void __covet_driver_0_f(void **a, void *r) { *(int *)r = (f)(*(struct s *)a[0], *(void **)a[1]); }
//! ```
//!
//! Drivers are compiled inside the unit, after its last line, so they see static functions and all types. Each is one line of
//! text, so an error names its driver by line.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use covet_source::{Function, TypeId, TypeKind, Types, Unit};

use crate::{DRIVER_PREFIX, stub};

/// Whether a function can be called from outside, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// Index in the functions of the unit's model.
    pub function: usize,
    /// The driver's symbol, or why there is none.
    pub symbol: Result<String, String>,
}

/// The symbol of the driver of `function` in unit number `unit`.
pub fn driver_symbol(unit: usize, function: &str) -> String {
    format!("{DRIVER_PREFIX}{unit}_{function}")
}

/// The text to append to a unit, and for each of its lines the function it belongs to.
pub struct DriverText {
    pub text: String,
    lines: Vec<Option<usize>>,
}

impl DriverText {
    /// Whether `stub` is on `line` (from 1).
    pub fn is_stub_at(&self, line: usize, stub: &str) -> bool {
        line.checked_sub(1).and_then(|at| self.text.lines().nth(at)) == Some(stub)
    }

    /// The function whose driver is on `line` (from 1).
    pub fn function_at(&self, line: usize) -> Option<usize> {
        self.lines.get(line.checked_sub(1)?).copied().flatten()
    }
}

/// Writes the drivers of `wanted` (indices into the unit's functions), and `stubs`. `exported` are inline functions that must be
/// given a symbol.
pub fn write(
    unit: usize,
    model: &Unit,
    types: &Types,
    wanted: &[usize],
    exported: &BTreeSet<usize>,
    stubs: &[String],
) -> DriverText {
    let mut drivers = Vec::new();
    for &index in wanted {
        let function = &model.functions[index];
        if exported.contains(&index) {
            drivers.push((index, format!("extern __typeof__({0}) {0};", function.name)));
        }
        if let Ok(text) = driver(unit, function, types) {
            drivers.push((index, text));
        }
    }
    let mut names: BTreeSet<&str> = BTreeSet::new();
    drivers.iter().for_each(|(_, text)| names.extend(identifiers(text)));
    if !stubs.is_empty() {
        names.extend(identifiers(stub::PREAMBLE));
    }
    stubs.iter().for_each(|text| names.extend(identifiers(text)));
    let mut text = String::new();
    // Nothing follows the drivers, so every macro that could change what they say may go.
    for name in &names {
        let _ = writeln!(text, "#undef {name}");
    }
    let mut lines = vec![None; names.len()];
    for (index, driver) in drivers {
        let _ = writeln!(text, "{driver}");
        lines.push(Some(index));
    }
    if !stubs.is_empty() {
        let _ = writeln!(text, "{}", stub::PREAMBLE);
    }
    for stub in stubs {
        let _ = writeln!(text, "{stub}");
    }
    DriverText { text, lines }
}

/// One driver on one line, or why the function cannot have one.
pub fn driver(unit: usize, function: &Function, types: &Types) -> Result<String, String> {
    let mut typedefs = String::new();
    let mut arguments = Vec::new();
    for (i, parameter) in function.parameters.iter().enumerate() {
        let ty = passed_as(parameter.ty, types, &mut typedefs)
            .ok_or_else(|| format!("the type of parameter {} has no name", i + 1))?;
        arguments.push(format!("*({ty} *)__covet_a[{i}]"));
    }
    let call = format!("({})({})", function.name, arguments.join(", "));
    let body = match types.kind(function.result) {
        TypeKind::Void => format!("{call};"),
        // Assignment is refused when a member is const; a copy is not. The type may have no name, so none is used.
        TypeKind::Record(_) => {
            format!("__auto_type __covet_v = {call}; __builtin_memcpy(__covet_r, &__covet_v, sizeof __covet_v);")
        }
        TypeKind::Pointer { .. } => format!("*(void **)__covet_r = (void *){call};"),
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Enum(_)
        | TypeKind::Array { .. }
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => {
            let ty = passed_as(function.result, types, &mut typedefs).ok_or("its result type has no name")?;
            format!("*({ty} *)__covet_r = {call};")
        }
    };
    let symbol = driver_symbol(unit, &function.name);
    let (declaration, before) = if function.name == HARNESS { INITIALISE } else { ("", "") };
    Ok(format!(
        "{declaration}__attribute__((used, nodebug)) void {symbol}(void **__covet_a, void *__covet_r) {{ {typedefs}{before}{body} }}"
    ))
}

/// The entry of a fuzz harness.
const HARNESS: &str = "LLVMFuzzerTestOneInput";
/// What a harness may want to be called before its first input, wherever in the program that is: its declaration and the call.
const INITIALISE: (&str, &str) = (
    "extern int __covet_initialise(int *, char ***) __asm__(\"LLVMFuzzerInitialize\") __attribute__((weak)); ",
    "int __covet_count = 1; char __covet_name[] = \"program\", *__covet_list[] = { __covet_name, (void *)0 }, \
     **__covet_vector = __covet_list; if (__covet_initialise) __covet_initialise(&__covet_count, &__covet_vector); ",
);

/// The C name under which a value of type `id` is read and written; none when C has no name for it.
fn passed_as(id: TypeId, types: &Types, typedefs: &mut String) -> Option<String> {
    let ty = types.get(id);
    match &ty.kind {
        TypeKind::Pointer { .. } => Some("void *".to_owned()),
        TypeKind::Enum(values) => Some(types.get(values.underlying).name.clone()),
        TypeKind::Vector { .. } => {
            let name = format!("__covet_t{}", id.0);
            let line = format!("typedef {} {name}; ", ty.name);
            if !typedefs.contains(&line) {
                typedefs.push_str(&line);
            }
            Some(name)
        }
        TypeKind::Record(_) => {
            let is_named = !ty.name.contains("(unnamed") && !ty.name.contains("(anonymous");
            is_named.then(|| ty.name.clone())
        }
        TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => Some(ty.name.clone()),
        TypeKind::Void | TypeKind::Array { .. } | TypeKind::Function { .. } => None,
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .filter(|word| !word.starts_with("__covet_") && *word != "defined")
}
