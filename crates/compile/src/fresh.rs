//! A C type → statements that fill memory with fresh inputs, one for each number in it.
//!
//! ```text
//! { int __covet_o; covet_symbolic(&__covet_o, sizeof __covet_o, "stub.g->level"); __builtin_memcpy(p + 4, &__covet_o, sizeof __covet_o); }
//! ```
//!
//! The statements name no type of the program, so they mean the same in every file.

use covet_source::{Field, Record, TypeId, TypeKind, Types};

/// Bytes of a fresh object whose size nobody knows.
pub const UNKNOWN_SIZE: u64 = 64;
/// Characters of a fresh string, the zero at its end included.
const STRING: u64 = 8;
/// Inputs in one value; what comes after them stays as it is.
const MOST_LEAVES: usize = 64;

/// The variable that holds one input on its way.
const O: &str = "__covet_o";

/// Writes the statements for one value.
pub struct Fresh<'a> {
    types: &'a Types,
    /// How many levels of pointers get objects of their own; at 0 they stay as they are.
    levels: u32,
    leaves: usize,
    text: String,
}

impl<'a> Fresh<'a> {
    /// Fills what is at `at` (an expression of type `char *`) with a value of type `id` called `name`. Pointers in it stay.
    pub fn fill(types: &'a Types, id: TypeId, at: &str, name: &str) -> String {
        Fresh::write(types, 0, |fresh| fresh.value(id, at, 0, name))
    }

    /// As [`Fresh::fill`], for memory that is zero: pointers in it become NULL or lead to objects of their own.
    pub fn build(types: &'a Types, id: TypeId, at: &str, name: &str) -> String {
        Fresh::write(types, 2, |fresh| fresh.value(id, at, 0, name))
    }

    /// Fills one byte, of whatever type.
    pub fn byte(at: &str, name: &str) -> String {
        Fresh::write(&Types::default(), 0, |fresh| fresh.leaf("unsigned char", "", at, 0, name))
    }

    fn write(types: &'a Types, levels: u32, write: impl FnOnce(&mut Fresh<'a>)) -> String {
        let mut fresh = Fresh { types, levels, leaves: 0, text: String::new() };
        write(&mut fresh);
        fresh.text
    }

    fn value(&mut self, id: TypeId, at: &str, offset: u64, name: &str) {
        let id = self.types.completed(id);
        let ty = self.types.get(id);
        match &ty.kind {
            TypeKind::Bool => self.leaf("char", &format!("{O} = {O} != 0;"), at, offset, name),
            TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Float { .. } => {
                self.leaf(&ty.name, "", at, offset, name);
            }
            TypeKind::Enum(values) => self.value(values.underlying, at, offset, name),
            TypeKind::Complex { element } => self.elements(*element, 2, at, offset, name),
            TypeKind::Vector { element, count } => self.elements(*element, *count, at, offset, name),
            TypeKind::Array { element, count } => self.elements(*element, count.unwrap_or(0), at, offset, name),
            TypeKind::Record(record) => self.record(record, at, offset, name),
            TypeKind::Pointer { pointee, .. } => self.pointer(*pointee, at, offset, name),
            TypeKind::Void | TypeKind::Function { .. } | TypeKind::Opaque => {}
        }
    }

    fn leaf(&mut self, ty: &str, then: &str, at: &str, offset: u64, name: &str) {
        self.leaves += 1;
        if self.leaves <= MOST_LEAVES {
            self.text += &format!(
                "{{ {ty} {O}; covet_symbolic(&{O}, sizeof {O}, \"{name}\"); {then} __builtin_memcpy({at} + {offset}, &{O}, sizeof {O}); }} "
            );
        }
    }

    fn elements(&mut self, element: TypeId, count: u64, at: &str, offset: u64, name: &str) {
        let size = self.types.get(element).size.unwrap_or(0);
        for index in 0..count.min(MOST_LEAVES as u64) {
            self.value(element, at, offset + index * size, &format!("{name}[{index}]"));
        }
    }

    fn record(&mut self, record: &Record, at: &str, offset: u64, name: &str) {
        let size = |field: &&Field| self.types.get(field.ty).size.unwrap_or(0);
        let fields: Vec<&Field> = match record.is_union {
            true => record.fields.iter().rev().max_by_key(size).into_iter().collect(),
            false => record.fields.iter().collect(),
        };
        let mut filled = 0;
        for field in fields {
            let start = field.offset_bits / 8;
            match field.bit_width {
                None => self.value(field.ty, at, offset + start, &member(name, &field.name)),
                Some(width) => {
                    // Whole bytes, each once: those of neighbours too.
                    for byte in filled.max(start)..(field.offset_bits + u64::from(width)).div_ceil(8) {
                        self.leaf("unsigned char", "", at, offset + byte, &member(name, &field.name));
                        filled = byte + 1;
                    }
                }
            }
        }
    }

    fn pointer(&mut self, pointee: TypeId, at: &str, offset: u64, name: &str) {
        if self.levels == 0 || self.leaves >= MOST_LEAVES || is_function(self.types, pointee) {
            return;
        }
        self.levels -= 1;
        let inner = format!("__covet_p{}", self.levels);
        self.text += &format!("{{ char *{inner} = (char *)0; ");
        self.object(pointee, &inner, name);
        self.text += &format!("__builtin_memcpy({at} + {offset}, &{inner}, sizeof {inner}); }} ");
        self.levels += 1;
    }

    /// Sets the variable `to` to NULL or to a fresh object.
    fn object(&mut self, pointee: TypeId, to: &str, name: &str) {
        let pointee = self.types.completed(pointee);
        self.leaves += 1;
        self.text += &format!(
            "{{ char {O}; covet_symbolic(&{O}, sizeof {O}, \"{name}\"); if ({O}) {to} = calloc(1, {}); }} if ({to}) {{ ",
            self.room(pointee)
        );
        match self.types.kind(pointee) {
            TypeKind::Char { .. } => self.elements(pointee, STRING - 1, to, 0, &format!("{name}->")),
            _ => self.value(pointee, to, 0, &format!("{name}->")),
        }
        self.text += "} ";
    }

    fn room(&self, pointee: TypeId) -> u64 {
        match self.types.kind(pointee) {
            TypeKind::Char { .. } => STRING,
            _ => self.types.get(pointee).size.unwrap_or(UNKNOWN_SIZE).max(1),
        }
    }

    /// Statements that set the variable `to`, a `char *`, to NULL or to a fresh object of type `pointee` called `name`.
    pub fn object_for(types: &'a Types, pointee: TypeId, to: &str, name: &str) -> String {
        match is_function(types, pointee) {
            true => String::new(),
            false => Fresh::write(types, 1, |fresh| fresh.object(pointee, to, name)),
        }
    }
}

fn is_function(types: &Types, id: TypeId) -> bool {
    matches!(types.kind(types.completed(id)), TypeKind::Function { .. })
}

/// `a.b`; behind an arrow no dot.
fn member(name: &str, field: &str) -> String {
    match field {
        "" => name.to_owned(),
        field if name.ends_with("->") => format!("{name}{field}"),
        field => format!("{name}.{field}"),
    }
}
