//! The pages against the tree: what they link to and the files they name are there.

use covet_tidy::{none, page, tree};

#[test]
fn links_lead_to_files() {
    let mut wrong = Vec::new();
    for file in tree::files_named(&[".md"]) {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text = page::prose(&tree::read(&file));
        let inner = page::links(&text).into_iter().filter(|link| !link.contains("://"));
        for link in inner {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { tree::root().join(&file) } else { tree::root().join(folder).join(path) };
            if !target.exists() {
                wrong.push(format!("{file}: {link}"));
            } else if !anchor.is_empty()
                && !anchors(&std::fs::read_to_string(&target).unwrap_or_default()).contains(&anchor.to_owned())
            {
                wrong.push(format!("{file}: {link} (no such heading)"));
            }
        }
    }
    none("links that lead nowhere:", &wrong);
}

#[test]
fn files_that_pages_name_are_there() {
    let files: Vec<String> = tree::files().into_iter().map(|file| file.replacen("/src/", "/", 1)).collect();
    let is_source = |name: &str| {
        let end = format!("/{}", name.replacen("/src/", "/", 1));
        files.iter().any(|file| file.ends_with(&end))
    };
    let is_there = |name: &str| tree::root().join(name).exists() || (name.ends_with(".rs") && is_source(name));
    let is_path = |name: &str| {
        name.ends_with(".rs") || ["crates/", "tests/", "docs/", "examples/"].iter().any(|start| name.starts_with(start))
    };
    let mut wrong = Vec::new();
    // A change log tells what was.
    for page in tree::files_named(&[".md"]).into_iter().filter(|page| page != "CHANGELOG.md") {
        let text = page::prose(&tree::read(&page));
        let named =
            page::ticked(&text).into_iter().filter(|name| is_path(name) && !name.contains(['*', '<', ' ', '{']));
        wrong.extend(named.filter(|name| !is_there(name)).map(|name| format!("{page}: `{name}`")));
    }
    none("files that pages name and that are not there:", &wrong);
}

/// The names by which the headings of a page are linked to.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept: String =
            kept.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_').collect();
        kept.replace(' ', "-")
    };
    headings.map(anchor).collect()
}
