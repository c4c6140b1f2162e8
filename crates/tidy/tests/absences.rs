//! What may be only where `ARCHITECTURE.md` says: printing, processes, LLVM, SMT, the environment.

use covet_tidy::{code, manifest, none, page, tree};

use std::collections::BTreeSet;

/// One row of the table: words, and the folders or files below `crates` where alone they may stand.
struct Absence {
    words: Vec<String>,
    places: Vec<String>,
}

fn absences() -> Vec<Absence> {
    let rows = page::table(&tree::read("ARCHITECTURE.md"), "## Absences");
    assert!(!rows.is_empty(), "ARCHITECTURE.md has no table below `## Absences`");
    let owned = |cell: &str| page::ticked(cell).into_iter().map(str::to_owned).collect();
    rows.iter().map(|row| Absence { words: owned(&row[0]), places: owned(&row[1]) }).collect()
}

#[test]
fn words_stand_only_where_the_page_allows_them() {
    let absences = absences();
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    for file in code::files() {
        let place = file.trim_start_matches("crates/").replacen("/src/", "/", 1);
        for (number, line) in code::lines(&tree::read(&file)) {
            for (row, absence) in absences.iter().enumerate() {
                let Some(word) = absence.words.iter().find(|word| code::holds(&line, word)) else { continue };
                match absence.places.iter().find(|allowed| is_below(&place, allowed)) {
                    Some(allowed) => drop(needed.insert((row, allowed.clone()))),
                    None => wrong.push(format!("{file}:{number}: `{word}`")),
                }
            }
        }
    }
    none("not the place for it, see the table below `## Absences` in ARCHITECTURE.md:", &wrong);
    let all = absences
        .iter()
        .enumerate()
        .flat_map(|(row, absence)| absence.places.iter().map(move |place| (row, place.clone())));
    let idle = all
        .filter(|allowed| !needed.contains(allowed))
        .map(|(row, place)| format!("{place}: {}", absences[row].words.join(", ")));
    none(
        "places that no longer need what the table below `## Absences` in ARCHITECTURE.md allows them:",
        &idle.collect::<Vec<_>>(),
    );
}

#[test]
fn outside_crates_are_used_only_where_the_page_allows_them() {
    let mut wrong = Vec::new();
    for name in tree::crates() {
        let others = manifest::dependencies(&name).others;
        for absence in absences() {
            let banned = absence.places.iter().all(|place| place.split('/').next() != Some(name.as_str()));
            let named = others.iter().filter(|other| banned && absence.words.contains(&other.replace('-', "_")));
            wrong.extend(named.map(|other| format!("crates/{name}/Cargo.toml: `{other}`")));
        }
    }
    none("not the crate for it, see the table below `## Absences` in ARCHITECTURE.md:", &wrong);
}

/// Whether a file is a place or lies below it; `src` is left out of both.
fn is_below(file: &str, place: &str) -> bool {
    file.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
