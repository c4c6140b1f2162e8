//! What a test looks at besides the result: the objects it built, and the globals of the tested file.

use covet_results::{Check, CheckKind};
use covet_source::{TypeId, Types, Unit};

/// Memory that a test can look at after the call.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    pub root: Root,
    /// The pointer to an object, or the variable.
    pub name: String,
    /// Of an element; none when it cannot be named here.
    pub ty: Option<TypeId>,
    pub elements: u64,
    /// Its size, in C.
    pub size: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Object,
    /// Whether the tested function itself names it.
    Global {
        is_mentioned: bool,
    },
    Result,
}

/// Objects, and globals, that are looked at.
const MOST: usize = 64;

impl Watched {
    fn letter(&self) -> char {
        match self.root {
            Root::Object => 'o',
            Root::Global { .. } => 'g',
            Root::Result => 'r',
        }
    }

    /// The statement that asks for it.
    pub fn statement(&self) -> String {
        let address = if self.root == Root::Object { "" } else { "&" };
        format!("covtest_watch('{}', {address}{}, {});", self.letter(), self.name, self.size)
    }
}

/// The globals that the file of `unit` can look at and the program can change.
pub fn globals(types: &Types, units: &[Unit], unit: &Unit) -> Vec<Watched> {
    let is_ours = |name: &str| units.iter().flat_map(|unit| &unit.globals).any(|g| g.name == name && g.is_defined);
    let mut found: Vec<Watched> = Vec::new();
    for global in unit.globals.iter().filter(|global| !global.is_const && !global.is_thread_local) {
        let is_known = found.iter().any(|watched| watched.name == global.name);
        let has_size = types.get(global.ty).size.is_some_and(|size| size > 0);
        if is_known || !has_size || !(global.is_defined || is_ours(&global.name)) || found.len() == MOST {
            continue;
        }
        found.push(Watched {
            root: Root::Global { is_mentioned: false },
            name: global.name.clone(),
            ty: Some(global.ty),
            elements: 1,
            size: format!("sizeof {}", global.name),
        });
    }
    found
}

/// Of the objects of a test, those that are looked at.
pub fn objects(all: &[Watched]) -> impl Iterator<Item = &Watched> {
    all.iter().take(MOST)
}

/// The statements before the call: what is to be kept, printed or counted (last, since keeping takes blocks of its own).
pub fn before(checks: &[Check]) -> impl Iterator<Item = String> {
    checks.iter().filter_map(|check| match check.how {
        CheckKind::Kept => Some(format!("KEEP({}, {});", check.what, check.expected)),
        CheckKind::Printed => Some(format!("EXPECT_PRINTED({});", check.expected)),
        CheckKind::PrintedFirst => Some(format!("EXPECT_PRINTED_FIRST({});", check.expected)),
        CheckKind::Blocks => Some("COUNT_BLOCKS();".to_string()),
        CheckKind::Signed
        | CheckKind::Unsigned
        | CheckKind::Float
        | CheckKind::Double
        | CheckKind::Pointer
        | CheckKind::NotNull
        | CheckKind::Text
        | CheckKind::Bytes
        | CheckKind::Digest => None,
    })
}

/// The statements after it.
pub fn after(checks: &[Check]) -> impl Iterator<Item = String> {
    checks.iter().filter_map(|Check { how, what, expected }| {
        let macro_name = match how {
            CheckKind::Kept => return Some(format!("CHECK_KEPT({what});")),
            CheckKind::Blocks => return Some(format!("CHECK_BLOCKS({expected});")),
            CheckKind::NotNull => return Some(format!("CHECK_NOT_NULL({what});")),
            CheckKind::Signed => "CHECK_INT",
            CheckKind::Unsigned => "CHECK_UNSIGNED",
            CheckKind::Float => "CHECK_FLOAT",
            CheckKind::Double => "CHECK_DOUBLE",
            CheckKind::Pointer => "CHECK_POINTER",
            CheckKind::Text => "CHECK_STRING",
            CheckKind::Bytes => "CHECK_BYTES",
            CheckKind::Digest => "CHECK_DIGEST",
            CheckKind::Printed | CheckKind::PrintedFirst => return None,
        };
        Some(format!("{macro_name}({what}, {expected});"))
    })
}

/// Whether a check looks at the variable `name`.
pub fn mentions(checks: &[Check], name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    checks
        .iter()
        .flat_map(|check| [&check.what, &check.expected])
        .any(|text| text.split(|c| !is_word(c)).any(|word| word == name))
}
