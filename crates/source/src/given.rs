//! An expression → what it gives to what it is stored in, returned from or handed to, as far as the text tells.

use crate::clang::{Cursor, CursorKind, Shape};
use crate::facts::{Spot, is_pointer, spot};
use crate::types::Types;

/// What is stored, returned or handed on, as far as the text tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Null,
    /// A pointer to something that is there.
    Address,
    /// An array of so many elements.
    Array(u64),
    Number(i64),
    From(Spot),
    /// Somewhere in the array that this points at.
    Inside(Spot),
    /// What this function gives.
    Result(String),
    /// What was there before, changed.
    Step,
    /// The sum or difference of the function's own variables; what is made of members of structures alone.
    Computed,
    Unknown,
}

/// What an expression gives.
pub(crate) fn given(cursor: Cursor<'_>, types: &mut Types) -> Given {
    if is_pointer(cursor) && cursor.is_null() {
        return Given::Null;
    }
    if let Some(count) = elements(cursor) {
        return Given::Array(count);
    }
    let children = cursor.children();
    match cursor.kind() {
        CursorKind::Wrapping | CursorKind::Cast => children.last().map_or(Given::Unknown, |inner| given(*inner, types)),
        CursorKind::AddressOf => children.first().map_or(Given::Address, |operand| address(*operand, types)),
        CursorKind::Text => Given::Address,
        CursorKind::Call if cursor.referenced().kind() == CursorKind::Function => Given::Result(cursor.name()),
        CursorKind::Reference if cursor.referenced().kind() == CursorKind::Function => Given::Address,
        CursorKind::Assignment => children.last().map_or(Given::Unknown, |value| given(*value, types)),
        // Nobody adds to NULL.
        CursorKind::Sum if is_pointer(cursor) => {
            let array = children.iter().find(|operand| is_pointer(**operand) || elements(**operand).is_some());
            array.and_then(|array| spot(*array, types)).map_or(Given::Address, Given::Inside)
        }
        CursorKind::Test => match children[..] {
            [_, yes, no] => either(given(yes, types), given(no, types)),
            _ => Given::Unknown,
        },
        CursorKind::Reference | CursorKind::Member | CursorKind::Subscript | CursorKind::Dereference => {
            match (cursor.number(), spot(cursor, types)) {
                (Some(number), None) => Given::Number(number),
                (_, Some(spot)) => Given::From(spot),
                (None, None) => Given::Unknown,
            }
        }
        CursorKind::Other | CursorKind::Sum | CursorKind::Difference if !is_pointer(cursor) => match cursor.number() {
            Some(number) => Given::Number(number),
            None if cursor.kind() != CursorKind::Other && is_own(cursor, types) => Given::Computed,
            None if is_of_members(cursor, types, DEEPEST) => Given::Computed,
            None => Given::Unknown,
        },
        CursorKind::Union
        | CursorKind::EnumConstant
        | CursorKind::Function
        | CursorKind::Variable
        | CursorKind::Call
        | CursorKind::Comparison
        | CursorKind::Sum
        | CursorKind::Difference
        | CursorKind::Change
        | CursorKind::Return
        | CursorKind::Switch
        | CursorKind::Case
        | CursorKind::Other => Given::Unknown,
    }
}

/// The address of a place: `&p[i]` lies in what `p` points at.
fn address(place: Cursor<'_>, types: &mut Types) -> Given {
    let array = place.children().first().copied().filter(|_| place.kind() == CursorKind::Subscript);
    array.filter(|array| is_pointer(*array)).and_then(|array| spot(array, types)).map_or(Given::Address, Given::Inside)
}

/// The values of `c ? a : b`; of anything else, itself.
pub(crate) fn arms(value: Cursor<'_>) -> Vec<Cursor<'_>> {
    let mut inner = value;
    while matches!(inner.kind(), CursorKind::Wrapping | CursorKind::Cast) {
        match inner.children().pop() {
            Some(child) => inner = child,
            None => return vec![value],
        }
    }
    match (inner.kind(), &inner.children()[..]) {
        (CursorKind::Test, [_, yes, no]) => [arms(*yes), arms(*no)].concat(),
        _ => vec![value],
    }
}

/// `c ? a : b`, where one may be NULL.
fn either(a: Given, b: Given) -> Given {
    match (a, b) {
        (Given::Null, _) | (_, Given::Null) => Given::Null,
        (Given::Address | Given::Array(_) | Given::Inside(_), Given::Address | Given::Array(_) | Given::Inside(_)) => {
            Given::Address
        }
        (a, b) if a == b => a,
        (a @ Given::Result(_), _) | (_, a @ Given::Result(_)) => a,
        _ => Given::Unknown,
    }
}

/// Elements of an array, also of one that has become a pointer.
fn elements(cursor: Cursor<'_>) -> Option<u64> {
    let ty = cursor.ty().canonical();
    let is_text = cursor.kind() == CursorKind::Text;
    (ty.shape() == Shape::ConstantArray && !is_text).then(|| ty.count())?
}

/// Whether a number is put together from the function's own variables and from constants.
fn is_own(cursor: Cursor<'_>, types: &mut Types) -> bool {
    let children = cursor.children();
    match cursor.kind() {
        _ if is_pointer(cursor) => false,
        _ if cursor.number().is_some() => true,
        CursorKind::Wrapping | CursorKind::Cast => children.last().is_some_and(|inner| is_own(*inner, types)),
        CursorKind::Sum | CursorKind::Difference => children.iter().all(|operand| is_own(*operand, types)),
        CursorKind::Reference => matches!(spot(cursor, types), Some(Spot::Local(_))),
        _ => false,
    }
}

/// Operators that are looked through for members.
const DEEPEST: u32 = 6;

/// Whether a number is put together from members and constants, whatever is done with them.
fn is_of_members(cursor: Cursor<'_>, types: &mut Types, depth: u32) -> bool {
    let children = cursor.children();
    match cursor.kind() {
        _ if is_pointer(cursor) || depth == 0 => false,
        CursorKind::Wrapping | CursorKind::Cast => {
            children.last().is_some_and(|inner| is_of_members(*inner, types, depth - 1))
        }
        CursorKind::Sum | CursorKind::Difference => {
            children.iter().all(|operand| is_of_members(*operand, types, depth - 1))
        }
        CursorKind::Other if cursor.is_literal() => true,
        CursorKind::Other => {
            cursor.is_operator() && children.iter().all(|operand| is_of_members(*operand, types, depth - 1))
        }
        CursorKind::Reference => cursor.referenced().kind() == CursorKind::EnumConstant,
        CursorKind::Member => matches!(spot(cursor, types), Some(Spot::Member { .. })),
        _ => false,
    }
}
