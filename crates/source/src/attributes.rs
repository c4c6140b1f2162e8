//! Attributes as they are written → which parameters, and whether the result, are never NULL.
//!
//! `_Nonnull`, `_Nullable`, `nonnull`, `nonnull(1, 3)`, `returns_nonnull`, also through macros of such names (`__nonnull ((1))`).

/// What attributes promise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Promised {
    /// All pointers among the parameters.
    pub all: bool,
    /// Parameters by position.
    pub parameters: Vec<usize>,
    pub result: bool,
}

/// Whether the declaration of a pointer says that it may be NULL (`_Nullable`), or that it may not (`_Nonnull`).
pub fn nullability(declaration: &str) -> Option<bool> {
    let mut words = declaration.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find_map(|word| match word {
        "_Nullable" => Some(true),
        "_Nonnull" => Some(false),
        _ => None,
    })
}

/// Reads the attributes of a function.
pub fn promised(attributes: &[String]) -> Promised {
    let mut promised = Promised::default();
    for text in attributes.iter().map(|text| text.to_lowercase()) {
        // What else stands in the line is not meant.
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.contains("returns_nonnull") {
            promised.result = true;
        } else if name.contains("nonnull") {
            let list = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let list = list.map_or("", |(list, _)| list.trim_start_matches([' ', '(']));
            let numbers = list.split(',').filter_map(|word| word.trim().parse::<usize>().ok());
            let positions: Vec<usize> = numbers.filter_map(|number| number.checked_sub(1)).collect();
            promised.all |= positions.is_empty();
            promised.parameters.extend(positions);
        }
    }
    promised
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one() {
        let read = |text: &str| promised(&[text.to_string()]);
        assert_eq!(read("nonnull"), Promised { all: true, ..Promised::default() });
        assert_eq!(read("nonnull(1, 3)").parameters, [0, 2]);
        assert_eq!(read("__nonnull ((2))").parameters, [1]);
        assert_eq!(read("returns_nonnull"), Promised { result: true, ..Promised::default() });
        assert_eq!(read("unused)) int is_nonnull(int x)"), Promised::default());
        assert_eq!(read("nonnull)) int f(int x)").parameters, []);
        assert_eq!(read("format(printf, 1, 2)"), Promised::default());
    }
}
