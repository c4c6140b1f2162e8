//! A call → the arrays that it is given, by their sizes. What a function writes to has at some call as much room as the array there.

use crate::clang::{Cursor, CursorKind, Shape};
use crate::unit::Passed;

/// Functions of the library that write to what an argument of theirs points at, and which one that is.
pub const WRITERS: [(&str, usize); 19] = [
    ("strcpy", 0),
    ("strncpy", 0),
    ("stpcpy", 0),
    ("strcat", 0),
    ("strncat", 0),
    ("strlcpy", 0),
    ("strlcat", 0),
    ("sprintf", 0),
    ("vsprintf", 0),
    ("snprintf", 0),
    ("vsnprintf", 0),
    ("memcpy", 0),
    ("memmove", 0),
    ("memset", 0),
    ("bcopy", 1),
    ("gets", 0),
    ("fgets", 0),
    ("fread", 0),
    ("read", 1),
];

/// The arrays that a call is given.
pub fn of(call: Cursor<'_>) -> Vec<Passed> {
    let callee = call.name();
    let given = call.arguments().into_iter().enumerate();
    let arrays = given
        .filter_map(|(argument, value)| Some(Passed { callee: callee.clone(), argument, bytes: bytes_of(value)? }));
    arrays.collect()
}

/// The size of the array whose start an expression is: `a`, `&a`, `s.a`, with conversions.
fn bytes_of(cursor: Cursor<'_>) -> Option<u64> {
    let ty = cursor.ty().canonical();
    match cursor.kind() {
        // A cast names its type before its operand.
        CursorKind::Wrapping | CursorKind::Cast => bytes_of(*cursor.children().last()?),
        CursorKind::Reference | CursorKind::Member => {
            let is_array = ty.shape() == Shape::ConstantArray && ty.count().is_some_and(|count| count > 1);
            ty.size().filter(|_| is_array)
        }
        CursorKind::AddressOf => match &cursor.children()[..] {
            [operand] if ty.shape() == Shape::Pointer && operand.ty().canonical().shape() == Shape::ConstantArray => {
                bytes_of(*operand)
            }
            _ => None,
        },
        CursorKind::Union
        | CursorKind::EnumConstant
        | CursorKind::Function
        | CursorKind::Variable
        | CursorKind::Call
        | CursorKind::Subscript
        | CursorKind::Assignment
        | CursorKind::Comparison
        | CursorKind::Sum
        | CursorKind::Difference
        | CursorKind::Dereference
        | CursorKind::Test
        | CursorKind::Switch
        | CursorKind::Case
        | CursorKind::Change
        | CursorKind::Return
        | CursorKind::Text
        | CursorKind::Other => None,
    }
}
