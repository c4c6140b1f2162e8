//! The model of one translation unit: its functions and its variables of static storage duration.

use std::collections::BTreeSet;
use std::path::PathBuf;

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
    /// Functions and file-scope variables that its body names, sorted.
    pub mentions: Vec<String>,
    /// Members of records that its body names, sorted.
    pub members: Vec<String>,
    /// The types that its body reads with `va_arg`, in the order of the text.
    pub va_arg_types: Vec<TypeId>,
    /// What its switches do at characters.
    pub cases: Vec<Case>,
    /// What the letters of its format make it, or what it hands its list to, read.
    pub letters: Letters,
    pub conversions: Vec<Conversion>,
    pub handed_on: Vec<HandedOn>,
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
    pub ty: TypeId,
    pub type_name: String,
}
