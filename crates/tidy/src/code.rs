//! Rust sources without comments, texts and tests: what is left is what the program does.

use crate::tree;

/// The sources that are part of a program: no tests, no examples, no build scripts.
pub fn files() -> Vec<String> {
    let mut files = tree::files_named(&[".rs"]);
    files.retain(|file| file.split('/').nth(2) == Some("src"));
    let gated: Vec<String> = files.iter().flat_map(|file| gated(file, &tree::read(file))).collect();
    files.retain(|file| {
        !gated
            .iter()
            .any(|module| file.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/')))
    });
    files
}

/// The modules that a source declares for its tests alone, as paths without `.rs`.
fn gated(file: &str, text: &str) -> Vec<String> {
    let folder = match file.rsplit_once('/') {
        Some((folder, "lib.rs" | "main.rs" | "mod.rs")) => folder,
        Some(_) | None => file.trim_end_matches(".rs"),
    };
    let pairs = text.lines().zip(text.lines().skip(1)).filter(|(line, _)| line.trim() == "#[cfg(test)]");
    let name = |line: &str| Some(line.trim().rsplit_once("mod ")?.1.strip_suffix(';')?.to_owned());
    pairs.filter_map(|(_, next)| name(next)).map(|module| format!("{folder}/{module}")).collect()
}

/// The lines of a source with their numbers; comments and the contents of texts are gone, and so is everything from the tests at its end on.
pub fn lines(text: &str) -> Vec<(usize, String)> {
    let code = without_texts(text);
    numbered(code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default())
}

/// The same with the tests.
pub fn all_lines(text: &str) -> Vec<(usize, String)> {
    numbered(&without_texts(text))
}

fn numbered(code: &str) -> Vec<(usize, String)> {
    code.lines().enumerate().map(|(at, line)| (at + 1, line.to_owned())).collect()
}

/// Whether a word occurs with nothing before it that would make it part of a longer one.
pub fn holds(line: &str, word: &str) -> bool {
    let starts =
        |at: usize| line[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric() && before != '_');
    line.match_indices(word).any(|(at, _)| starts(at))
}

/// Comments and the insides of texts are dropped; line ends stay, so that numbers keep their meaning.
fn without_texts(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if let Some(hashes) = raw_text(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = 2 + hashes;
            rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len())
        } else if next == '"' {
            plain_text(rest)
        } else if let Some(length) = character(rest) {
            length
        } else {
            kept.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        kept.extend(rest[..length].chars().filter(|skipped| *skipped == '\n'));
        rest = &rest[length..];
    }
    kept
}

/// How many `#` a raw text begins with, if there is one.
fn raw_text(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

fn plain_text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, next) in rest.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a character in quotes; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let mut inside = rest.strip_prefix('\'')?.chars();
    let first = inside.next()?;
    if first != '\\' {
        return (inside.next() == Some('\'')).then(|| 2 + first.len_utf8());
    }
    let escape = inside.next()?.len_utf8();
    rest[2 + escape..].find('\'').map(|at| 3 + escape + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        lines(text).into_iter().map(|(_, line)| line + "\n").collect()
    }

    #[test]
    fn comments_texts_and_tests_are_gone() {
        assert_eq!(code("a; // b\nc /* d\n e */ f\n"), "a; \nc \n f\n");
        assert_eq!(code(r#"say("a \" b", 'c', '\'', '\u{1}', r"d", x) 'life"#), "say(, , , , , x) 'life\n");
        assert_eq!(code("let r = r#\"say \"a\" \"#;\n"), "let r = ;\n");
        assert_eq!(code("a\n#[cfg(test)]\nmod tests {\nb\n}\n"), "a\n");
    }

    #[test]
    fn words_are_whole_at_their_start() {
        assert!(holds("std::println!(x)", "println!"));
        assert!(!holds("eprintln!(x)", "println!"));
    }

    #[test]
    fn modules_of_tests_are_known() {
        let text = "mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\npub(crate) mod c;\n#[cfg(test)]\nmod tests {\n";
        assert_eq!(gated("crates/x/src/lib.rs", text), ["crates/x/src/b", "crates/x/src/c"]);
        assert_eq!(gated("crates/x/src/y.rs", text), ["crates/x/src/y/b", "crates/x/src/y/c"]);
    }
}
