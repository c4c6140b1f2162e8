//! What may be only where `ARCHITECTURE.md` says: printing, processes, LLVM, SMT, the environment.

use covet_tidy::{code, manifest, none, page, tree};

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
    let mut wrong = Vec::new();
    for file in code::files() {
        let place = file.trim_start_matches("crates/").replacen("/src/", "/", 1);
        let banned: Vec<&Absence> = absences.iter().filter(|absence| !allowed(absence, &place)).collect();
        for (number, line) in code::lines(&tree::read(&file)) {
            let words = banned.iter().flat_map(|absence| &absence.words).filter(|word| code::holds(&line, word));
            wrong.extend(words.map(|word| format!("{file}:{number}: `{word}`")));
        }
    }
    none("not the place for it, see the table below `## Absences` in ARCHITECTURE.md:", &wrong);
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

#[test]
fn the_places_of_the_page_exist() {
    let exists = |place: &str| {
        let (name, inner) = place.split_once('/').unwrap_or((place, ""));
        [format!("crates/{name}/src/{inner}"), format!("crates/{name}/{inner}")]
            .iter()
            .any(|path| tree::root().join(path).exists())
    };
    let missing: Vec<String> =
        absences().into_iter().flat_map(|absence| absence.places).filter(|place| !exists(place)).collect();
    none("places of the table below `## Absences` in ARCHITECTURE.md that are not there:", &missing);
}

/// Whether a file is one of the places, or below one; `src` is left out of both.
fn allowed(absence: &Absence, file: &str) -> bool {
    absence
        .places
        .iter()
        .any(|place| file.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
