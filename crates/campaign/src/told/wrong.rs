//! An alarm and the expression it is about → what goes wrong there, as the beginning of a sentence: "reads `a[i]`, which ...".

use super::code::Found;
use super::culprit::{Access, access, culprit};
use super::tokens::text;
use covet_results::{Alarm, AlarmKind};

/// What the function does that is wrong.
pub fn wrong(alarm: &Alarm, found: Option<&Found<'_>>) -> String {
    let Some(found) = found else { return without_text(alarm.kind) };
    let tokens = found.tokens();
    // An expression that is not known by itself is told by its line.
    let is_exact = alarm.range.is_some();
    let whole = shortened(&text(tokens));
    let part = shortened(&text(&tokens[culprit(alarm.kind, tokens)]));
    let how = access(tokens);
    match alarm.kind {
        _ if !is_exact => format!("{} in `{whole}`", without_text(alarm.kind)),
        AlarmKind::OutOfBounds => match how {
            Access::Read => format!("reads `{whole}`, which lies outside of its object"),
            Access::Write => format!("writes to `{part}`, which lies outside of its object"),
            Access::Call => format!("has `{whole}` go beyond an object"),
        },
        AlarmKind::NullDereference if is_called_itself(alarm, found) => format!("calls `{whole}`, which is NULL"),
        AlarmKind::NullDereference => match how {
            Access::Read if part != whole => format!("reads `{whole}` where `{part}` is NULL"),
            Access::Write if part != whole => format!("writes `{whole}` where `{part}` is NULL"),
            Access::Read | Access::Write | Access::Call => format!("has `{whole}` follow NULL"),
        },
        AlarmKind::UseAfterFree => format!("uses `{whole}` after its memory was freed"),
        AlarmKind::DoubleFree => format!("frees memory that is freed already, in `{whole}`"),
        AlarmKind::InvalidFree => format!("frees what is no start of an object on the heap, in `{whole}`"),
        AlarmKind::DivisionByZero => format!("divides by `{part}`, which is 0, in `{whole}`"),
        AlarmKind::DivisionOverflow => format!("divides the smallest number by -1 in `{whole}`"),
        AlarmKind::ShiftOutOfRange => format!("shifts by `{part}`, which is negative or too far, in `{whole}`"),
        AlarmKind::SignedOverflow => format!("computes `{whole}`, which is more than its type can hold"),
        AlarmKind::Uninitialised => format!("depends on `{whole}`, which nobody has written"),
        AlarmKind::Assertion => format!("fails `{whole}`"),
        AlarmKind::SegmentationFault
        | AlarmKind::Unreachable
        | AlarmKind::Abort
        | AlarmKind::ErrorReached
        | AlarmKind::StackOverflow
        | AlarmKind::OutOfMemory
        | AlarmKind::Timeout
        | AlarmKind::Trap
        | AlarmKind::Lost
        | AlarmKind::Violation
        | AlarmKind::Signal(_) => format!("{} in `{whole}`", without_text(alarm.kind)),
    }
}

/// Whether it is the function that is NULL, not something that has to be followed to find it: that is what the run was decided by.
fn is_called_itself(alarm: &Alarm, found: &Found<'_>) -> bool {
    let Some(last) = found.tokens().last().filter(|token| token.is_name() && found.is_called()) else { return false };
    alarm.told.deciding.iter().any(|one| one.name.rsplit(['.', '>']).next() == Some(last.text))
}

/// The same where the text is not known.
fn without_text(kind: AlarmKind) -> String {
    let text = match kind {
        AlarmKind::NullDereference => "follows NULL",
        AlarmKind::OutOfBounds => "reaches outside of an object",
        AlarmKind::SegmentationFault => "touches memory that it does not have",
        AlarmKind::UseAfterFree => "uses memory after it was freed",
        AlarmKind::DoubleFree => "frees memory that is freed already",
        AlarmKind::InvalidFree => "frees what is no start of an object on the heap",
        AlarmKind::DivisionByZero => "divides by 0",
        AlarmKind::DivisionOverflow => "divides the smallest number by -1",
        AlarmKind::ShiftOutOfRange => "shifts too far",
        AlarmKind::SignedOverflow => "computes more than a type can hold",
        AlarmKind::Uninitialised => "depends on what nobody has written",
        AlarmKind::Unreachable => "gets to what it says cannot be reached",
        AlarmKind::Assertion => "fails an assertion",
        AlarmKind::Abort => "aborts",
        AlarmKind::ErrorReached => "reaches its error",
        AlarmKind::StackOverflow => "calls itself until the stack is full",
        AlarmKind::OutOfMemory => "takes more memory than it may have",
        AlarmKind::Timeout => "does not come to an end",
        AlarmKind::Trap => "runs into a trap",
        AlarmKind::Lost => "ends in a way that cannot be told",
        AlarmKind::Violation => "violates a check",
        AlarmKind::Signal(number) => return format!("ends by signal {number}"),
    };
    text.to_string()
}

/// Characters of an expression that are shown.
const LONGEST: usize = 80;

pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", text[..end].trim_end()),
        None => text.to_string(),
    }
}
