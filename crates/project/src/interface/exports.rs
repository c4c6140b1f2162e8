//! An export list → which symbols are exported: a linker's version script, a `.def` file, or a plain list of names.

use crate::Failure;
use covet_settings::Pattern;
use std::path::Path;

/// What a library lets others see.
#[derive(Clone, Debug, Default)]
pub struct Exports {
    /// The first that fits decides.
    rules: Vec<(Pattern, bool)>,
}

impl Exports {
    pub fn read(path: &Path) -> Result<Exports, Failure> {
        let text = std::fs::read(path).map_err(Failure::file(path))?;
        let exports = Exports::parse(&String::from_utf8_lossy(&text));
        match exports.rules.iter().any(|(_, is_exported)| *is_exported) {
            true => Ok(exports),
            false => Err(Failure::User(format!(
                "{}: exports nothing; expected a version script (`{{ global: f; local: *; }};`), a .def file, or a name in each line",
                path.display()
            ))),
        }
    }

    /// Whether others see the symbol.
    pub fn names(&self, symbol: &str) -> bool {
        let rule = self.rules.iter().find(|(pattern, _)| pattern.matches(symbol));
        rule.is_some_and(|(_, is_exported)| *is_exported)
    }

    fn parse(text: &str) -> Exports {
        let text = without_comments(text);
        let mut rules = if text.contains('{') { version_script(&text) } else { lines(&text) };
        // Names go before patterns, and `local: *` is the last resort wherever it stands.
        rules.sort_by_key(|(name, _)| (name.contains(['*', '?']), name == "*"));
        Exports { rules: rules.into_iter().map(|(name, is_exported)| (Pattern::new(&name), is_exported)).collect() }
    }
}

/// `LIB_1.0 { global: f; g*; local: *; };`
fn version_script(text: &str) -> Vec<(String, bool)> {
    let mut spaced = text.to_string();
    for mark in ["{", "}", ";", ":"] {
        spaced = spaced.replace(mark, &format!(" {mark} "));
    }
    let mut rules = Vec::new();
    let (mut depth, mut is_global, mut last) = (0_usize, true, "");
    for word in spaced.split_whitespace() {
        match word {
            "{" => (depth, is_global) = (depth + 1, true),
            "}" => depth = depth.saturating_sub(1),
            ":" => is_global = last != "local",
            // Names of versions stand outside of braces.
            ";" if depth > 0 && !matches!(last, "" | "}" | ";") => {
                rules.push((last.trim_matches('"').to_string(), is_global));
            }
            _ => {}
        }
        last = word;
    }
    rules
}

/// A name in each line; `EXPORTS`, `LIBRARY` and what follows a name are those of a `.def` file.
fn lines(text: &str) -> Vec<(String, bool)> {
    let names = text.lines().filter_map(|line| line.split(';').next()?.split_whitespace().next());
    let is_name = |name: &&str| !matches!(*name, "EXPORTS" | "LIBRARY" | "DESCRIPTION" | "VERSION" | "NAME");
    names.filter(is_name).map(|name| (name.split('=').next().unwrap_or(name).to_string(), true)).collect()
}

/// Without `/* */`, and lines from `#` on.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept += before;
        kept.push(' ');
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept += rest;
    let line = |line: &str| line.split('#').next().unwrap_or_default().to_string();
    kept.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_script_says_what_is_global() {
        let text =
            "LIB_1.0 { global: lib_open; lib_read*; /* not: */ local: *; };\nLIB_1.1 { global: lib_more; } LIB_1.0;";
        let exports = Exports::parse(text);
        for name in ["lib_open", "lib_read", "lib_read_all", "lib_more"] {
            assert!(exports.names(name), "{name}");
        }
        for name in ["lib_ope", "helper", "LIB_1.0", "not"] {
            assert!(!exports.names(name), "{name}");
        }
    }

    #[test]
    fn names_go_before_patterns() {
        let exports = Exports::parse("{ local: lib_secret; global: lib_*; };");
        assert!(exports.names("lib_open") && !exports.names("lib_secret") && !exports.names("other"));
    }

    #[test]
    fn lists_and_def_files_are_read() {
        let exports =
            Exports::parse("LIBRARY demo\nEXPORTS\n    demo_open @1\n    demo_close ; the end\n# more\nplain\n");
        assert!(exports.names("demo_open") && exports.names("demo_close") && exports.names("plain"));
        assert!(!exports.names("EXPORTS") && !exports.names("the"));
        assert!(Exports::parse("").rules.is_empty());
    }
}
