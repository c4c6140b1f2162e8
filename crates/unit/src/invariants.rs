//! A program's structures and what its code does with them → what their members keep, with the evidence.
//!
//! Nothing of this is proven: it is what all writers seem to agree on. An alarm that needs it broken says so.

use crate::layout::{Member, Role, is_used, length_of, role};
use covet_source::{Beliefs, Field, Given, Record, Spot, TypeId, TypeKind, Types, place_of};
use std::collections::BTreeSet;

/// Something that the members of a record keep.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Invariant {
    /// The record, as C spells it.
    pub record: String,
    pub text: String,
    pub evidence: String,
}

/// The invariants of all complete records, in the order of their names.
pub fn invariants(types: &Types, beliefs: &Beliefs<'_>) -> Vec<Invariant> {
    let mut found = BTreeSet::new();
    for (id, ty) in types.iter() {
        let TypeKind::Record(record) = &ty.kind else { continue };
        if !record.complete || record.is_union {
            continue;
        }
        let of = Of { types, beliefs, id, record };
        let all = of
            .never_null()
            .chain(of.counts())
            .chain(of.in_order())
            .chain(of.bounds())
            .chain(of.constants())
            .chain(of.tags());
        found.extend(all.map(|(text, evidence)| Invariant { record: ty.name.clone(), text, evidence }));
    }
    found.into_iter().collect()
}

/// Members of a record that are indexes into what another one points at, with the member that says how much there is: none of them is larger.
pub(crate) fn bounded(types: &Types, beliefs: &Beliefs<'_>, id: TypeId, index: &str) -> Option<(String, String)> {
    let TypeKind::Record(record) = types.kind(id) else { return None };
    let of = Of { types, beliefs, id, record };
    of.bounded()
        .into_iter()
        .find(|(own, ..)| own.name == index)
        .map(|(_, pointer, count)| (pointer.name.clone(), count.name.clone()))
}

/// `set 2 times, as by list.c:12`
fn writers<T>(stores: &[T], first: String) -> String {
    match stores.len() {
        1 => format!("set by {first}"),
        count => format!("set {count} times, as by {first}"),
    }
}

type Said = (String, String);

struct Of<'o> {
    types: &'o Types,
    beliefs: &'o Beliefs<'o>,
    id: TypeId,
    record: &'o Record,
}

impl<'o> Of<'o> {
    fn spot(&self, field: &Field) -> Spot {
        Spot::Member { record: self.id, field: field.name.clone() }
    }

