//! The table of C types: one entry per canonical type, shared by all units of a program.
//!
//! A type is named by its [`TypeId`]; equal types (after removing typedefs and top-level qualifiers) have equal ids, so ids can
//! be compared. The name a programmer wrote is kept where the type is used (`Parameter::type_name`, `Field::type_name`).

use std::collections::{BTreeSet, HashMap};

/// Index into [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// The canonical C spelling: `unsigned int`, `struct node *`.
    pub name: String,
    /// In bytes; none for incomplete types, functions and arrays of unknown length.
    pub size: Option<u64>,
    pub align: Option<u64>,
    pub kind: TypeKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    Void,
    Bool,
    /// Any integer type but plain `char`; `width` in bits.
    Int {
        signed: bool,
        width: u32,
    },
    /// Plain `char`.
    Char {
        signed: bool,
    },
    /// `width` names the format: 16, 32, 64, 80 (x87 `long double`) or 128.
    Float {
        width: u32,
    },
    Enum(Enum),
    Pointer {
        pointee: TypeId,
        /// The pointee is `const`.
        is_const: bool,
    },
    /// `count` is none for flexible, incomplete and variable-length arrays.
    Array {
        element: TypeId,
        count: Option<u64>,
    },
    Record(Record),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        variadic: bool,
    },
    Vector {
        element: TypeId,
        count: u64,
    },
    /// Two of `element`, real part first.
    Complex {
        element: TypeId,
    },
    /// A type this model does not look into (`_BitInt(17)`); its size is known.
    Opaque,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// The integer type it is represented by.
    pub underlying: TypeId,
    pub constants: Vec<(String, i128)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub is_union: bool,
    /// False when only declared (`struct file;`): no size, no fields.
    pub complete: bool,
    pub fields: Vec<Field>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Empty for an anonymous struct or union, whose members are reached without naming it.
    pub name: String,
    /// From the start of the record.
    pub offset_bits: u64,
    /// Of a bit-field.
    pub bit_width: Option<u32>,
    pub ty: TypeId,
    /// The type as written.
    pub type_name: String,
    /// For a pointer: the field of the same record that some function compares its indexes with.
    pub counted_by: Option<usize>,
}

/// All types met so far.
#[derive(Clone, Default, Debug)]
pub struct Types {
    all: Vec<Type>,
    by_key: HashMap<String, TypeId>,
    complete_by_name: HashMap<String, TypeId>,
    /// Complete records met since the last unit was finished.
    seen: BTreeSet<TypeId>,
}

impl Types {
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.all.len() as u32).map(TypeId)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.get(id).kind
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.all.iter().enumerate().map(|(i, ty)| (TypeId(i as u32), ty))
    }

    /// For a record that one unit only declares: its definition in another unit, if any met so far has one. Otherwise `id`.
    pub fn completed(&self, id: TypeId) -> TypeId {
        let ty = self.get(id);
        match &ty.kind {
            TypeKind::Record(record) if !record.complete => *self.complete_by_name.get(&ty.name).unwrap_or(&id),
            _ => id,
        }
    }

    /// Whether this complete record is met for the first time in the unit that is being read.
    pub(crate) fn see(&mut self, id: TypeId) -> bool {
        self.seen.insert(id)
    }

    /// The complete records of the unit that has been read.
    pub(crate) fn take_seen(&mut self) -> BTreeSet<TypeId> {
        std::mem::take(&mut self.seen)
    }

    /// Field `count` of a record says how many elements its field `pointer` points at; the first word counts.
    pub(crate) fn set_counted(&mut self, record: TypeId, pointer: &str, count: &str) {
        let TypeKind::Record(record) = &mut self.all[record.0 as usize].kind else { return };
        let Some(at) = record.fields.iter().position(|field| field.name == count && field.bit_width.is_none()) else {
            return;
        };
        if let Some(field) = record.fields.iter_mut().find(|field| field.name == pointer) {
            field.counted_by.get_or_insert(at);
        }
    }

    pub(crate) fn find(&self, key: &str) -> Option<TypeId> {
        self.by_key.get(key).copied()
    }

    pub(crate) fn add(&mut self, key: String, ty: Type) -> TypeId {
        let id = TypeId(self.all.len() as u32);
        self.by_key.insert(key, id);
        self.all.push(ty);
        id
    }

    /// Gives a record, added without fields so that they may refer to it, its fields.
    pub(crate) fn complete(&mut self, id: TypeId, fields: Vec<Field>) {
        let ty = &mut self.all[id.0 as usize];
        if let TypeKind::Record(record) = &mut ty.kind {
            record.fields = fields;
            record.complete = true;
            self.complete_by_name.entry(ty.name.clone()).or_insert(id);
        }
    }
}
