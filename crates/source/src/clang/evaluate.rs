//! Expressions → the numbers that they always are.

use super::{Cursor, CursorKind};
use std::ffi::c_int;

/// Parts of an expression that are looked at before it is evaluated.
const NODES: u32 = 40;

impl Cursor<'_> {
    /// The character that an expression is always.
    pub fn character(self) -> Option<u8> {
        u8::try_from(self.integer()).ok().filter(u8::is_ascii_graphic)
    }

    /// The number that an expression is always; 0 where there is none.
    pub(super) fn integer(self) -> c_int {
        // SAFETY: the cursor is alive; a result is disposed of once.
        unsafe {
            let result = (self.tree.lib.Cursor_Evaluate)(self.raw);
            let value = (self.tree.lib.EvalResult_getAsInt)(result);
            (self.tree.lib.EvalResult_dispose)(result);
            value
        }
    }

    /// The number that an expression of an integer type is always; none where it may be several.
    pub fn number(self) -> Option<i64> {
        const INTEGER: c_int = 1;
        if !self.can_be_evaluated(&mut { NODES }) {
            return None;
        }
        // SAFETY: the cursor is alive; a result is disposed of once.
        unsafe {
            let result = (self.tree.lib.Cursor_Evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let is_number = (self.tree.lib.EvalResult_getKind)(result) == INTEGER;
            let value = (self.tree.lib.EvalResult_getAsLongLong)(result);
            (self.tree.lib.EvalResult_dispose)(result);
            is_number.then_some(value)
        }
    }

    /// Whether there are no statements in an expression: libclang does not survive evaluating some of them (`__extension__ ({ ... })`).
    fn can_be_evaluated(self, nodes: &mut u32) -> bool {
        const STATEMENTS: c_int = 121;
        const EXPRESSIONS: std::ops::Range<c_int> = 100..200;
        let kind = call!(self.getCursorKind);
        if kind == STATEMENTS || kind >= EXPRESSIONS.end {
            return false;
        }
        let mut children = self.children().into_iter();
        children.all(|child| {
            *nodes = nodes.saturating_sub(1);
            *nodes == 0 || child.can_be_evaluated(nodes)
        })
    }

    /// A number or a character.
    pub fn is_literal(self) -> bool {
        matches!(call!(self.getCursorKind), 106 | 110)
    }

    /// An operator with one operand or two.
    pub fn is_operator(self) -> bool {
        matches!(call!(self.getCursorKind), 112 | 114)
    }

    /// The number that a literal, a name of a constant, or either in parentheses and behind a sign, stands for.
    pub fn simple_number(self) -> Option<i64> {
        let is_simple = match call!(self.getCursorKind) {
            106 | 110 => true,
            101 => self.referenced().kind() == CursorKind::EnumConstant,
            100 | 111 | 112 | 117 => return self.children().last()?.simple_number().and(self.number()),
            _ => false,
        };
        if is_simple { self.number() } else { None }
    }
}