    fn named(&self) -> impl Iterator<Item = &'o Field> {
        self.record.fields.iter().filter(|field| !field.name.is_empty())
    }

    /// A pointer to anything but records: those are linked rather than lined up.
    fn leads_to_elements(&self, field: &Field) -> bool {
        let TypeKind::Pointer { pointee, .. } = self.types.kind(field.ty) else { return false };
        !matches!(self.types.kind(self.types.completed(*pointee)), TypeKind::Record(_) | TypeKind::Function { .. })
    }

    fn is_number(&self, field: &Field) -> bool {
        matches!(self.types.kind(field.ty), TypeKind::Int { .. })
    }

    /// Pointers that are set somewhere, never to NULL, and that nobody asks.
    fn never_null(&self) -> impl Iterator<Item = Said> {
        let pointers = self.named().filter(|field| matches!(self.types.kind(field.ty), TypeKind::Pointer { .. }));
        pointers.filter_map(|field| {
            let spot = self.spot(field);
            let stores = self.beliefs.stored(&spot);
            let (function, store) = stores.first()?;
            let evidence = format!("{}; nothing suggests NULL", writers(&stores, place_of(function, store.line)));
            self.beliefs.lasting(&spot).is_none().then(|| (format!("`{}` is never NULL", field.name), evidence))
        })
    }

    fn counts(&self) -> impl Iterator<Item = Said> {
        let members: Vec<Member<'_>> = self.record.fields.iter().map(Member::of_field).collect();
        let fields = &self.record.fields;
        (0..members.len()).filter_map(move |at| {
            let count = length_of(self.types, &members, at)?.at;
            let evidence = if fields[at].counted_by == Some(count) { "by use" } else { "by name" };
            Some((
                format!("`{}` says how many elements `{}` points at", fields[count].name, fields[at].name),
                evidence.into(),
            ))
        })
    }

    fn in_order(&self) -> impl Iterator<Item = Said> {
        let members: Vec<Member<'_>> = self.record.fields.iter().map(Member::of_field).collect();
        let by_name = |at: usize| match role(self.types, &members, at)? {
            Role::Begin => None,
            Role::Cursor(begin) | Role::End(begin) => {
                Some((self.record.fields[begin].name.clone(), "by name".to_string()))
            }
        };
        let mut found = Vec::new();
        for (at, field) in self.record.fields.iter().enumerate().filter(|(_, field)| !field.name.is_empty()) {
            let by_store = || self.beliefs.base(&self.spot(field)).filter(|_| self.leads_to_elements(field));
            if let Some((base, evidence)) = by_name(at).or_else(by_store) {
                found.push((format!("`{}` points into what `{base}` points at", field.name), evidence));
            }
        }
        found.into_iter()
    }

    /// Index, pointer and count.
    fn bounded(&self) -> Vec<(&'o Field, &'o Field, &'o Field)> {
        let fields = &self.record.fields;
        let members: Vec<Member<'_>> = fields.iter().map(Member::of_field).collect();
        let mut found = Vec::new();
        for at in 0..members.len() {
            let Some(count) = length_of(self.types, &members, at).map(|count| count.at) else { continue };
            for (other, field) in
                fields.iter().enumerate().filter(|(other, field)| *other != count && self.is_number(field))
            {
                let is_other_length = (0..members.len()).any(|pointer| {
                    pointer != at && length_of(self.types, &members, pointer).is_some_and(|count| count.at == other)
                });
                let is_index = self.beliefs.is_index(&self.spot(&fields[at]), &self.spot(field));
                if is_index || (is_used(&field.name) && !is_other_length) {
                    found.push((field, &fields[at], &fields[count]));
                }
            }
        }
        found
    }

    fn bounds(&self) -> impl Iterator<Item = Said> {
        self.bounded().into_iter().map(|(index, pointer, count)| {
            let evidence = format!("`{}` counts what `{}` points at", count.name, pointer.name);
            (format!("`{}` is at most `{}`", index.name, count.name), evidence)
        })
    }

    /// Numbers that only get constants.
    fn constants(&self) -> impl Iterator<Item = Said> {
        const MOST: usize = 8;
        self.named().filter(|field| self.is_number(field)).filter_map(|field| {
            let stores = self.beliefs.stored(&self.spot(field));
            let value = |given: &Given| if let Given::Number(number) = given { Some(*number) } else { None };
            let values: BTreeSet<i64> = stores.iter().map(|(_, store)| value(&store.value)).collect::<Option<_>>()?;
            let (function, store) = stores.first()?;
            let list: Vec<String> = values.iter().map(i64::to_string).collect();
            let evidence = writers(&stores, place_of(function, store.line));
            (list.len() <= MOST).then(|| (format!("`{}` is one of {}", field.name, list.join(", ")), evidence))
        })
    }

    /// An enumeration beside a union.
    fn tags(&self) -> impl Iterator<Item = Said> {
        let is_union = |field: &&Field| matches!(self.types.kind(field.ty), TypeKind::Record(of) if of.is_union && of.fields.len() > 1);
        let is_enum = |field: &&Field| matches!(self.types.kind(field.ty), TypeKind::Enum(_));
        let tags: Vec<&Field> = self.record.fields.iter().filter(is_enum).collect();
        let unions: Vec<&Field> = self.record.fields.iter().filter(is_union).collect();
        let said = match (&tags[..], &unions[..]) {
            ([tag], [of]) => {
                let of = if of.name.is_empty() { "its union".to_string() } else { format!("`{}`", of.name) };
                Some((
                    format!("`{}` says which member of {of} is in use", tag.name),
                    "the only enumeration beside the only union".into(),
                ))
            }
            _ => None,
        };
        said.into_iter()
    }
}
