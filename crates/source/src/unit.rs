//! The model of one translation unit: its functions and its variables of static storage duration.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::facts::Facts;
use crate::letters::{Case, Letters};
use crate::types::TypeId;

#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// As given.
    pub file: PathBuf,
    /// Every function with a body, and those declared outside system headers; each name once, in order of appearance.
    pub functions: Vec<Function>,
    /// Variables at file scope, each name once, outside system headers.
    pub globals: Vec<Global>,
    /// Records whose definitions the unit sees, of those that anything in it leads to.
    pub records: BTreeSet<TypeId>,
}

impl Unit {
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    /// Its symbol; differs from `name` under `__asm__("...")`.
    pub symbol: String,
    /// File and lines as `#line` and debug information present them; the path is made absolute.
    pub file: PathBuf,
    pub line: u32,
    pub end_line: u32,
    /// Written in the unit's own file, not in an included one.
    pub in_main_file: bool,
    pub in_system_header: bool,
    /// The header, not one of the system's, that declares it for others.
    pub header: Option<PathBuf>,
    pub visibility: Visibility,
    pub is_static: bool,
    pub is_inline: bool,
    /// Declared or defined `extern` by the declaration described here.
    pub is_extern: bool,
    pub is_variadic: bool,
    /// `f()` or an old-style definition: calls are not checked against it, and small arguments are promoted.
    pub has_prototype: bool,
    pub has_body: bool,
    pub parameters: Vec<Parameter>,
    pub result: TypeId,
    pub result_name: String,
    /// Its declaration says that it never gives NULL.
    pub gives_something: bool,
    /// Functions and file-scope variables that its body names, sorted.
    pub mentions: Vec<String>,
    /// Members of records that its body names, sorted.
    pub members: Vec<String>,
    /// Sizes of the arrays of characters that its body names, and of what it allocates where that is always as much, sorted.
    pub rooms: Vec<u64>,
    /// The types that its body reads with `va_arg`, in the order of the text.
    pub va_arg_types: Vec<TypeId>,
    /// What its switches do at characters.
    pub cases: Vec<Case>,
    /// What the letters of its format make it, or what it hands its list to, read.
    pub letters: Letters,
    pub conversions: Vec<Conversion>,
    pub handed_on: Vec<HandedOn>,
    /// What it says of its pointers and numbers.
    pub facts: Facts,
    /// Arrays that its body passes to others.
    pub passed: Vec<Passed>,
}

/// An array, given to a function as an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    pub callee: String,
    pub argument: usize,
    pub bytes: u64,
}

/// Who can see a symbol, once it is in a library.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Visibility {
    /// As the compiler is told: usually everyone.
    #[default]
    Unsaid,
    /// Everyone: an attribute says so.
    Default,
    /// Only the library itself.
    Hidden,
}

/// What a pointer is read from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    Variable(String),
    Member { record: TypeId, field: String },
}

/// A pointer to `old` that the body takes for a pointer of type `to`.
#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    pub from: Origin,
    pub old: TypeId,
    pub to: TypeId,
}

/// A pointer that is an argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct HandedOn {
    pub from: Origin,
    pub callee: String,
    pub argument: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Empty when not named.
    pub name: String,
    /// As passed: arrays and functions are pointers here.
    pub ty: TypeId,
    /// The type as written, for arrays that of the pointer; `void *` where it has no name outside the function.
    pub type_name: String,
    /// Elements of a parameter written as an array of constant size (`char text[10]`).
    pub declared_count: Option<u64>,
    /// For rows of variable length (`int m[][n]`): a pointer to their elements.
    pub rows: Option<TypeId>,
    /// For a pointer: the parameter that the body compares its indexes with, or passes along as its length.
    pub counted_by: Option<usize>,
    /// The body looks for the zero at its end, or has that done.
    pub is_text: bool,
    /// Whether its declaration says that it may be NULL, or that it may not.
    pub nullable: Option<bool>,
    /// The body writes to what it points at, or has that done by the library.
    pub is_written: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    pub name: String,
    pub symbol: String,
    pub file: PathBuf,
    pub line: u32,
    pub is_static: bool,
    pub is_const: bool,
    pub is_thread_local: bool,
    /// False when only declared here (`extern int limit;`).
    pub is_defined: bool,
    pub has_initializer: bool,
    /// Whether its initializer gives it other values than zeros.
    pub is_filled: bool,
    /// Functions and file-scope variables that its initializer names, sorted.
    pub mentions: Vec<String>,
    pub ty: TypeId,
    pub type_name: String,
}
