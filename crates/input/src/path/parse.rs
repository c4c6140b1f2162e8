//! The text of an access path → its root and steps, such that writing them gives the text again.

use super::{PathRoot, PathStep};
use covet_abi::input::REPETITION;

/// What is not a path as we write them is a name that the program gave.
pub(super) fn parse(text: &str) -> (PathRoot, Vec<PathStep>) {
    text.strip_prefix("file.").map(file).or_else(|| structured(text)).unwrap_or_else(|| marked(text))
}

/// The name of a file may hold anything, so only its end tells a part of it.
fn file(rest: &str) -> (PathRoot, Vec<PathStep>) {
    let size = || Some((rest.strip_suffix(".size")?, PathStep::Member("size".into())));
    let byte = || last_index(rest);
    match size().or_else(byte) {
        Some((name, step)) => (PathRoot::File(name.into()), vec![step]),
        None => (PathRoot::File(rest.into()), Vec::new()),
    }
}

/// A path of one of our own roots.
fn structured(text: &str) -> Option<(PathRoot, Vec<PathStep>)> {
    let mut rest = text.trim_start_matches("(*");
    let mut open = (text.len() - rest.len()) / 2;
    let root = root(&mut rest)?;
    let mut steps: Vec<PathStep> = Vec::new();
    while !rest.is_empty() {
        if take(&mut rest, "->") {
            steps.extend([PathStep::Deref, PathStep::Member(name(&mut rest)?.into())]);
        } else if take(&mut rest, ".") {
            // Behind a pointer a member is written with an arrow.
            let is_arrow = steps.last() == Some(&PathStep::Deref);
            steps.push(PathStep::Member(name(&mut rest).filter(|_| !is_arrow)?.into()));
        } else if take(&mut rest, "[") {
            steps.push(PathStep::Index(number(&mut rest)?));
            take(&mut rest, "]").then_some(())?;
        } else if take(&mut rest, "()") {
            steps.push(PathStep::Call);
        } else if take(&mut rest, ")") {
            open = open.checked_sub(1)?;
            steps.push(PathStep::Deref);
        } else if let Some(after) = rest.strip_prefix(REPETITION) {
            rest = after;
            steps.push(again(&mut rest)?);
        } else {
            take(&mut rest, "?").then_some(())?;
            steps.push(PathStep::Choice);
        }
    }
    (open == 0).then_some((root, steps))
}

/// What stands behind the sign of another input of the same name.
fn again(rest: &mut &str) -> Option<PathStep> {
    if !take(rest, "w") {
        return Some(PathStep::Repetition(number(rest)?));
    }
    let bits = number(rest)?;
    take(rest, ".").then_some(())?;
    Some(PathStep::Width { bits, clash: number(rest)? })
}

fn root(rest: &mut &str) -> Option<PathRoot> {
    let root = match name(rest)? {
        "stdin" => PathRoot::Stdin,
        "argv" => PathRoot::Argv,
        word @ ("arg" | "global" | "stub") => {
            take(rest, ".").then_some(())?;
            let name = name(rest)?.into();
            match word {
                "arg" => PathRoot::Argument(name),
                "global" => PathRoot::Global(name),
                _ => PathRoot::Stub(name),
            }
        }
        _ => return None,
    };
    Some(root)
}

/// What the program calls an input may hold anything, so only the ends that we write behind it are told from it.
fn marked(text: &str) -> (PathRoot, Vec<PathStep>) {
    let mut name = text;
    let mut steps = Vec::new();
    while let Some((before, step)) = last_again(name).or_else(|| last_part(name)) {
        if before.is_empty() {
            break;
        }
        name = before;
        steps.push(step);
    }
    steps.reverse();
    (PathRoot::Marked(name.into()), steps)
}

fn last_part(text: &str) -> Option<(&str, PathStep)> {
    let offset = || {
        let (before, offset) = text.rsplit_once('.')?;
        whole(offset).map(|_| (before, PathStep::Member(offset.into())))
    };
    last_index(text).or_else(offset)
}

fn last_index(text: &str) -> Option<(&str, PathStep)> {
    let (before, index) = text.strip_suffix(']')?.rsplit_once('[')?;
    Some((before, PathStep::Index(whole(index)?)))
}

fn last_again(text: &str) -> Option<(&str, PathStep)> {
    let (before, mut rest) = text.rsplit_once(REPETITION)?;
    let step = again(&mut rest)?;
    rest.is_empty().then_some((before, step))
}

fn take(rest: &mut &str, word: &str) -> bool {
    let after = rest.strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// A name up to what a step begins with.
fn name<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let end = rest.find(['.', '[', ']', '(', ')', '*', '-', '>', '?', REPETITION]).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    (!name.is_empty()).then_some(name)
}

fn number(rest: &mut &str) -> Option<u64> {
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    *rest = after;
    whole(digits)
}

/// A number as it is written: without a sign, and without zeros before it.
fn whole(digits: &str) -> Option<u64> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| is_plain)
}
