//! A function or variable that is used but defined nowhere → a definition: a symbolic stub, or a variable that is zero.
//!
//! ```text
//! int g(const char *name, int *out);
//! int stub_0(void *a0, void *a1) __asm__("g");
//! int stub_0(void *a0, void *a1) { if (a1) { int o; covet_symbolic(&o, sizeof o, "stub.g->out"); *(int *)a1 = o; } ... }
//! ```
//!
//! Each call gives a fresh value, `stub.g`, `stub.g#2`, ...; numbers behind pointers that are not `const` are outputs. A returned
//! pointer is NULL or a fresh object. The text names no type of the program unless a structure is passed by value, so it means
//! the same in an instrumented program and in a test of another file. Each stub is one line.

use covet_source::{Function, Global, TypeId, TypeKind, Types};

/// What stands for a missing part of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stub {
    /// The missing name.
    pub name: String,
    /// The unit that declares it, and is compiled with the stub.
    pub unit: usize,
    pub text: String,
    /// It means the same in every file.
    pub is_portable: bool,
}

/// What every text with stubs starts with.
pub const PREAMBLE: &str = "void covet_symbolic(void *, unsigned long, const char *); \
    void *calloc(unsigned long, unsigned long); void exit(int) __attribute__((noreturn));";

/// Bytes of a fresh object whose size nobody knows.
const UNKNOWN_SIZE: u64 = 64;
/// Larger objects than this are zero.
const LARGEST: u64 = 256;
/// The code with which a stub of a function that does not return ends the run.
const END: u32 = 1;

/// The stub of `function`, or none when C has no name for one of its types.
pub fn of_function(number: usize, unit: usize, function: &Function, returns: bool, types: &Types) -> Option<Stub> {
    let writer = Writer { types, name: &function.name };
    let mut parameters = Vec::new();
    let mut body = String::new();
    let mut is_portable = true;
    for (at, parameter) in function.parameters.iter().enumerate() {
        parameters.push(format!("{} a{at}", writer.spelled(parameter.ty, &mut is_portable)?));
        let called = if parameter.name.is_empty() { at.to_string() } else { parameter.name.clone() };
        body += &writer.output(parameter.ty, at, &called);
    }
    if function.is_variadic && !parameters.is_empty() {
        parameters.push("...".to_owned());
    }
    let result = writer.spelled(function.result, &mut is_portable)?;
    body += &if returns { writer.result(function.result, &result) } else { format!("exit({END});") };
    let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let (stub, symbol) = (format!("__covet_stub_{number}"), &function.symbol);
    let text = format!(
        "__attribute__((weak)) {result} {stub}({list}) __asm__(\"{symbol}\"); \
         __attribute__((nodebug)) {result} {stub}({list}) {{ {body} }}"
    );
    Some(Stub { name: function.name.clone(), unit, text, is_portable })
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
    Stub { name: global.name.clone(), unit, text, is_portable: true }
}

struct Writer<'a> {
    types: &'a Types,
    name: &'a str,
}

impl Writer<'_> {
    /// The type as it is passed.
    fn spelled(&self, id: TypeId, is_portable: &mut bool) -> Option<String> {
        let ty = self.types.get(id);
        match &ty.kind {
            TypeKind::Pointer { .. } => Some("void *".to_owned()),
            TypeKind::Enum(values) => Some(self.types.get(values.underlying).name.clone()),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Complex { .. } => Some(ty.name.clone()),
            TypeKind::Record(_) => {
                *is_portable = false;
                (!ty.name.contains("(unnamed") && !ty.name.contains("(anonymous")).then(|| ty.name.clone())
            }
            TypeKind::Array { .. } | TypeKind::Function { .. } | TypeKind::Vector { .. } | TypeKind::Opaque => None,
        }
    }

    /// The statement by which a number behind parameter `at` becomes an output, if there is one.
    fn output(&self, id: TypeId, at: usize, called: &str) -> String {
        let TypeKind::Pointer { pointee, is_const: false } = self.types.kind(id) else { return String::new() };
        match self.number(self.types.completed(*pointee)) {
            Some(ty) => format!(
                "if (a{at}) {{ {ty} o; covet_symbolic(&o, sizeof o, \"stub.{}->{called}\"); *({ty} *)a{at} = o; }} ",
                self.name
            ),
            None => String::new(),
        }
    }

    /// The C name of a type of numbers; characters are taken for parts of a text.
    fn number(&self, id: TypeId) -> Option<String> {
        match self.types.kind(id) {
            TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Bool => Some(self.types.get(id).name.clone()),
            TypeKind::Enum(values) => Some(self.types.get(values.underlying).name.clone()),
            TypeKind::Void
            | TypeKind::Char { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. }
            | TypeKind::Opaque => None,
        }
    }

    fn result(&self, id: TypeId, spelled: &str) -> String {
        let name = self.name;
        match self.types.kind(id) {
            TypeKind::Void => String::new(),
            TypeKind::Pointer { pointee, .. } => self.fresh_object(self.types.completed(*pointee)),
            TypeKind::Bool => format!("char v; covet_symbolic(&v, sizeof v, \"stub.{name}\"); return v != 0;"),
            _ => format!("{spelled} v; covet_symbolic(&v, sizeof v, \"stub.{name}\"); return v;"),
        }
    }

    /// Returns NULL or a fresh object of type `id`: symbolic where it holds no pointers.
    fn fresh_object(&self, id: TypeId) -> String {
        let name = self.name;
        if matches!(self.types.kind(id), TypeKind::Function { .. }) {
            return "return (void *)0;".to_owned();
        }
        let size = self.types.get(id).size.unwrap_or(UNKNOWN_SIZE).max(1);
        let text = match self.types.kind(id) {
            // A short string.
            TypeKind::Char { .. } => {
                format!("char o[8]; covet_symbolic(o, sizeof o, \"stub.{name}->\"); o[7] = 0;")
            }
            _ => match self.number(id) {
                Some(ty) => format!("{ty} o; covet_symbolic(&o, sizeof o, \"stub.{name}->\");"),
                None if size <= LARGEST && !self.has_pointers(id) => {
                    format!("unsigned char o[{size}]; covet_symbolic(o, sizeof o, \"stub.{name}->\");")
                }
                None => format!("static const char o[{size}];"),
            },
        };
        format!(
            "char given; covet_symbolic(&given, sizeof given, \"stub.{name}\"); if (!given) return (void *)0; \
             {text} void *p = calloc(1, sizeof o); if (p) __builtin_memcpy(p, &o, sizeof o); return p;"
        )
    }

    fn has_pointers(&self, id: TypeId) -> bool {
        match self.types.kind(id) {
            TypeKind::Pointer { .. } | TypeKind::Function { .. } | TypeKind::Opaque => true,
            TypeKind::Array { element, .. } => self.has_pointers(*element),
            TypeKind::Record(record) => record.fields.iter().any(|field| self.has_pointers(field.ty)),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Char { .. }
            | TypeKind::Float { .. }
            | TypeKind::Enum(_)
            | TypeKind::Vector { .. }
            | TypeKind::Complex { .. } => false,
        }
    }
}
