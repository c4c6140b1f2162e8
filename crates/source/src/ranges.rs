//! A place in the source, as debug information has it → the whole expression there.
//!
//! Debug information knows an expression by one point: its operator, the name of its member, or its start. Of the expressions with that
//! point the widest is meant: `a[i]`, not `a`.

use crate::clang::{Cursor, Place, Tree};

/// From the first character of an expression to just behind its last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Range {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// The range of the expression at each of these places (line, column) of the tree's main file.
pub fn ranges(tree: &Tree<'_>, file: &str, places: &[(u32, u32)]) -> Vec<Option<Range>> {
    let inside = |cursor: &Cursor<'_>| cursor.start().file == file;
    let declarations: Vec<Cursor<'_>> = tree.root().children().into_iter().filter(inside).collect();
    let find = |&place: &(u32, u32)| declarations.iter().find_map(|cursor| search(*cursor, place));
    places.iter().map(find).collect()
}

/// The first cursor, from the outside in, that is an expression at this place.
fn search(cursor: Cursor<'_>, place: (u32, u32)) -> Option<Range> {
    let (first, last) = (cursor.first(), cursor.end());
    if !(first.line..=last.line).contains(&place.0) {
        return None;
    }
    let Place { line, column, .. } = cursor.start();
    let children = cursor.children();
    if cursor.is_expression() && ((line, column) == place || is_between(&children, place)) {
        let (line, column) = (first.line, first.column);
        return Some(Range { line, column, end_line: last.line, end_column: last.column });
    }
    children.into_iter().find_map(|child| search(child, place))
}

/// Whether a place is that of the operator between two operands.
fn is_between(operands: &[Cursor<'_>], place: (u32, u32)) -> bool {
    let [left, right] = operands else { return false };
    let (left, right) = (left.end(), right.first());
    (left.line, left.column) <= place && place < (right.line, right.column)
}
