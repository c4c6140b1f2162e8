//! Names that someone may have meant.

/// `; did you mean ...?` with up to three names similar to `name`, best first; nothing when there is none.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let lower = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|other| (strsim::jaro_winkler(&lower, &other.to_lowercase()), other))
        .filter(|(score, other)| *score > 0.75 || other.to_lowercase().contains(&lower))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, other)| *other);
    let best: Vec<String> = scored.iter().take(3).map(|(_, other)| format!("`{other}`")).collect();
    if best.is_empty() { String::new() } else { format!("; did you mean {}?", best.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn similar_names_are_suggested_best_first() {
        let names = ["is_sorted", "print", "main", "is_stored"];
        assert_eq!(near("is_sortd", names.into_iter()), "; did you mean `is_sorted`, `is_stored`?");
        assert_eq!(near("xyzzy", names.into_iter()), "");
    }
}
