//! Which parameter or field says how many elements a pointer beside it points at: known by name, by use, or by place.
//!
//! `buf, buf_len`; `s, n`; `items, count, capacity` (the capacity: that much memory there is); `argv, argc`.

use super::streams::is_stream;
use covet_source::{TypeKind, Types};

/// A parameter of a function or a field of a record.
#[derive(Clone, Copy)]
pub(crate) struct Member<'m> {
    pub name: &'m str,
    pub ty: covet_source::TypeId,
    /// The member that functions use as its length.
    pub counted_by: Option<usize>,
    /// It ends with a zero, which functions look for.
    pub is_text: bool,
}

impl<'m> Member<'m> {
    pub fn of_parameter(parameter: &'m covet_source::Parameter) -> Member<'m> {
        let covet_source::Parameter { name, ty, counted_by, is_text, .. } = parameter;
        Member { name, ty: *ty, counted_by: *counted_by, is_text: *is_text }
    }

    pub fn of_field(field: &'m covet_source::Field) -> Member<'m> {
        Member { name: &field.name, ty: field.ty, counted_by: field.counted_by, is_text: false }
    }
}

/// Words for the number of elements that there is memory for, best first, and for the number in use.
const ROOM: [&str; 8] = ["capacity", "cap", "allocated", "alloc", "size", "sz", "max", "nmemb"];
const USED: [&str; 16] = [
    "length", "len", "count", "cnt", "num", "number", "n", "nelem", "nelems", "nitems", "nbytes", "bytes", "used",
    "total", "elements", "items",
];

/// The position of the member that holds the length of the pointer at `pointer`, if there is one.
pub(crate) fn length_of(types: &Types, members: &[Member<'_>], pointer: usize) -> Option<usize> {
    if !is_data_pointer(types, members[pointer]) {
        return None;
    }
    let name = members[pointer].name.to_lowercase();
    // The end of a text is where its zero is; a number beside it bounds something else.
    let is_text = members[pointer].is_text && is_characters(types, members[pointer]);
    let rated = (0..members.len()).filter(|&at| is_count(types, members[at])).filter_map(|at| {
        let score = named_after(&name, &members[at].name.to_lowercase())
            .or_else(|| (members[pointer].counted_by == Some(at) && !is_text).then_some(BY_USE))
            .or_else(|| {
                let is_beside = !is_text && adjacent(types, members, pointer, at);
                is_beside.then(|| word(&members[at].name.to_lowercase()))?
            })?;
        // Of equals the first.
        Some((score, std::cmp::Reverse(at)))
    });
    rated.max().map(|(_, std::cmp::Reverse(at))| at)
}

/// Better than any word, less than the pointer's own name.
const BY_USE: usize = 60;

/// How well `word` says "number of elements".
fn word(word: &str) -> Option<usize> {
    let rank = |words: &[&str]| words.iter().position(|known| *known == word).map(|at| words.len() - at);
    rank(&ROOM).map(|rank| rank + USED.len()).or_else(|| rank(&USED))
}

/// `buf_len`, `buflen`, `n_buf`, `nbuf`, `sizeof_buf`, `argc` for `argv`: the pointer's name and a word for a length.
fn named_after(pointer: &str, count: &str) -> Option<usize> {
    const BONUS: usize = 100;
    if pointer == "argv" && count == "argc" {
        return Some(BONUS);
    }
    if pointer.is_empty() {
        return None;
    }
    let singular = pointer.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(pointer);
    let rest = [pointer, singular].iter().find_map(|name| {
        let rest = count.strip_prefix(name).or_else(|| count.strip_suffix(name))?;
        Some(rest.trim_matches('_'))
    })?;
    word(rest).map(|rank| rank + BONUS)
}

/// The count follows the pointer with nothing but pointers between, or stands right before it and behind no other.
fn adjacent(types: &Types, members: &[Member<'_>], pointer: usize, count: usize) -> bool {
    let all_pointers = |mut between: std::ops::Range<usize>| between.all(|at| is_data_pointer(types, members[at]));
    let counts = |at: usize| is_count(types, members[at]) && word(&members[at].name.to_lowercase()).is_some();
    if count > pointer {
        // Further counts may stand between: `items, count, capacity`.
        let first_count = (pointer + 1..count).find(|&at| counts(at)).unwrap_or(count);
        return all_pointers(pointer + 1..first_count) && (first_count..count).all(counts);
    }
    let is_taken = count.checked_sub(1).is_some_and(|before| is_data_pointer(types, members[before]));
    count + 1 == pointer && !is_taken && !members.get(pointer + 1).is_some_and(|_| counts(pointer + 1))
}

fn is_data_pointer(types: &Types, member: Member<'_>) -> bool {
    let (TypeKind::Pointer { pointee, .. } | TypeKind::Array { element: pointee, count: None }) = types.kind(member.ty)
    else {
        return false;
    };
    let pointee = types.completed(*pointee);
    match types.kind(pointee) {
        TypeKind::Function { .. } => false,
        TypeKind::Void => true,
        TypeKind::Record(_) if is_stream(types, pointee) => false,
        _ => types.get(pointee).size.is_some(),
    }
}

fn is_characters(types: &Types, member: Member<'_>) -> bool {
    let TypeKind::Pointer { pointee, .. } = types.kind(member.ty) else { return false };
    matches!(types.kind(*pointee), TypeKind::Char { .. })
}

fn is_count(types: &Types, member: Member<'_>) -> bool {
    matches!(types.kind(member.ty), TypeKind::Int { width: 16..=64, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    fn pairs(source: &str) -> Vec<(String, String)> {
        let (types, unit) = parse(source);
        let parameters = &unit.function("f").unwrap().parameters;
        let members: Vec<_> = parameters.iter().map(Member::of_parameter).collect();
        let found = (0..members.len()).filter_map(|at| Some((at, length_of(&types, &members, at)?)));
        found.map(|(p, n)| (members[p].name.to_string(), members[n].name.to_string())).collect()
    }

    #[test]
    fn lengths_are_known_by_name_and_place() {
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(pairs("void f(char *buf, unsigned long len) {}"), [pair("buf", "len")]);
        assert_eq!(pairs("void f(int *dst, int *src, int n) {}"), [pair("dst", "n"), pair("src", "n")]);
        assert_eq!(pairs("void f(int n, int *a) {}"), [pair("a", "n")]);
        assert_eq!(pairs("void f(int *a, int a_len, int *b, int nb) {}"), [pair("a", "a_len"), pair("b", "nb")]);
        assert_eq!(pairs("void f(char *out, int size, const char *fmt) {}"), [pair("out", "size")]);
        assert_eq!(pairs("void f(int argc, char **argv) {}"), [pair("argv", "argc")]);
        assert_eq!(pairs("void f(int *items, int count, int capacity) {}"), [pair("items", "capacity")]);
        assert_eq!(pairs("void f(const char *text, int x, char n, void (*g)(void), int size) {}"), []);
        let by_use = "int f(int *a, int b) { for (int i = 0; i < b; i++) if (a[i]) return i; return 0; }";
        assert_eq!(pairs(by_use), [pair("a", "b")]);
        assert_eq!(
            pairs("void *memset(void *, int, unsigned long); void f(char *a, unsigned b) { memset(a, 0, b); }"),
            [pair("a", "b")]
        );
        let text = "unsigned long strlen(const char *); char *f(char *to, const char *from, unsigned long n)
            { if (strlen(from) < n) while (*to) to++; return to; }";
        assert_eq!(pairs(text), []);
        let block = "char f(char *to, int n) { char c = 0; for (int i = 0; i < n; i++) c ^= to[i]; return c; }";
        assert_eq!(pairs(block), [pair("to", "n")]);
        assert_eq!(pairs("void f(void *data, unsigned flags, unsigned data_size) {}"), [pair("data", "data_size")]);
    }
}
