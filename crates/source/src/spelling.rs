//! Types of the source's table → C text that declares something of that type.
//!
//! The name the programmer wrote is preferred; `__typeof__` carries the shapes whose declarators wrap around the name.

use crate::{TypeId, TypeKind, Types};

/// `int x`, `__typeof__(int (*)(void)) x`: a declaration of `name` with the type as written.
pub fn declare(written: &str, name: &str) -> String {
    let written = plain(written);
    if written.contains(['(', '[']) {
        format!("__typeof__({written}) {name}")
    } else if written.ends_with('*') {
        format!("{written}{name}")
    } else {
        format!("{written} {name}")
    }
}

/// The C type by which a value of type `id` is passed, read and written: pointers are `void *`, enumerations the integers behind
/// them. None when C has no name for it.
pub fn passed(types: &Types, id: TypeId) -> Option<String> {
    let ty = types.get(id);
    match &ty.kind {
        TypeKind::Pointer { .. } => Some("void *".to_owned()),
        TypeKind::Enum(values) => Some(types.get(values.underlying).name.clone()),
        // Its name wraps around what it declares.
        TypeKind::Vector { .. } => Some(format!("__typeof__({})", ty.name)),
        TypeKind::Record(_) => is_speakable(&ty.name).then(|| ty.name.clone()),
        TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Char { .. }
        | TypeKind::Float { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => Some(ty.name.clone()),
        TypeKind::Array { .. } | TypeKind::Function { .. } => None,
    }
}

/// Whether the text names a type outside the place it was declared at.
pub fn is_speakable(written: &str) -> bool {
    !written.is_empty() && !["(unnamed", "(anonymous", "__va_list_tag"].iter().any(|mark| written.contains(mark))
}

/// The type of the elements a pointer (written so, pointing at `pointee`) leads to; none when it has no name.
pub fn element(types: &Types, written: &str, pointee: TypeId) -> Option<String> {
    let written = plain(written);
    let found = element_as_written(&written).filter(|name| is_speakable(name));
    let canonical = || {
        let name = &types.get(pointee).name;
        let wraps = matches!(types.kind(pointee), TypeKind::Pointer { .. }) && name.contains(['(', '[']);
        (is_speakable(name) && !wraps).then(|| name.clone())
    };
    let through_typedef = || is_speakable(&written).then(|| format!("__typeof__((*({written} *)0)[0])"));
    let name = found.or_else(canonical).or_else(through_typedef)?;
    Some(without_const(&name))
}

/// The pointer that a parameter written as an array is: `const char[10]` → `const char *`. Nothing where the star goes inside.
pub(crate) fn decayed(written: &str) -> Option<String> {
    let element = written.contains('[').then(|| element_as_written(written)).flatten()?;
    let space = if element.ends_with('*') { "" } else { " " };
    (!element.contains('[')).then(|| format!("{element}{space}*"))
}

/// `const char *` → `const char`, `int[2][3]` → `int[3]`; nothing for typedefs and function pointers.
fn element_as_written(written: &str) -> Option<String> {
    if let Some(base) = written.strip_suffix('*') {
        return (!base.contains('(')).then(|| base.trim_end().to_string());
    }
    if written.contains('(') {
        return None;
    }
    let open = written.find('[')?;
    let close = open + written[open..].find(']')?;
    Some(format!("{}{}", written[..open].trim_end(), &written[close + 1..]))
}

/// Without what says nothing about the value: `restrict`, and qualifiers of the outermost pointer.
fn plain(written: &str) -> String {
    let mut text = without_word(&without_word(written, "__restrict"), "restrict");
    loop {
        let trimmed = text.trim_end();
        let shorter = ["const", "volatile"].iter().find_map(|word| {
            let base = trimmed.strip_suffix(word)?;
            base.ends_with(['*', ' ']).then_some(base).filter(|base| base.trim_end().ends_with('*'))
        });
        match shorter {
            Some(base) => text = base.to_string(),
            None => {
                text.truncate(trimmed.len());
                break;
            }
        }
    }
    text
}

fn without_word(text: &str, word: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        kept.push_str(before);
        if kept.ends_with(is_part) || after.starts_with(is_part) {
            kept.push_str(word);
        }
        rest = after;
    }
    kept + rest
}

fn without_const(name: &str) -> String {
    let name = name.strip_prefix("const ").unwrap_or(name);
    // `char *const`: an element that is itself a constant pointer.
    name.strip_suffix("const").filter(|base| base.ends_with('*')).unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations() {
        assert_eq!(declare("int", "x"), "int x");
        assert_eq!(declare("const char *restrict", "s"), "const char *s");
        assert_eq!(declare("struct p *const", "p"), "struct p *p");
        assert_eq!(declare("int (*)(void)", "f"), "__typeof__(int (*)(void)) f");
        assert_eq!(declare("const int", "x"), "const int x");
        assert_eq!(declare("restricted_t *__restrict", "x"), "restricted_t *x");
    }

    #[test]
    fn elements_of_written_pointers() {
        assert_eq!(element_as_written("const char *"), Some("const char".to_string()));
        assert_eq!(element_as_written("int[2][3]"), Some("int[3]".to_string()));
        assert_eq!(element_as_written("char **"), Some("char *".to_string()));
        assert_eq!(element_as_written("list_t"), None);
        assert_eq!(element_as_written("int (*)[3]"), None);
        assert_eq!(decayed("const char[10]"), Some("const char *".to_string()));
        assert_eq!(decayed("char *[static n]"), Some("char **".to_string()));
        assert_eq!([decayed("int[2][3]"), decayed("int (*)[3]"), decayed("char *")], [None, None, None]);
    }
}
