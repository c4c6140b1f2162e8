//! A run that ended in an alarm → the calls that led there, outermost first, each with the conditions under which it went on.

use covet_abi::event::Kind;
use covet_explore::Ran;
use covet_expr::text::text;
use covet_input::Value;
use covet_path::Condition;
use covet_results::{Frame, Step};
use covet_sites::SiteMap;
use std::collections::BTreeSet;

/// Conditions told of one call: the last ones before it.
const MOST_CONDITIONS: usize = 2;
/// Values told with them.
const MOST_VALUES: usize = 4;
/// A longer one says nothing to a person.
const LONGEST: usize = 80;
/// Calls told; of a deep recursion the outermost and the innermost.
const MOST_CALLS: usize = 16;

/// The chain of a run whose call stack this is, innermost first.
pub fn of(map: &SiteMap, stack: &[Frame], ran: &Ran<'_>) -> Vec<Step> {
    let mut frames: Vec<&Frame> = stack.iter().rev().collect();
    if frames.len() > MOST_CALLS {
        frames.drain(MOST_CALLS / 2..frames.len() - MOST_CALLS / 2);
    }
    let mut told: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut chain = Vec::with_capacity(frames.len());
    for frame in frames {
        // Of a function that is there several times, nobody knows which call a condition belongs to.
        let is_first = told.insert((&frame.function, &frame.file));
        let condition = if is_first { condition(map, frame, ran) } else { None };
        let Frame { function, file, line, .. } = frame.clone();
        chain.push(Step { function, file, line, condition });
    }
    chain
}

/// The last decisions of a function on the path, with the values that they speak of.
fn condition(map: &SiteMap, frame: &Frame, ran: &Ran<'_>) -> Option<String> {
    let is_own = |condition: &&Condition| {
        let function = map.sites.get(condition.site.index()).map(|site| &map.functions[site.function.index()]);
        let is_decision = matches!(condition.kind, Kind::Branch | Kind::Switch);
        is_decision && function.is_some_and(|function| function.name == frame.function && function.file == frame.file)
    };
    let (mut texts, mut values) = (Vec::new(), Vec::new());
    for condition in ran.execution.path.conditions.iter().rev().filter(is_own) {
        let told = text(ran.pool, ran.variables, condition.term);
        if texts.len() == MOST_CONDITIONS {
            break;
        }
        if told.chars().count() > LONGEST || texts.contains(&told) {
            continue;
        }
        texts.push(told);
        for id in ran.pool.variables(condition.term).iter() {
            let variable = ran.variables.get(id);
            let Some(bits) = ran.execution.input.get(id) else { continue };
            let value = Value { bits, width: variable.width, kind: variable.kind };
            let told = format!("{} = {value}", variable.name);
            if values.len() < MOST_VALUES && !values.contains(&told) {
                values.push(told);
            }
        }
    }
    texts.reverse();
    (!texts.is_empty()).then(|| format!("{} ({})", texts.join(" && "), values.join(", ")))
}
