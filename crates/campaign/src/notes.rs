//! What was left out or cut, function by function → notes that a person reads: what many functions have in common is said once.

use std::collections::BTreeMap;

/// So many notes that say the same stand as they are.
const FEW: usize = 3;
/// Places that are named of more.
const NAMED: usize = 3;
/// What stands for further places.
const OTHERS: &str = "and others";

/// Notes of the form `FUNCTION: PLACE: WHY` with the same reason become one, where the first of them stood.
pub fn gathered(notes: Vec<String>) -> Vec<String> {
    let mut by_reason: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, why) in notes.iter().filter_map(|note| split(note)) {
        by_reason.entry(why.to_owned()).or_default().push(place.to_owned());
    }
    by_reason.retain(|_, places| places.len() > FEW);
    let mut found = Vec::new();
    for note in notes {
        let why = split(&note).map_or("", |(_, why)| why);
        match by_reason.get_mut(why) {
            None => found.push(note),
            // The others are told with the first of their kind.
            Some(places) if places.is_empty() => {}
            Some(places) => found.push(together(why, &std::mem::take(places))),
        }
    }
    found
}

/// `f: arg.p: too large` as place and reason; none for what is about no function.
fn split(note: &str) -> Option<(&str, &str)> {
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (function, rest) = note.split_once(": ").filter(|(function, _)| is_name(function))?;
    match rest.split_once(": ") {
        Some((place, why)) if place == OTHERS || !place.contains(' ') => {
            Some((&note[..function.len() + 2 + place.len()], why))
        }
        _ => Some((function, rest)),
    }
}

fn together(why: &str, places: &[String]) -> String {
    let mut functions: Vec<&str> = places.iter().map(|place| place.split(": ").next().unwrap_or(place)).collect();
    functions.dedup();
    let is_place = |place: &&String| !place.ends_with(OTHERS);
    let named: Vec<&str> = places.iter().filter(is_place).map(String::as_str).take(NAMED).collect();
    format!("in {} functions: {why} ({}, ...)", functions.len(), named.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_functions_share_is_said_once() {
        let notes = |all: &[&str]| all.iter().map(|note| (*note).to_owned()).collect::<Vec<String>>();
        let many = ["left out: a.c: no C", "f: arg.p: too large", "f: arg.q: too large", "f: and others: too large"];
        let more = ["went on", "g: arg.p: too large", "h: arg.x: deep: as it is", "g: too large"];
        let found = gathered(notes(&[&many[..], &more[..]].concat()));
        let together = "in 2 functions: too large (f: arg.p; f: arg.q; g: arg.p, ...)";
        assert_eq!(found, ["left out: a.c: no C", together, "went on", "h: arg.x: deep: as it is"]);
        let lost = notes(&[
            "not measured: a.c: time",
            "not measured: b.c: time",
            "not measured: c.c: time",
            "not measured: d.c: time",
        ]);
        assert_eq!(gathered(lost.clone()), lost);
        let few = notes(&["f: arg.p: too large", "g: arg.p: too large"]);
        assert_eq!(gathered(few.clone()), few);
    }
}
