//! Which parameter or field says how many elements a pointer beside it points at: known by name, by use, or by place.
//!
//! `buf, buf_len`; `s, n`; `items, count, capacity` (the capacity: that much memory there is); `argv, argc`.

use super::streams::is_stream;
use covet_source::{TypeKind, Types, is_product};

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

/// The member that says how many elements a pointer points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Count {
    pub at: usize,
    /// It is named after the pointer, used as its length, or stands right behind it under a name that says nothing but "length". Other numbers
    /// may count something else.
    pub is_believed: bool,
}

/// Words for the number of elements that there is memory for, best first, and for the number in use.
const ROOM: [&str; 8] = ["capacity", "cap", "allocated", "alloc", "size", "sz", "max", "nmemb"];
const USED: [&str; 16] = [
    "length", "len", "count", "cnt", "num", "number", "n", "nelem", "nelems", "nitems", "nbytes", "bytes", "used",
    "total", "elements", "items",
];

/// Of these, the words that hardly mean anything else.
const PLAIN: [&str; 12] =
    ["capacity", "size", "sz", "nmemb", "length", "len", "count", "cnt", "nelem", "nelems", "nitems", "nbytes"];

/// The member that holds the length of the pointer at `pointer`, if there is one.
pub(crate) fn length_of(types: &Types, members: &[Member<'_>], pointer: usize) -> Option<Count> {
    if !is_data_pointer(types, members[pointer]) {
        return None;
    }
    let name = members[pointer].name.to_lowercase();
    // The end of a text is where its zero is; a number beside it bounds something else.
    let is_text = members[pointer].is_text && is_characters(types, members[pointer]);
    let rated = (0..members.len()).filter(|&at| is_count(types, members[at])).filter_map(|at| {
        let score = named_after(&name, &members[at].name.to_lowercase())
            .or_else(|| {
                let is_array = !is_linked(types, members[pointer]);
                is_array.then(|| named_after_what(members[pointer].name, members[at].name))?
            })
            .or_else(|| (members[pointer].counted_by == Some(at) && !is_text).then_some(BY_USE))
            .or_else(|| {
                let is_beside =
                    !is_text && !is_linked(types, members[pointer]) && adjacent(types, members, pointer, at);
                is_beside.then(|| word(&members[at].name.to_lowercase()))?
            })?;
        // Of equals the first.
        Some((score, std::cmp::Reverse(at)))
    });
    rated.max().map(|(score, std::cmp::Reverse(at))| {
        let name = |at: usize| members.get(at).filter(|member| is_count(types, **member)).map(|member| member.name);
        let is_factor = name(pointer + 1).zip(name(pointer + 2)).is_some_and(|(one, other)| is_product(one, other));
        let is_plain = at == pointer + 1 && PLAIN.contains(&members[at].name.to_lowercase().as_str());
        Count { at, is_believed: !is_factor && (score >= BY_USE || is_plain) }
    })
}

/// Whether a name says how much of something is in use.
pub(crate) fn is_used(name: &str) -> bool {
    USED.contains(&name.to_lowercase().as_str())
}

/// Better than any word, less than the pointer's own name.
const BY_USE: usize = 60;

/// How well `word` says "number of elements".
fn word(word: &str) -> Option<usize> {
    let rank = |words: &[&str]| words.iter().position(|known| *known == word).map(|at| words.len() - at);
    rank(&ROOM).map(|rank| rank + USED.len()).or_else(|| rank(&USED))
}

/// Words for memory, as the last part of a pointer's name.
const MEMORY: [&str; 16] = [
    "buf", "buff", "buffer", "ptr", "pointer", "data", "bytes", "str", "string", "text", "array", "arr", "mem",
    "block", "base", "start",
];

/// `buf_len`, `buflen`, `n_buf`, `nbuf`, `sizeof_buf`, `argc` for `argv`: the pointer's name and a word for a length. Or `ef_len` for `ef_buf`: what both are about,
/// and a word for a length in place of one for memory.
fn named_after(pointer: &str, count: &str) -> Option<usize> {
    const BONUS: usize = 100;
    if pointer == "argv" && count == "argc" {
        return Some(BONUS);
    }
    if pointer.is_empty() {
        return None;
    }
    let singular = pointer.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(pointer);
    // One letter is in too many names.
    let about = MEMORY.iter().filter_map(|word| pointer.strip_suffix(word)).map(|stem| stem.trim_end_matches('_'));
    let about = about.filter(|stem| stem.len() > 1);
    let rest = [pointer, singular].into_iter().chain(about).find_map(|name| {
        let rest = count.strip_prefix(name).or_else(|| count.strip_suffix(name))?;
        Some(rest.trim_matches('_')).filter(|rest| !rest.is_empty())
    })?;
    word(rest).map(|rank| rank + BONUS)
}

/// `image_count` for `saved_images`: what they are, without how they came about.
fn named_after_what(pointer: &str, count: &str) -> Option<usize> {
    const BONUS: usize = 80;
    let (pointer, count) = (words(pointer), words(count));
    let ([_, .., what], [first, number]) = (&pointer[..], &count[..]) else { return None };
    let singular = what.strip_suffix('s').filter(|stem| stem.len() > 2)?;
    if singular == first || what == first { word(number).map(|rank| rank + BONUS) } else { None }
}

/// `savedImages`, `SavedImages` and `saved_images` are of two words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && was_small {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        let last = words.len() - 1;
        words[last].extend(c.to_lowercase().filter(|c| *c != '_'));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The count follows the pointer with nothing but pointers between, or stands right before it and behind no other.
fn adjacent(types: &Types, members: &[Member<'_>], pointer: usize, count: usize) -> bool {
    let all_pointers = |mut between: std::ops::Range<usize>| between.all(|at| is_data_pointer(types, members[at]));
    let counts = |at: usize| is_count(types, members[at]) && word(&members[at].name.to_lowercase()).is_some();
    if count > pointer {
        // Further counts may stand between: `items, count, capacity`.
        let first_count = (pointer + 1..count).find(|&at| counts(at)).unwrap_or(count);
        return all_pointers(pointer + 1..first_count)
            && (first_count..count).all(counts)
            && !is_other_record(types, members[pointer], members[first_count - 1]);
    }
    let is_taken = count.checked_sub(1).is_some_and(|before| is_data_pointer(types, members[before]));
    count + 1 == pointer && !is_taken && !members.get(pointer + 1).is_some_and(|_| counts(pointer + 1))
}

/// A structure before something of another type is one structure: the number behind both is about the latter (`state, buf, len`).
fn is_other_record(types: &Types, member: Member<'_>, last: Member<'_>) -> bool {
    let pointee = |member: Member<'_>| match types.kind(member.ty) {
        TypeKind::Pointer { pointee, .. } => Some(types.completed(*pointee)),
        _ => None,
    };
    let is_record = pointee(member).is_some_and(|to| matches!(types.kind(to), TypeKind::Record(_)));
    is_record && pointee(member) != pointee(last)
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

/// A node that leads to others of its type: a number beside the first of them counts nodes, not elements of an array.
fn is_linked(types: &Types, member: Member<'_>) -> bool {
    let TypeKind::Pointer { pointee, .. } = types.kind(member.ty) else { return false };
    let pointee = types.completed(*pointee);
    let TypeKind::Record(record) = types.kind(pointee) else { return false };
    let leads_back =
        |ty| matches!(types.kind(ty), TypeKind::Pointer { pointee: to, .. } if types.completed(*to) == pointee);
    record.fields.iter().any(|field| leads_back(field.ty))
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
        let found = (0..members.len()).filter_map(|at| Some((at, length_of(&types, &members, at)?.at)));
        found.map(|(p, n)| (members[p].name.to_string(), members[n].name.to_string())).collect()
    }

    #[test]
    fn lengths_by_name_or_use_are_believed() {
        let is_believed = |source: &str| {
            let (types, unit) = parse(source);
            let parameters = &unit.function("f").unwrap().parameters;
            let members: Vec<_> = parameters.iter().map(Member::of_parameter).collect();
            length_of(&types, &members, 0).map(|count| count.is_believed)
        };
        assert_eq!(is_believed("void f(char *buf, unsigned flags, unsigned buf_len) {}"), Some(true));
        assert_eq!(is_believed("void f(char *buf, unsigned long len) {}"), Some(true));
        assert_eq!(
            is_believed("int f(int *a, int b) { for (int i = 0; i < b; i++) if (a[i]) return i; return 0; }"),
            Some(true)
        );
        assert_eq!(is_believed("void f(int *a, int n) {}"), Some(false));
        assert_eq!(is_believed("void f(void *a, unsigned long size, unsigned long nitems) {}"), Some(false));
        assert_eq!(is_believed("void f(int *a, int *b, int size) {}"), Some(false));
        assert_eq!(is_believed("void f(int *a, int other) {}"), None);
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
        assert_eq!(pairs("void f(char *ef_buf, int *next, int kind, int ef_len) {}"), [pair("ef_buf", "ef_len")]);
        assert_eq!(pairs("void f(char *srcBuf, int depth, unsigned long srcSize) {}"), [pair("srcBuf", "srcSize")]);
        assert_eq!(pairs("void f(char *sbuf, char *kind, int stride, int size) {}"), []);
        assert_eq!(pairs("void f(int *items, int count, int capacity) {}"), [pair("items", "capacity")]);
        let images =
            "struct image { int width; }; void f(struct image *savedImages, char *kind, int depth, int imageCount) {}";
        assert_eq!(pairs(images), [pair("savedImages", "imageCount")]);
        let state = "struct state { int x; }; void f(struct state *s, char *buf, unsigned long len) {}";
        assert_eq!(pairs(state), [pair("buf", "len")]);
        let copies = "struct state { int x; }; void f(struct state *to, struct state *from, unsigned long len) {}";
        assert_eq!(pairs(copies), [pair("to", "len"), pair("from", "len")]);
        let nodes =
            "struct node { struct node *next; }; void f(struct node *old_nodes, char *kind, int x, int node_count) {}";
        assert_eq!(pairs(nodes), []);
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
