//! Indexes, comparisons and library calls in a body → which variable or field holds the length of which pointer.
//!
//! `a[i]` and `i < n` in one function say that `a` has `n` elements; so does `memcpy(a, b, n)`.

use std::collections::BTreeSet;

use crate::clang::{Cursor, CursorKind, Shape, Ty};
use crate::lower::lower;
use crate::types::{TypeId, TypeKind, Types};
use crate::unit::Parameter;

/// What an expression names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Named {
    Variable(String),
    Field(TypeId, String),
}

#[derive(Default)]
pub struct Counts {
    /// Pointer and index.
    indexed: BTreeSet<(Named, Named)>,
    compared: BTreeSet<(Named, Named)>,
    /// Pointer and length, passed to the same library function.
    passed: BTreeSet<(Named, Named)>,
}

/// Functions that are given memory and the number of its bytes.
const BLOCKS: [&str; 12] =
    ["memcpy", "memmove", "memset", "memcmp", "memchr", "fread", "fwrite", "read", "write", "recv", "send", "bcmp"];

impl Counts {
    /// Takes in one expression.
    pub fn look_at(&mut self, cursor: Cursor<'_>, children: &[Cursor<'_>], types: &mut Types) {
        let kind = cursor.kind();
        match (kind, children) {
            (CursorKind::Subscript | CursorKind::Comparison | CursorKind::Sum, [left, right]) => {
                let (Some(left), Some(right)) = (named(*left, types), named(*right, types)) else { return };
                match kind {
                    CursorKind::Comparison => {
                        self.compared.insert((left.clone(), right.clone()));
                        self.compared.insert((right, left));
                    }
                    CursorKind::Subscript => drop(self.indexed.insert((left, right))),
                    _ if is_pointer(cursor.ty()) => drop(self.indexed.insert((left, right))),
                    _ => {}
                }
            }
            (CursorKind::Call, [function, arguments @ ..]) if BLOCKS.contains(&function_name(*function).as_str()) => {
                let (pointers, numbers): (Vec<Cursor<'_>>, Vec<Cursor<'_>>) =
                    arguments.iter().partition(|argument| is_pointer(argument.ty()));
                let mut named_in =
                    |all: Vec<Cursor<'_>>| all.into_iter().filter_map(|one| named(one, types)).collect::<Vec<Named>>();
                let (pointers, numbers) = (named_in(pointers), named_in(numbers));
                for pointer in &pointers {
                    self.passed.extend(numbers.iter().map(|number| (pointer.clone(), number.clone())));
                }
            }
            _ => {}
        }
    }

    /// Tells parameters, and fields in the table of types, by which others they are counted.
    pub fn tell(&self, parameters: &mut [Parameter], types: &mut Types) {
        let through_index = self.indexed.iter().flat_map(|(pointer, index)| {
            let with = self.compared.iter().filter(move |(compared, _)| compared == index);
            with.map(move |(_, count)| (pointer, count))
        });
        for (pointer, count) in through_index.chain(self.passed.iter().map(|(pointer, count)| (pointer, count))) {
            match (pointer, count) {
                (Named::Variable(pointer), Named::Variable(count)) => {
                    let at = |name: &String| parameters.iter().position(|parameter| parameter.name == *name);
                    if let (Some(pointer), Some(count)) = (at(pointer), at(count)) {
                        parameters[pointer].counted_by.get_or_insert(count);
                    }
                }
                (Named::Field(record, pointer), Named::Field(other, count)) if record == other => {
                    types.set_counted(*record, pointer, count);
                }
                (Named::Variable(_) | Named::Field(..), _) => {}
            }
        }
    }
}

/// The variable or field that an expression consists of.
fn named(mut cursor: Cursor<'_>, types: &mut Types) -> Option<Named> {
    loop {
        match cursor.kind() {
            CursorKind::Reference => return Some(Named::Variable(cursor.name())),
            CursorKind::Member => {
                let base = cursor.children().into_iter().next()?.ty().canonical();
                let record = if base.shape() == Shape::Pointer { base.pointee() } else { base };
                let record = lower(types, record);
                let is_record = matches!(types.kind(record), TypeKind::Record(_));
                return is_record.then(|| Named::Field(record, cursor.name()));
            }
            CursorKind::Wrapping => cursor = cursor.children().pop()?,
            _ => return None,
        }
    }
}

fn function_name(mut cursor: Cursor<'_>) -> String {
    while cursor.kind() == CursorKind::Wrapping {
        match cursor.children().pop() {
            Some(child) => cursor = child,
            None => break,
        }
    }
    cursor.name()
}

fn is_pointer(ty: Ty<'_>) -> bool {
    let shape = ty.canonical().shape();
    shape == Shape::Pointer || shape.is_array()
}

/// Whether two numbers behind a pointer say together how much it points at, as those of `fread` and `qsort` do: so many elements of that size.
pub fn is_product(first: &str, second: &str) -> bool {
    const SIZES: [&str; 8] = ["size", "sz", "width", "elsize", "elem_size", "element_size", "esize", "itemsize"];
    const NUMBERS: [&str; 12] =
        ["n", "num", "count", "nitems", "nmemb", "nelem", "nelems", "nobj", "items", "members", "number", "nel"];
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    let is = |words: &[&str], name: &str| words.contains(&name);
    is(&SIZES, &first) && is(&NUMBERS, &second) || is(&NUMBERS, &first) && is(&SIZES, &second)
}
