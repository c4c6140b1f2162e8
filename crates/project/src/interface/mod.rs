//! A compiled project → what it offers to others: its exported functions, which types they make and take back, and how each of their
//! parameters can be had from outside.
//!
//! Exported is what an export list names; otherwise what is not static, not hidden, and declared in a public header (any function that is
//! not static when there is no header). The headers are read on their own, as a user's program would: what they do not show is not there.

mod check;
mod exports;
mod headers;
mod text;
mod ways;

pub use check::complaints;
pub use exports::Exports;
pub use headers::{Headers, PRELUDE};
pub use text::{declaration, describe};
pub use ways::{Way, record_behind};

use crate::{Compiled, Failure, HARNESS};
use covet_source::{Function, TypeId, TypeKind, Types, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// What a project offers.
pub struct Interface<'a> {
    pub compiled: &'a Compiled,
    pub headers: Headers,
    /// By unit, as they stand there.
    pub functions: Vec<Exported<'a>>,
    /// How many calls it takes to have an object of a type, where it can be had at all.
    costs: BTreeMap<TypeId, usize>,
    /// Whether somebody said what is exported: a list, or visibility in the sources.
    are_told: bool,
}

/// A function that others may call.
pub struct Exported<'a> {
    pub function: &'a Function,
    /// The number of its unit.
    pub unit: usize,
    /// The objects that it makes.
    pub makes: Vec<Making>,
    /// The type of the object that it takes back.
    pub destroys: Option<TypeId>,
    /// For each parameter.
    pub ways: Vec<Way>,
}

/// How a function gives an object to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    pub of: TypeId,
    pub by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// It returns a pointer to it.
    Result,
    /// It puts a pointer to it where this parameter points.
    Pointer(usize),
    /// It fills the caller's own object, at which this parameter points.
    Filling(usize),
}

impl<'a> Interface<'a> {
    /// What the headers show, or `exports` names.
    pub fn of(compiled: &'a Compiled, exports: Option<&Exports>) -> Result<Interface<'a>, Failure> {
        let headers = Headers::of(compiled)?;
        let types = &compiled.program.types;
        let defined = || {
            let units = compiled.program.units.iter().enumerate();
            units.flat_map(|(unit, compiled)| compiled.model.functions.iter().map(move |function| (unit, function)))
        };
        let is_open = |function: &Function| {
            function.has_body && !function.is_static && !function.in_system_header && function.name != "main"
        };
        let are_told = defined().any(|(_, function)| function.visibility == Visibility::Default);
        let is_exported = |function: &Function| match (exports, function.visibility) {
            (Some(exports), _) => exports.names(&function.symbol),
            (None, Visibility::Hidden) => false,
            (None, Visibility::Default) => headers.is_empty() || headers.declare(&function.name),
            (None, Visibility::Unsaid) => !are_told && (headers.is_empty() || headers.declare(&function.name)),
        };
        let mut known = BTreeSet::new();
        let functions = defined()
            .filter(|(_, function)| is_open(function) && is_exported(function) && known.insert(function.name.clone()))
            .map(|(unit, function)| Exported {
                function,
                unit,
                makes: ways::makes(types, &headers, function),
                destroys: ways::destroys(types, function),
                ways: Vec::new(),
            });
        let functions = functions.collect();
        let are_told = are_told || exports.is_some();
        let mut interface = Interface { compiled, headers, functions, costs: BTreeMap::new(), are_told };
        interface.settle();
        Ok(interface)
    }

    /// What users of a library may call, whatever programs come with it. A program's own headers offer nothing to anybody.
    pub fn offered(&self) -> impl Iterator<Item = &Exported<'a>> {
        let is_offered = |function: &Function| match (self.are_told, self.headers.are_offered()) {
            (true, _) => true,
            (false, true) => self.headers.offer(&function.name),
            (false, false) => !self.has_main(),
        };
        self.functions.iter().filter(move |exported| is_offered(exported.function))
    }

