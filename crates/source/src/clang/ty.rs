//! Types as libclang tells them.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use super::{Cursor, Tree};
use crate::ffi::{self, CXCursor, CXType};

/// The kinds of canonical C types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Void,
    Bool,
    Char {
        signed: bool,
    },
    Int {
        signed: bool,
    },
    Float,
    LongDouble,
    Complex,
    Pointer,
    Record,
    Enum,
    Function,
    FunctionWithoutPrototype,
    ConstantArray,
    /// Of unknown length.
    IncompleteArray,
    /// Its length is computed where it is declared.
    VariableArray,
    Vector,
    Atomic,
    /// What libclang does not tell apart.
    Other,
}

impl Shape {
    pub fn is_array(self) -> bool {
        matches!(self, Shape::ConstantArray | Shape::IncompleteArray | Shape::VariableArray)
    }
}

#[derive(Clone, Copy)]
pub struct Ty<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) raw: CXType,
}

impl<'t> Ty<'t> {
    /// What kind of type this is; the numbers are those of `CXTypeKind`.
    pub fn shape(self) -> Shape {
        match self.raw.kind {
            2 => Shape::Void,
            3 => Shape::Bool,
            4 => Shape::Char { signed: false },
            13 => Shape::Char { signed: true },
            5..=12 => Shape::Int { signed: false },
            14..=20 => Shape::Int { signed: true },
            21 | 22 | 30 | 31 | 32 => Shape::Float,
            23 => Shape::LongDouble,
            100 => Shape::Complex,
            101 | 102 => Shape::Pointer,
            105 => Shape::Record,
            106 => Shape::Enum,
            110 => Shape::FunctionWithoutPrototype,
            111 => Shape::Function,
            112 => Shape::ConstantArray,
            114 => Shape::IncompleteArray,
            115 => Shape::VariableArray,
            113 | 176 => Shape::Vector,
            177 => Shape::Atomic,
            _ => Shape::Other,
        }
    }

    pub fn spelling(self) -> String {
        let string = call!(self.getTypeSpelling);
        self.tree.text(string)
    }

    pub fn canonical(self) -> Ty<'t> {
        self.of(call!(self.getCanonicalType))
    }

    pub fn unqualified(self) -> Ty<'t> {
        self.of(call!(self.getUnqualifiedType))
    }

    pub fn pointee(self) -> Ty<'t> {
        self.of(call!(self.getPointeeType))
    }

    pub fn result(self) -> Ty<'t> {
        self.of(call!(self.getResultType))
    }

    pub fn parameters(self) -> Vec<Ty<'t>> {
        let count = call!(self.getNumArgTypes).max(0) as c_uint;
        (0..count).map(|i| self.of(call!(self.getArgType, i))).collect()
    }

    pub fn is_variadic(self) -> bool {
        call!(self.isFunctionTypeVariadic) != 0
    }

    pub fn is_const(self) -> bool {
        call!(self.isConstQualifiedType) != 0
    }

    /// Element of an array.
    pub fn array_element(self) -> Ty<'t> {
        self.of(call!(self.getArrayElementType))
    }

    /// Element of a vector or complex type.
    pub fn element(self) -> Ty<'t> {
        self.of(call!(self.getElementType))
    }

    /// Elements of an array of constant size or a vector.
    pub fn count(self) -> Option<u64> {
        u64::try_from(call!(self.getNumElements)).ok()
    }

    pub fn value(self) -> Ty<'t> {
        self.of(call!(self.Type_getValueType))
    }

    pub fn size(self) -> Option<u64> {
        u64::try_from(call!(self.Type_getSizeOf)).ok()
    }

    pub fn align(self) -> Option<u64> {
        u64::try_from(call!(self.Type_getAlignOf)).ok()
    }

    pub fn declaration(self) -> Cursor<'t> {
        Cursor { tree: self.tree, raw: call!(self.getTypeDeclaration) }
    }

    /// The fields of a record, in order.
    pub fn fields(self) -> Vec<Cursor<'t>> {
        extern "C" fn visit(field: CXCursor, data: *mut c_void) -> c_int {
            // SAFETY: `data` is the vector passed below, alive during the visit.
            unsafe { (*data.cast::<Vec<CXCursor>>()).push(field) };
            ffi::FIELD_CONTINUE
        }
        let mut found: Vec<CXCursor> = Vec::new();
        call!(self.Type_visitFields, visit, ptr::from_mut(&mut found).cast());
        found.into_iter().map(|raw| Cursor { tree: self.tree, raw }).collect()
    }

    fn of(self, raw: CXType) -> Ty<'t> {
        Ty { tree: self.tree, raw }
    }
}
