//! A function or variable that is defined nowhere, or is not to be used → C text that stands for it: a symbolic stub, or a variable
//! that is zero.
//!
//! ```text
//! int g(const char *name, int *out);
//! int __covet_stub_0(void *name, void *out) __asm__("g");
//! int __covet_stub_0(void *name, void *out) { if (out) { int o; covet_symbolic(&o, sizeof o, "stub.g->out"); *(int *)out = o; } ... }
//! ```
//!
//! Each call gives a fresh value, `stub.g`, `stub.g#2`, ...; numbers behind pointers that are not `const` are outputs. A returned
//! pointer is NULL or a fresh object. The text names no type of the program unless a structure is passed by value, so it means
//! the same in an instrumented program and in a test of another file. Each stub is one line.

use covet_settings::StubSettings;
use covet_source::{Function, Global, Parameter, TypeId, TypeKind, Types, spelling};

use crate::fresh::{Fresh, UNKNOWN_SIZE};

/// What stands for a part of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stub {
    /// The name of that part.
    pub name: String,
    /// The unit that is compiled with the stub.
    pub unit: usize,
    pub text: String,
    /// The same for tests, where what was promised holds.
    pub plain: String,
    /// It means the same in every file.
    pub is_portable: bool,
}

/// What every text with stubs starts with.
pub const PREAMBLE: &str = "void covet_symbolic(void *, unsigned long, const char *); \
    void *calloc(unsigned long, unsigned long); void exit(int) __attribute__((noreturn));";

/// Elements that a stub fills at most where the user says how many there are.
const MOST_ELEMENTS: u64 = 64;
/// The code with which a stub of a function that does not return ends the run.
const END: u32 = 1;

/// The stub of `function`, which is defined nowhere; none when C has no name for one of its types.
pub fn of_function(number: usize, unit: usize, function: &Function, manner: Manner<'_>, types: &Types) -> Option<Stub> {
    let (stub, symbol) = (format!("__covet_stub_{number}"), &function.symbol);
    let define = |made: &Made| {
        let Made { result, parameters, body, .. } = made;
        format!(
            "__attribute__((weak)) {result} {stub}({parameters}) __asm__(\"{symbol}\"); \
             __attribute__((nodebug)) {result} {stub}({parameters}) {{ {body} }}"
        )
    };
    let made = Made::of(function, manner, types)?;
    let plain = define(&Made::of(function, Manner { promise: None, ..manner }, types)?);
    Some(Stub { name: function.name.clone(), unit, text: define(&made), plain, is_portable: made.is_portable })
}

/// Storage for `global`, all zero.
pub fn of_global(number: usize, unit: usize, global: &Global, types: &Types) -> Stub {
    let ty = types.get(global.ty);
    let (size, align) = (ty.size.unwrap_or(UNKNOWN_SIZE).max(1), ty.align.unwrap_or(16).max(1));
    let (name, symbol) = (format!("__covet_variable_{number}"), &global.symbol);
    let local = if global.is_thread_local { "__thread " } else { "" };
    let text = format!(
        "extern {local}char {name}[{size}] __asm__(\"{symbol}\"); \
         __attribute__((weak, aligned({align}))) {local}char {name}[{size}];"
    );
    Stub { name: global.name.clone(), unit, plain: text.clone(), text, is_portable: true }
}

/// How a stub behaves.
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    pub returns: bool,
    /// Whether numbers behind its pointers are outputs where nobody says so.
    pub has_outputs: bool,
    pub settings: Option<&'a StubSettings>,
    /// The function that assumes what the user promises of it, if there is one.
    pub promise: Option<&'a str>,
}

/// The parts of a function's definition.
pub struct Made {
    pub result: String,
    pub parameters: String,
    pub body: String,
    pub is_portable: bool,
}

