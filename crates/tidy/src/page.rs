//! Markdown pages: the tables below a heading, the words in backticks, the links.

/// The cells of the first table below a heading, without its head.
pub fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let below = text.lines().skip_while(|line| *line != heading).skip(1);
    let rows = below.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(cells).collect()
}

fn cells(row: &str) -> Vec<String> {
    let inside = row.trim().trim_start_matches('|').trim_end_matches('|');
    inside.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// What stands in backticks.
pub fn ticked(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The targets of `[text](target)`.
pub fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

/// A page without its blocks of code.
pub fn prose(text: &str) -> String {
    let mut inside = false;
    let outside = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    };
    text.lines().filter(outside).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_words_and_links_are_found() {
        let page = "# A\n| x |\n|-|\n| no |\n\n## B\n\ntext\n\n| a | b |\n|---|---|\n| `one`, `two` | three |\n\nend [it](there.md)\n";
        assert_eq!(table(page, "## B"), [["`one`, `two`", "three"]]);
        assert_eq!(ticked("`one`, and `two words`"), ["one", "two words"]);
        assert_eq!(links(page), ["there.md"]);
        assert_eq!(prose("a\n```\nb\n```\nc"), "a\nc");
    }
}
