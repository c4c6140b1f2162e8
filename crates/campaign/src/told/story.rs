//! All that is known of an alarm → one paragraph: what goes wrong and where, with which values, how control gets there, what is assumed or why
//! it is believed, and how to see it happen.

use super::code::Code;
use super::guards::Guard;
use super::wrong::{shortened, wrong};
use covet_input::{AccessPath, Pointee};
use covet_results::{Alarm, Deciding, Frame, Readable, Record, Sanitizer, Step, Test, Verdict};
use std::path::Path;

/// Conditions told of one function.
const CONDITIONS: usize = 3;
/// Values told where nothing says which matter.
const VALUES: usize = 6;
/// Calls told.
const CALLS: usize = 6;
/// Other places told.
const PLACES: usize = 8;

/// The calls that lead to an alarm, outermost first, and its story.
pub fn story(alarm: &Alarm, record: &Record, code: &Code<'_>, out: &Path) -> (Vec<Step>, String) {
    let test = alarm.test.as_ref().and_then(|id| record.tests.iter().find(|test| test.id == *id));
    let chain = if alarm.told.chain.is_empty() { chain(alarm, code) } else { alarm.told.chain.clone() };
    let found = code.of(alarm);
    let place = place(&alarm.file, alarm.line);
    let mut sentences = vec![format!("{} {}, at {place}.", alarm.function, wrong(alarm, found.as_ref()))];
    sentences.extend(found.and_then(|found| on_the_way(&found.guards(), &found.text(), &alarm.file)));
    sentences.extend(test.and_then(|test| values(test, &alarm.told.deciding)));
    sentences.extend(test.and_then(refused));
    sentences.extend(calls(&chain));
    sentences.push(belief(alarm, test));
    if !alarm.told.same.is_empty() {
        sentences.push(format!("The same is behind {}.", places(&alarm.told.same)));
    }
    if alarm.test.is_some() {
        sentences.push(format!("Run it: covet replay {} {} --gdb", out.display(), alarm.id));
    }
    (chain, sentences.join(" "))
}

/// The call stack as a chain, with the conditions that stand before each call.
fn chain(alarm: &Alarm, code: &Code<'_>) -> Vec<Step> {
    let step = |(depth, frame): (usize, &Frame)| {
        let guards = match depth {
            0 => code.of(alarm).map(|found| found.guards()),
            _ => code.call(frame).map(|found| found.guards()),
        };
        let told: Vec<String> =
            guards.iter().flatten().filter(|guard| !guard.is_exit).take(CONDITIONS).map(held).collect();
        let condition = (!told.is_empty()).then(|| told.join(" and "));
        Step { function: frame.function.clone(), file: frame.file.clone(), line: frame.line, condition }
    };
    alarm.stack.iter().enumerate().map(step).rev().collect()
}

fn held(guard: &Guard) -> String {
    let condition = shortened(&guard.condition);
    if guard.holds { format!("`{condition}`") } else { format!("not `{condition}`") }
}

/// The conditions before an expression that speak of what is in it.
fn on_the_way(guards: &[Guard], expression: &str, file: &str) -> Option<String> {
    let words: Vec<&str> = expression.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_about = |guard: &&Guard| guard.names.iter().any(|name| words.contains(&name.as_str()));
    let told: Vec<String> = guards
        .iter()
        .filter(is_about)
        .take(CONDITIONS)
        .map(|guard| {
            let (condition, place) = (shortened(&guard.condition), place(file, guard.line));
            match (guard.is_loop, guard.holds) {
                (true, _) => format!("the loop `{condition}` ({place}) still goes on"),
                (false, true) => format!("`{condition}` holds ({place})"),
                (false, false) => format!("`{condition}` does not hold ({place})"),
            }
        })
        .collect();
    (!told.is_empty()).then(|| format!("On the way there {}.", listed(&told)))
}