impl Made {
    /// None when C has no name for one of the function's types.
    pub fn of(function: &Function, manner: Manner<'_>, types: &Types) -> Option<Made> {
        let mut parameters = Vec::new();
        let mut body = String::new();
        let is_record = |id: TypeId| matches!(types.kind(id), TypeKind::Record(_));
        let mut is_portable = !is_record(function.result);
        for (at, parameter) in function.parameters.iter().enumerate() {
            parameters.push(format!("{} {}", spelling::passed(types, parameter.ty)?, local(parameter, at)));
            is_portable &= !is_record(parameter.ty);
            body += &output(function, at, manner, types);
        }
        let mut told: Vec<String> = function.parameters.iter().enumerate().map(|(at, p)| local(p, at)).collect();
        if function.is_variadic && !parameters.is_empty() {
            parameters.push("...".to_owned());
        }
        let result = spelling::passed(types, function.result)?;
        let is_void = matches!(types.kind(function.result), TypeKind::Void);
        if !is_void && manner.returns {
            body += &value(function, &result, types);
            told.push(RESULT.to_owned());
        }
        if let Some(promise) = manner.promise.filter(|_| manner.returns) {
            body += &format!("{promise}({}); ", told.join(", "));
        }
        body += &match (manner.returns, is_void) {
            (false, _) => format!("exit({END});"),
            (true, true) => String::new(),
            (true, false) => format!("return {RESULT};"),
        };
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        Some(Made { result, parameters, body, is_portable })
    }
}

/// Variables of a stub that no parameter is called.
const P: &str = "__covet_p";
const I: &str = "__covet_i";

/// The variable that holds what a stub returns; conditions about it call it so.
pub const RESULT: &str = "result";

/// The name of a parameter in the stub.
fn local(parameter: &Parameter, at: usize) -> String {
    match parameter.name.as_str() {
        "" | RESULT => format!("__covet_a{at}"),
        name => name.to_owned(),
    }
}

/// The statements by which what parameter `at` points at becomes an output, if it is one.
fn output(function: &Function, at: usize, manner: Manner<'_>, types: &Types) -> String {
    let parameter = &function.parameters[at];
    let TypeKind::Pointer { pointee, is_const } = types.kind(parameter.ty) else { return String::new() };
    let pointee = types.completed(*pointee);
    let called = if parameter.name.is_empty() { at.to_string() } else { parameter.name.clone() };
    let (local, name) = (local(parameter, at), format!("stub.{}->{called}", function.name));
    let said = manner.settings.and_then(|settings| settings.outputs.as_ref());
    let count = match said {
        Some(outputs) => match outputs.iter().find(|output| output.parameter.value == parameter.name) {
            Some(output) => output.count.as_deref().unwrap_or("1"),
            None => return String::new(),
        },
        None if !manner.has_outputs => return String::new(),
        // Characters are taken for parts of a text, of a length nobody knows.
        None if *is_const || matches!(types.kind(pointee), TypeKind::Char { .. }) => return String::new(),
        None => "1",
    };
    let element = if matches!(types.kind(pointee), TypeKind::Void) { None } else { Some(pointee) };
    let size = element.map_or(1, |element| types.get(element).size.unwrap_or(0));
    let place = format!("(char *){local} + {I} * {size}");
    let fill = match element {
        Some(element) => Fresh::fill(types, element, P, &name),
        None if said.is_some() => Fresh::byte(P, &name),
        None => String::new(),
    };
    match (fill.is_empty(), count) {
        (true, _) => String::new(),
        (false, "1") => format!("if ({local}) {{ char *{P} = (char *){local}; {fill}}} "),
        (false, count) => format!(
            "if ({local}) for (unsigned long {I} = 0; {I} < (unsigned long)({count}) && {I} < {MOST_ELEMENTS}; {I}++) \
             {{ char *{P} = {place}; {fill}}} "
        ),
    }
}

/// The statements that declare what the stub returns.
fn value(function: &Function, spelled: &str, types: &Types) -> String {
    let name = format!("stub.{}", function.name);
    match types.kind(function.result) {
        TypeKind::Pointer { pointee, .. } => {
            format!("char *{RESULT} = (char *)0; {}", Fresh::object_for(types, *pointee, RESULT, &name))
        }
        TypeKind::Record(_) => {
            let filled = Fresh::build(types, function.result, P, &name);
            format!(
                "{spelled} {RESULT}; __builtin_memset(&{RESULT}, 0, sizeof {RESULT}); {{ char *{P} = (char *)&{RESULT}; {filled}}} "
            )
        }
        _ => {
            let filled = Fresh::fill(types, function.result, P, &name);
            format!("{spelled} {RESULT} = 0; {{ char *{P} = (char *)&{RESULT}; {filled}}} ")
        }
    }
}