    /// The names of the records that the headers do not show: only the library knows what is in them.
    pub fn hidden(&self) -> BTreeSet<String> {
        let types = self.types();
        let ids = types.ids().filter(|id| matches!(types.kind(*id), TypeKind::Record(_)));
        let is_hidden = |id: &TypeId| !self.headers.show(types, *id);
        match self.headers.is_empty() {
            true => BTreeSet::new(),
            false => ids.filter(is_hidden).map(|id| types.get(id).name.clone()).collect(),
        }
    }

    fn has_main(&self) -> bool {
        let mut functions = self.compiled.program.units.iter().flat_map(|unit| &unit.model.functions);
        functions.any(|function| function.has_body && matches!(function.name.as_str(), "main" | HARNESS))
    }

    pub fn types(&self) -> &'a Types {
        &self.compiled.program.types
    }

    /// The functions that make an object of type `of`, the cheapest first, each with how it does.
    pub fn makers(&self, of: TypeId) -> Vec<(&Exported<'a>, Making)> {
        let mut found: Vec<(usize, &Exported<'a>, Making)> = Vec::new();
        for exported in &self.functions {
            if let Some(making) = exported.makes.iter().find(|making| making.of == of) {
                found.extend(self.cost_of(exported, Some(*making)).map(|cost| (cost, exported, *making)));
            }
        }
        found.sort_by_key(|(cost, exported, _)| (*cost, exported.function.line));
        found.into_iter().map(|(_, exported, making)| (exported, making)).collect()
    }

    /// How many calls it takes to have an object of this type.
    pub fn cost(&self, of: TypeId) -> Option<usize> {
        self.costs.get(&of).copied()
    }

    /// The calls that it takes to call a function, to make what it makes if that is said; none when a parameter cannot be had.
    pub fn cost_of(&self, exported: &Exported<'a>, making: Option<Making>) -> Option<usize> {
        let mut calls = 1;
        for (at, way) in exported.ways.iter().enumerate() {
            let is_made = |making: Making| matches!(making.by, By::Pointer(own) | By::Filling(own) if own == at);
            match way {
                _ if making.is_some_and(is_made) => {}
                Way::Object(of) | Way::Handle(of) => calls += self.cost(*of)?,
                Way::Nothing(_) => return None,
                Way::Scalar
                | Way::Constant { .. }
                | Way::Text
                | Way::Buffer { .. }
                | Way::Length { .. }
                | Way::Room
                | Way::Plain(_)
                | Way::Fresh(_)
                | Way::Null
                | Way::Data
                | Way::Callback => {}
            }
        }
        Some(calls)
    }

    /// How parameters can be had depends on which objects can be made, and that on how parameters can be had.
    fn settle(&mut self) {
        let made: BTreeSet<TypeId> =
            self.functions.iter().flat_map(|exported| exported.makes.iter().map(|making| making.of)).collect();
        let (types, headers) = (self.types(), &self.headers);
        for exported in &mut self.functions {
            exported.ways = ways::ways(types, headers, &made, exported.function, &exported.makes);
        }
        loop {
            let mut cheaper = self.costs.clone();
            for exported in &self.functions {
                for making in &exported.makes {
                    let Some(cost) = self.cost_of(exported, Some(*making)) else { continue };
                    let known = cheaper.entry(making.of).or_insert(cost);
                    *known = cost.min(*known);
                }
            }
            if cheaper == self.costs {
                return;
            }
            self.costs = cheaper;
        }
    }

    /// The exported function of this name.
    pub fn function(&self, name: &str) -> Option<&Exported<'a>> {
        self.functions.iter().find(|exported| exported.function.name == name)
    }
}

/// Whether a record is all numbers: whoever fills it can put in any.
fn is_plain(types: &Types, id: TypeId) -> bool {
    match types.kind(id) {
        TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Char { .. } | TypeKind::Float { .. } | TypeKind::Enum(_) => {
            true
        }
        TypeKind::Array { element, count: Some(count) } => *count > 0 && is_plain(types, *element),
        TypeKind::Record(record) => {
            record.complete
                && !record.is_union
                && !record.fields.is_empty()
                && record
                    .fields
                    .iter()
                    .all(|field| field.bit_width.is_none() && !field.name.is_empty() && is_plain(types, field.ty))
        }
        TypeKind::Void
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => false,
    }
}
