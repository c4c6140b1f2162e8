//! Pointee types inferred from what the code behind an entry takes pointers for: a `void *`, or the `struct state *` of a library
//! that keeps its state to itself, is memory of the type that it is converted to.
//!
//! The function's own conversions count first, then those of the functions it names, nearest first.

use std::collections::{BTreeMap, BTreeSet};

use crate::reach::{find, reachable};
use crate::types::{TypeId, TypeKind, Types};
use crate::unit::{Conversion, Function, Origin, Unit};

/// Pointers that lead to other types than they are declared with: the pointer types to build instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointeeTypes {
    parameters: BTreeMap<String, TypeId>,
    members: BTreeMap<(TypeId, String), TypeId>,
    globals: BTreeMap<String, TypeId>,
}

impl PointeeTypes {
    pub fn of(units: &[&Unit], types: &Types, unit: usize, function: &Function) -> PointeeTypes {
        let inference = Inference { units, types };
        let mut inferred = PointeeTypes::default();
        for parameter in &function.parameters {
            let from = Origin::Variable(parameter.name.clone());
            let taken_for = || inference.taken_for(unit, function, &from, &mut BTreeSet::new());
            if let Some(to) = parameter.rows.or_else(taken_for) {
                inferred.parameters.insert(parameter.name.clone(), to);
            }
        }
        for (unit, function) in reachable(units, unit, function) {
            let handed_on = function.handed_on.iter().map(|handed| &handed.from);
            for from in function.conversions.iter().map(|conversion| &conversion.from).chain(handed_on) {
                inferred.infer(&inference, unit, function, from);
            }
        }
        inferred
    }

    fn infer(&mut self, inference: &Inference<'_>, unit: usize, function: &Function, from: &Origin) {
        let is_known = match from {
            Origin::Member { record, field } => self.members.contains_key(&(*record, field.clone())),
            Origin::Variable(name) => {
                self.globals.contains_key(name)
                    || !inference.units[unit].globals.iter().any(|global| global.name == *name)
            }
        };
        if is_known {
            return;
        }
        let Some(to) = inference.taken_for(unit, function, from, &mut BTreeSet::new()) else { return };
        match from {
            Origin::Member { record, field } => self.members.insert((*record, field.clone()), to),
            Origin::Variable(name) => self.globals.insert(name.clone(), to),
        };
    }

    pub fn parameter(&self, name: &str) -> Option<TypeId> {
        self.parameters.get(name).copied()
    }

    pub fn member(&self, record: TypeId, field: &str) -> Option<TypeId> {
        if self.members.is_empty() {
            return None;
        }
        self.members.get(&(record, field.to_string())).copied()
    }

    pub fn global(&self, name: &str) -> Option<TypeId> {
        self.globals.get(name).copied()
    }
}

struct Inference<'p> {
    units: &'p [&'p Unit],
    types: &'p Types,
}

impl<'p> Inference<'p> {
    /// What a pointer is converted to, here or where it is handed on to.
    fn taken_for(
        &self,
        unit: usize,
        function: &'p Function,
        from: &Origin,
        seen: &mut BTreeSet<(usize, &'p str, Origin)>,
    ) -> Option<TypeId> {
        if !seen.insert((unit, &function.name, from.clone())) {
            return None;
        }
        let here = function.conversions.iter().filter(|conversion| conversion.from == *from);
        let known = here.filter(|conversion| self.tells_more(unit, conversion)).map(|conversion| conversion.to).next();
        known.or_else(|| {
            function.handed_on.iter().filter(|handed| handed.from == *from).find_map(|handed| {
                let (unit, callee) = find(self.units, unit, &handed.callee)?;
                let parameter = callee.parameters.get(handed.argument)?;
                self.taken_for(unit, callee, &Origin::Variable(parameter.name.clone()), seen)
            })
        })
    }

    /// The new type must be known. Where both are, the larger one says more: it holds the other.
    fn tells_more(&self, unit: usize, conversion: &Conversion) -> bool {
        let TypeKind::Pointer { pointee, .. } = self.types.kind(conversion.to) else { return false };
        let Some(size) = self.types.get(self.types.completed(*pointee)).size else { return false };
        let is_seen = self.units[unit].records.contains(&conversion.old);
        let old = self.types.get(conversion.old).size.filter(|_| is_seen);
        old.is_none_or(|old| old < size)
    }
}