/// The values that matter, by name.
fn values(test: &Test, deciding: &[Deciding]) -> Option<String> {
    let all = shown(test);
    let is_deciding = |path: &AccessPath, one: &Deciding| {
        let name = AccessPath::from(one.name.as_str());
        *path == name || name.parent().as_ref() == Some(path)
    };
    let mut told: Vec<String> = Vec::new();
    for (path, value) in &all {
        if let Some(one) = deciding.iter().find(|one| is_deciding(path, one)) {
            let unchecked = if one.is_checked { "" } else { " (checked nowhere on the way)" };
            told.push(format!("`{}` = {value}{unchecked}", readable(path)));
        }
    }
    if told.is_empty() {
        told = all.iter().take(VALUES).map(|(path, value)| format!("`{}` = {value}", readable(path))).collect();
    }
    (!told.is_empty()).then(|| format!("It happens with {}.", listed(&told)))
}

/// The allocations that fail.
fn refused(test: &Test) -> Option<String> {
    let numbers = test.inputs.iter().filter_map(|(name, _)| covet_input::allocation(name));
    let told: Vec<String> = numbers.map(|number| format!("allocation {number} of the run")).collect();
    (!told.is_empty()).then(|| format!("There is no memory for {}.", listed(&told)))
}

/// Texts, numbers and pointers to nothing of a test.
fn shown(test: &Test) -> Vec<(AccessPath, String)> {
    let Readable { texts, numbers } = Readable::of(test);
    let nulls = test.pointers.iter().filter(|(_, pointee)| **pointee == Pointee::Null);
    let nulls = nulls.map(|(path, _)| (path.clone(), "NULL".to_string()));
    let numbers = numbers.into_iter().filter(|(path, _)| covet_input::allocation(path.as_str()).is_none());
    let numbers = numbers.map(|(path, value)| (path, value.to_string()));
    nulls.chain(texts).chain(numbers).collect()
}

/// An access path as the program would write it.
fn readable(path: &AccessPath) -> &str {
    let text = path.as_str();
    text.strip_prefix("arg.").or(text.strip_prefix("global.")).unwrap_or(text)
}

/// Who calls whom, innermost first.
fn calls(chain: &[Step]) -> Option<String> {
    let callers = chain.split_last()?.1;
    let told: Vec<String> = callers
        .iter()
        .rev()
        .take(CALLS)
        .map(|step| {
            let condition = step.condition.as_ref().map(|condition| format!(" when {condition}")).unwrap_or_default();
            format!("{} ({}){condition}", step.function, place(&step.file, step.line))
        })
        .collect();
    let more = callers.len().saturating_sub(CALLS);
    let more = if more > 0 { format!(", {more} calls further out") } else { String::new() };
    (!told.is_empty()).then(|| format!("Called by {}{more}.", told.join(", that by ")))
}

/// Why it has its verdict.
fn belief(alarm: &Alarm, test: Option<&Test>) -> String {
    let entry = test.map_or(alarm.function.as_str(), |test| test.function.as_str());
    let reason = alarm.told.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let seen = match &alarm.sanitizer {
        Some(Sanitizer::Confirmed { tool, kind, .. }) => format!(" {tool} says: {kind}."),
        Some(Sanitizer::Not(_)) | None if alarm.native => " The plain build crashes too.".to_string(),
        Some(Sanitizer::Not(why)) => format!(" No build shows it: {why}."),
        None => String::new(),
    };
    let believed = match alarm.verdict {
        Verdict::Confirmed => format!("The program shows it from {entry}, and nothing is assumed{reason}."),
        Verdict::Likely => format!("A call of {entry} shows it, and nothing is assumed{reason}."),
        Verdict::Latent => {
            format!("A call of {entry} shows it under an assumption: {}{reason}.", alarm.assumptions.join("; "))
        }
        Verdict::Filtered => format!("It is refuted{reason}."),
    };
    believed + &seen
}

fn places(frames: &[Frame]) -> String {
    let mut told: Vec<String> = frames.iter().take(PLACES).map(|frame| place(&frame.file, frame.line)).collect();
    let more = frames.len().saturating_sub(PLACES);
    if more > 0 {
        told.push(format!("{more} more places"));
    }
    listed(&told)
}

fn place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    format!("{name}:{line}")
}

/// `a, b and c`
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
