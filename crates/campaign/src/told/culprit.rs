//! The tokens of an expression that goes wrong → the part of it that a check would have asked about: `p` of `p->next`, `a[i]` of
//! `a[i].x = 0`, `d` of `n / d`.

use super::tokens::{Token, closing};
use covet_results::AlarmKind;

/// What is done to the memory behind an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// It is given to a function.
    Call,
}

/// The part of an expression whose value is wrong, as a range of its tokens.
pub fn culprit(kind: AlarmKind, tokens: &[Token<'_>]) -> std::ops::Range<usize> {
    match kind {
        AlarmKind::DivisionByZero | AlarmKind::DivisionOverflow => behind(tokens, &["/", "%", "/=", "%="]),
        AlarmKind::ShiftOutOfRange => behind(tokens, &["<<", ">>", "<<=", ">>="]),
        AlarmKind::NullDereference
        | AlarmKind::SegmentationFault
        | AlarmKind::UseAfterFree
        | AlarmKind::Uninitialised => address(tokens, false),
        AlarmKind::OutOfBounds => address(tokens, true),
        AlarmKind::DoubleFree
        | AlarmKind::InvalidFree
        | AlarmKind::SignedOverflow
        | AlarmKind::Unreachable
        | AlarmKind::Assertion
        | AlarmKind::Abort
        | AlarmKind::ErrorReached
        | AlarmKind::StackOverflow
        | AlarmKind::OutOfMemory
        | AlarmKind::Timeout
        | AlarmKind::Trap
        | AlarmKind::Lost
        | AlarmKind::Violation
        | AlarmKind::Signal(_) => 0..tokens.len(),
    }
}

pub fn access(tokens: &[Token<'_>]) -> Access {
    let steps = |token: &Token<'_>| matches!(token.text, "++" | "--");
    let is_step = match tokens {
        // `*p++` reads behind `p`.
        [first, ..] if first.text == "*" => false,
        [first, .., last] => steps(first) || steps(last),
        [] | [_] => false,
    };
    match tokens {
        _ if assignment(tokens).is_some() || is_step => Access::Write,
        [name, open, ..] if name.is_name() && open.text == "(" && closing(tokens, 1) == Some(tokens.len() - 1) => {
            Access::Call
        }
        _ => Access::Read,
    }
}

const ASSIGNMENTS: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// Where an assignment stands, outside of all brackets.
fn assignment(tokens: &[Token<'_>]) -> Option<usize> {
    outer(tokens).find(|at| ASSIGNMENTS.contains(&tokens[*at].text))
}

/// The places of tokens outside of all brackets.
fn outer<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0i32;
    (0..tokens.len()).filter(move |at| match tokens[*at].text {
        "(" | "[" | "{" => {
            depth += 1;
            depth == 1
        }
        ")" | "]" | "}" => {
            depth -= 1;
            depth == 0
        }
        _ => depth == 0,
    })
}

/// What follows the last of these operators.
fn behind(tokens: &[Token<'_>], operators: &[&str]) -> std::ops::Range<usize> {
    let found = outer(tokens).filter(|at| operators.contains(&tokens[*at].text)).last();
    found.map_or(0, |at| at + 1)..tokens.len()
}

/// What is followed: the pointer, with its index where that may be the mistake.
fn address(tokens: &[Token<'_>], with_index: bool) -> std::ops::Range<usize> {
    // What is read on the right of an assignment has a place of its own.
    let (mut start, mut end) = (0, assignment(tokens).unwrap_or(tokens.len()));
    loop {
        let part = &tokens[start..end];
        match part {
            [open, .., _] if open.text == "(" && closing(part, 0) == Some(part.len() - 1) => {
                (start, end) = (start + 1, end - 1);
            }
            [.., dot, name] if dot.text == "." && name.is_name() => end -= 2,
            [.., step] if matches!(step.text, "++" | "--") && part.len() > 1 => end -= 1,
            [step, ..] if matches!(step.text, "++" | "--") && part.len() > 1 => start += 1,
            [.., arrow, name] if arrow.text == "->" && name.is_name() && is_one(&part[..part.len() - 2]) => {
                return start..end - 2;
            }
            [.., last] if last.text == "]" => {
                let open = (0..part.len())
                    .rev()
                    .find(|at| part[*at].text == "[" && closing(part, *at) == Some(part.len() - 1));
                return match open {
                    Some(open) if !with_index && open > 0 => start..start + open,
                    Some(_) | None => start..end,
                };
            }
            [star, rest @ ..] if star.text == "*" && is_one(rest) => return start + 1..end,
            _ => return start..end,
        }
    }
}

/// Whether tokens are one operand: names, brackets, members and signs in front of it.
fn is_one(tokens: &[Token<'_>]) -> bool {
    let mut was_operand = false;
    !tokens.is_empty()
        && outer(tokens).all(|at| {
            let token = &tokens[at];
            let is_operand = token.is_name() || token.text.starts_with(|c: char| c.is_ascii_digit() || c == '"');
            let fits = match token.text {
                "->" | "." | "(" | ")" | "[" | "]" | "++" | "--" => true,
                "*" | "&" | "-" | "+" | "~" | "!" => !was_operand,
                _ => is_operand,
            };
            was_operand = is_operand || matches!(token.text, ")" | "]" | "++" | "--");
            fits
        })
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{text, tokens};
    use super::*;

    fn part(kind: AlarmKind, source: &str) -> String {
        let all = tokens(source);
        text(&all[culprit(kind, &all)])
    }

    #[test]
    fn the_part_that_a_check_would_ask_about_is_found() {
        let null = |source| part(AlarmKind::NullDereference, source);
        assert_eq!(null("p->next->val"), "p->next");
        assert_eq!(null("s->pos.x"), "s");
        assert_eq!(null("*p++ = *q"), "p");
        assert_eq!(null("a[i].x"), "a");
        assert_eq!(null("(*p).x"), "p");
        assert_eq!(null("strlen(s)"), "strlen(s)");
        assert_eq!(null("*f(x)"), "f(x)");
        let bounds = |source| part(AlarmKind::OutOfBounds, source);
        assert_eq!(bounds("h->names[i + 1].len = n[j]"), "h->names[i + 1]");
        assert_eq!(bounds("m[i][j]"), "m[i][j]");
        assert_eq!(bounds("*(p + n)"), "(p + n)");
        assert_eq!(bounds("p->n++"), "p");
        assert_eq!(part(AlarmKind::DivisionByZero, "points * 100 / of"), "of");
        assert_eq!(part(AlarmKind::DivisionByZero, "x %= y - 1"), "y - 1");
        assert_eq!(part(AlarmKind::ShiftOutOfRange, "1 << (n & 63)"), "(n & 63)");
        assert_eq!(part(AlarmKind::Assertion, "assert(a != 7)"), "assert(a != 7)");
    }

    #[test]
    fn writes_are_told_from_reads() {
        let of = |source: &str| access(&tokens(source));
        assert_eq!(of("a[i] = b[j]"), Access::Write);
        assert_eq!(of("a[b = 1]"), Access::Read);
        assert_eq!(of("p->n++"), Access::Write);
        assert_eq!(of("*p++"), Access::Read);
        assert_eq!(of("memcpy(a, b, n)"), Access::Call);
        assert_eq!(of("f(x) + g(y)"), Access::Read);
    }
}
