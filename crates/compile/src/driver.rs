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
use std::path::Path;

use covet_abi::plan::{EXTRA_WORDS, GUARD_WORDS};
use covet_abi::symbols::{DRIVER, OURS};
use covet_source::{Function, TypeKind, Types, Unit, spelling};

use crate::conditions::Conditions;
use crate::program::Additions;
use crate::stub;

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
    format!("{DRIVER}{unit}_{function}")
}

/// The text to append to a unit, and for each of its lines the function it belongs to.
pub struct DriverText {
    pub text: String,
    lines: Vec<Option<usize>>,
}

impl DriverText {
    fn add(&mut self, function: Option<usize>, line: &str) {
        let _ = writeln!(self.text, "{line}");
        self.lines.push(function);
    }

    /// Whether `stub` is on `line` (from 1).
    pub fn is_stub_at(&self, line: usize, stub: &str) -> bool {
        line.checked_sub(1).and_then(|at| self.text.lines().nth(at)) == Some(stub)
    }

    /// The function whose driver is on `line` (from 1).
    pub fn function_at(&self, line: usize) -> Option<usize> {
        self.lines.get(line.checked_sub(1)?).copied().flatten()
    }
}

/// What is appended to one unit.
pub struct Extension<'a> {
    pub unit: usize,
    pub model: &'a Unit,
    pub types: &'a Types,
    pub additions: &'a Additions,
    pub conditions: &'a Conditions,
    /// The file that holds the text of `conditions`, if they have any.
    pub conditions_file: Option<&'a Path>,
}

impl Extension<'_> {
    /// Writes the drivers of `wanted` (indices into the unit's functions), and `stubs`.
    pub fn write(&self, wanted: &[usize], stubs: &[String]) -> DriverText {
        let mut drivers = Vec::new();
        for &index in wanted {
            let function = &self.model.functions[index];
            if self.additions.exported.contains(&index) {
                drivers.push((index, format!("extern __typeof__({0}) {0};", function.name)));
            }
            if let Ok(text) = self.driver(index) {
                drivers.push((index, text));
            }
        }
        let mut names: BTreeSet<&str> = BTreeSet::new();
        drivers.iter().for_each(|(_, text)| names.extend(identifiers(text)));
        if !stubs.is_empty() {
            names.extend(identifiers(stub::PREAMBLE));
        }
        stubs.iter().for_each(|text| names.extend(identifiers(text)));
        let mut text = DriverText { text: String::new(), lines: Vec::new() };
        if let Some(file) = self.conditions_file {
            text.add(None, &format!("#include \"{}\"", file.display()));
        }
        // Nothing of the unit follows, so every macro that could change what is said here may go.
        names.iter().for_each(|name| text.add(None, &format!("#undef {name}")));
        drivers.iter().for_each(|(index, driver)| text.add(Some(*index), driver));
        if !stubs.is_empty() {
            text.add(None, stub::PREAMBLE);
        }
        stubs.iter().for_each(|stub| text.add(None, stub));
        text
    }

    /// One driver on one line, or why the function cannot have one.
    pub fn driver(&self, index: usize) -> Result<String, String> {
        let function = &self.model.functions[index];
        driver(self.unit, function, self.types, |arguments| {
            self.conditions.statement(self.unit, index, function, arguments)
        })
    }
}

/// The driver of a function; `prepare` gives what it does before the call, told the arguments.
fn driver(
    unit: usize,
    function: &Function,
    types: &Types,
    prepare: impl Fn(&[String]) -> String,
) -> Result<String, String> {
    let mut arguments = Vec::new();
    for (i, parameter) in function.parameters.iter().enumerate() {
        let ty = spelling::passed(types, parameter.ty)
            .ok_or_else(|| format!("the type of parameter {} has no name", i + 1))?;
        arguments.push(format!("*({ty} *)__covet_a[{i}]"));
    }
    let mut rest = String::new();
    if function.is_variadic {
        rest = format!("struct __covet_rest {{ unsigned long words[{GUARD_WORDS}]; }}; ");
        let words = std::iter::repeat_n("long", EXTRA_WORDS);
        let floats = std::iter::repeat_n("double", function.spare_floats(types));
        for ty in words.chain(floats).chain(["struct __covet_rest"]) {
            arguments.push(format!("*({ty} *)__covet_a[{}]", arguments.len()));
        }
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
            let ty = spelling::passed(types, function.result).ok_or("its result type has no name")?;
            format!("*({ty} *)__covet_r = {call};")
        }
    };
    let symbol = driver_symbol(unit, &function.name);
    let (declaration, initialise) = if function.name == HARNESS { INITIALISE } else { ("", "") };
    let before = rest + &prepare(&arguments[..function.parameters.len()]) + initialise;
    Ok(format!(
        "{declaration}__attribute__((used, nodebug)) void {symbol}(void **__covet_a, void *__covet_r) {{ {before}{body} }}"
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

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .filter(|word| !word.starts_with(OURS) && *word != "defined")
}
