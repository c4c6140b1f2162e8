//! What stands for `...` and behind a `va_list`: arguments as a format string asks for them, or of the types that `va_arg` reads.

use crate::letters::Letters;
use crate::types::{TypeId, TypeKind, Types};
use crate::unit::{Function, Parameter};
use crate::uses::VA_LIST;

/// What a function expects as its variable arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extra {
    /// What the format string in this parameter asks for.
    Format(usize),
    /// What the letters in this parameter ask for.
    Letters(usize, Letters),
    /// These types, and then the last ones again.
    Types(Vec<TypeId>),
}

/// An argument that a format string asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Directive {
    Int,
    Long,
    Double,
    Text,
    /// Where the number of characters written so far goes.
    Count,
}

impl Directive {
    pub const ALL: [Directive; 5] =
        [Directive::Int, Directive::Long, Directive::Double, Directive::Text, Directive::Count];

    /// What tells the names of arguments at one position apart.
    pub const fn suffix(self) -> &'static str {
        match self {
            Directive::Int => "",
            Directive::Long => ":long",
            Directive::Double => ":double",
            Directive::Text => ":text",
            Directive::Count => ":count",
        }
    }
}

impl Function {
    /// Its parameter that is a `va_list`, or a pointer to one.
    pub fn va_list(&self, types: &Types) -> Option<usize> {
        self.parameters.iter().position(|parameter| is_va_list(types, parameter.ty))
    }

    /// Its variable arguments; none when it has none.
    pub fn extra(&self, types: &Types) -> Option<Extra> {
        let end = match self.va_list(types) {
            Some(list) => list,
            None if self.is_variadic => self.parameters.len(),
            None => return None,
        };
        let is_text = |parameter: &Parameter| match types.kind(parameter.ty) {
            TypeKind::Pointer { pointee, is_const } => {
                *is_const && matches!(types.kind(*pointee), TypeKind::Char { .. })
            }
            _ => false,
        };
        let is_named = |parameter: &Parameter| {
            let name = parameter.name.to_lowercase();
            name.contains("fmt") || name.contains("format")
        };
        let before = &self.parameters[..end];
        let named = before.iter().rposition(|parameter| is_text(parameter) && is_named(parameter));
        let last = end.checked_sub(1).filter(|&last| is_text(&before[last]));
        if let Some(text) = named.or(last).filter(|_| !self.letters.is_empty()) {
            return Some(Extra::Letters(text, self.letters.clone()));
        }
        let kinds = self.va_arg_types.iter().filter(|ty| **ty != self.va_arg_types[0]).count();
        // A body that reads one type only needs nobody to tell it which.
        let format = named.or(last.filter(|_| self.va_arg_types.is_empty() || kinds > 0));
        Some(format.map_or_else(|| Extra::Types(self.va_arg_types.clone()), Extra::Format))
    }

    /// Floating-point registers that its named parameters leave for others.
    pub fn spare_floats(&self, types: &Types) -> usize {
        const REGISTERS: usize = 8;
        let is_float = |parameter: &&Parameter| {
            matches!(types.kind(parameter.ty), TypeKind::Float { .. } | TypeKind::Vector { .. })
        };
        REGISTERS.saturating_sub(self.parameters.iter().filter(is_float).count())
    }
}

/// `va_list` as it is passed, or `va_list *`.
pub(crate) fn is_va_list(types: &Types, ty: TypeId) -> bool {
    let TypeKind::Pointer { pointee, .. } = types.kind(ty) else { return false };
    let element = match types.kind(*pointee) {
        TypeKind::Array { element, count: Some(1) } => *element,
        _ => *pointee,
    };
    matches!(types.kind(element), TypeKind::Record(_)) && types.get(element).name.ends_with(VA_LIST)
}

/// The arguments that `printf` reads for a format, as far as it can be read.
pub fn directives(format: &[u8]) -> Vec<Directive> {
    let mut found = Vec::new();
    let end = format.iter().position(|&byte| byte == 0).unwrap_or(format.len());
    let mut rest = &format[..end];
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[at + 1..];
        let Some(after) = directive(rest, &mut found) else { return found };
        rest = after;
    }
    found
}

/// One directive after its `%`; none when it is of no kind that is known here.
fn directive<'f>(mut text: &'f [u8], found: &mut Vec<Directive>) -> Option<&'f [u8]> {
    let skip = |text: &'f [u8], set: &[u8]| {
        let count = text.iter().take_while(|byte| set.contains(byte)).count();
        &text[count..]
    };
    text = skip(text, b"-+ 0#'I");
    for precision in [false, true] {
        if precision {
            match text.strip_prefix(b".") {
                Some(after) => text = after,
                None => continue,
            }
        }
        if let Some(after) = text.strip_prefix(b"*") {
            found.push(Directive::Int);
            text = after;
        }
        text = skip(text, b"0123456789");
    }
    let size = text;
    text = skip(text, b"hlqjztZL");
    let size = &size[..size.len() - text.len()];
    let is_long = size.iter().any(|byte| b"lqjztZL".contains(byte));
    let (kind, after) = text.split_first()?;
    match kind {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => found.push(if is_long { Directive::Long } else { Directive::Int }),
        b'c' => found.push(Directive::Int),
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' if !size.contains(&b'L') => {
            found.push(Directive::Double);
        }
        b's' if !is_long => found.push(Directive::Text),
        b'p' => found.push(Directive::Long),
        b'n' => found.push(Directive::Count),
        b'%' | b'm' => {}
        _ => return None,
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::{Directive::*, directives};

    #[test]
    fn formats_say_what_they_need() {
        assert_eq!(directives(b"%d: %-5.*s%%%lu\0%d"), [Int, Int, Text, Long]);
        assert_eq!(directives(b"%hhx %g %n %p"), [Int, Double, Count, Long]);
        assert_eq!(directives(b"%c %Lf %d"), [Int]);
        assert_eq!(directives(b"100%"), []);
    }
}
