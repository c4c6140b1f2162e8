//! The pool of terms: hash-consed records, their variables, tables and defaults.
//!
//! The first two terms are the constants `false` and `true` of width 1. Records are never removed or changed.

use crate::bits;
use crate::library::Library;
use crate::term::fingerprint::hash_name;
use crate::term::varset::{SetId, VarSet, VarSets};
use crate::term::{Children, Record, TableId, Term};
use covet_abi::node::Op;
use covet_input::{ValueKind, VarId, Variables};
use hashbrown::HashTable;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug)]
pub(crate) struct TableRecord {
    pub width: u16,
    pub entries: Box<[Term]>,
    pub set: SetId,
}

/// Every term, each once.
#[derive(Debug)]
pub struct Pool {
    id: u64,
    records: Vec<Record>,
    term_sets: Vec<SetId>,
    index: HashTable<u32>,
    sets: VarSets,
    tables: Vec<TableRecord>,
    table_index: HashTable<u32>,
    /// Width, default and term of each variable.
    variables: Vec<Option<(u16, u128, Term)>>,
    /// Hashes of the variables' names, by number.
    names: Vec<Option<u128>>,
    /// Variables that the program declares as floats.
    floats: FxHashSet<VarId>,
    library: Arc<Library>,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(1);

    /// A pool whose terms call functions of the C library at most.
    pub fn new() -> Pool {
        Pool::with_library(Arc::default())
    }

    /// A pool whose terms may call the functions of `library`.
    pub fn with_library(library: Arc<Library>) -> Pool {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut pool = Pool {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            records: Vec::new(),
            term_sets: Vec::new(),
            index: HashTable::new(),
            sets: VarSets::new(),
            tables: Vec::new(),
            table_index: HashTable::new(),
            variables: Vec::new(),
            names: Vec::new(),
            floats: FxHashSet::default(),
            library,
        };
        pool.bits(1, 0);
        pool.bits(1, 1);
        pool
    }

    /// Another pool with the same library, and nothing in it.
    pub fn emptied(&self) -> Pool {
        Pool::with_library(Arc::clone(&self.library))
    }

    /// Tells pools apart: terms of one mean nothing in another.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The functions that its terms may call.
    #[inline]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The same, for those who may outlive the pool.
    pub(crate) fn shared_library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Number of terms; ids are below it.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The term at a position below [`Pool::len`]: ascending positions visit operands first.
    pub fn term_at(&self, index: usize) -> Term {
        debug_assert!(index < self.records.len());
        Term(index as u32)
    }

    /// The constant `value` (its low bits) of a width.
    pub fn bits(&mut self, width: u16, value: u128) -> Term {
        let value = bits::truncate(value, width);
        let (a, b) = ((value >> 64) as u32, (value >> 96) as u32);
        self.intern(Record { op: Op::Const, aux: 0, width, a, b, c: 0, imm: value as u64 })
    }

    pub fn truth(&self, value: bool) -> Term {
        if value { Pool::TRUE } else { Pool::FALSE }
    }

    /// The term of an input variable.
    pub fn var(&mut self, variables: &Variables, id: VarId) -> Term {
        let variable = variables.get(id);
        let at = id.0 as usize;
        if self.names.len() <= at {
            self.names.resize(at + 1, None);
        }
        if self.names[at].is_none() {
            self.names[at] = Some(hash_name(&variable.name));
            if variable.kind == ValueKind::Float {
                self.floats.insert(id);
            }
        }
        self.var_with(id, variable.width, u128::from(variable.default))
    }

    /// Whether a variable is declared as a float, however the terms use it.
    pub fn is_float(&self, id: VarId) -> bool {
        self.floats.contains(&id)
    }

    /// As [`Pool::var`], for a variable known by its width and default.
    pub fn var_with(&mut self, id: VarId, width: u16, default: u128) -> Term {
        let term = self.intern(Record { op: Op::Var, aux: 0, width, a: id.0, b: 0, c: 0, imm: 0 });
        let at = id.0 as usize;
        if self.variables.len() <= at {
            self.variables.resize(at + 1, None);
        }
        self.variables[at] = Some((width, bits::truncate(default, width), term));
        term
    }

    /// The table of these entries, each of width `width`.
    pub fn table(&mut self, width: u16, entries: &[Term]) -> TableId {
        let hash = hash_of(&(width, entries));
        let same = |t: &TableRecord| t.width == width && *t.entries == *entries;
        if let Some(&id) = self.table_index.find(hash, |&id| same(&self.tables[id as usize])) {
            return TableId(id);
        }
        let mut set = SetId::EMPTY;
        for entry in entries {
            let of_entry = self.term_sets[entry.index()];
            set = self.sets.union(set, of_entry);
        }
        let id = self.tables.len() as u32;
        self.tables.push(TableRecord { width, entries: entries.into(), set });
        let tables = &self.tables;
        self.table_index.insert_unique(hash, id, |&id| {
            let table = &tables[id as usize];
            hash_of(&(table.width, &*table.entries))
        });
        TableId(id)
    }

    #[inline]
    pub fn op(&self, t: Term) -> Op {
        self.records[t.index()].op
    }

    #[inline]
    pub fn aux(&self, t: Term) -> u8 {
        self.records[t.index()].aux
    }

    /// The low bit of an extract, the function number of a call.
    #[inline]
    pub fn immediate(&self, t: Term) -> u64 {
        self.records[t.index()].imm
    }

    #[inline]
    pub fn width(&self, t: Term) -> u16 {
        self.records[t.index()].width
    }

    #[inline]
    pub fn children(&self, t: Term) -> Children {
        Children::of(&self.records[t.index()])
    }

    /// The first operand; meaningful for operators that have one.
    #[inline]
    pub(crate) fn first(&self, t: Term) -> Term {
        Term(self.records[t.index()].a)
    }

    /// The first two operands; meaningful for operators that have two.
    #[inline]
    pub(crate) fn pair(&self, t: Term) -> (Term, Term) {
        let record = &self.records[t.index()];
        (Term(record.a), Term(record.b))
    }

    #[inline]
    pub fn constant(&self, t: Term) -> Option<u128> {
        let record = &self.records[t.index()];
        match record.op {
            Op::Const => Some(u128::from(record.imm) | u128::from(record.a) << 64 | u128::from(record.b) << 96),
            _ => None,
        }
    }

    #[inline]
    pub fn variable(&self, t: Term) -> Option<VarId> {
        let record = &self.records[t.index()];
        (record.op == Op::Var).then_some(VarId(record.a))
    }

    /// The table a select reads.
    pub fn table_of(&self, t: Term) -> Option<TableId> {
        let record = &self.records[t.index()];
        (record.op == Op::Select).then_some(TableId(record.b))
    }

    pub fn entries(&self, table: TableId) -> &[Term] {
        &self.tables[table.index()].entries
    }

    pub fn table_width(&self, table: TableId) -> u16 {
        self.tables[table.index()].width
    }

    /// Value of a variable that an input does not name.
    pub fn default_of(&self, id: VarId) -> u128 {
        self.variables.get(id.0 as usize).copied().flatten().map_or(0, |(_, default, _)| default)
    }

    /// Width of a variable, when it has a term.
    pub fn width_of(&self, id: VarId) -> Option<u16> {
        self.variables.get(id.0 as usize).copied().flatten().map(|(width, _, _)| width)
    }

    /// The term of a variable, when it has one.
    pub fn term_of(&self, id: VarId) -> Option<Term> {
        self.variables.get(id.0 as usize).copied().flatten().map(|(_, _, term)| term)
    }

    /// A hash of a variable's name, when it has one.
    pub(crate) fn name_of(&self, id: VarId) -> Option<u128> {
        self.names.get(id.0 as usize).copied().flatten()
    }

    /// The variables a term depends on: computed once, shared between terms.
    #[inline]
    pub fn variables(&self, t: Term) -> VarSet<'_> {
        self.sets.get(self.term_sets[t.index()])
    }

    /// The same as an id: equal ids are equal sets.
    #[inline]
    pub fn variable_set(&self, t: Term) -> SetId {
        self.term_sets[t.index()]
    }

    pub fn set(&self, id: SetId) -> VarSet<'_> {
        self.sets.get(id)
    }

    /// Number of distinct variable sets; set ids are below it.
    pub fn set_count(&self) -> usize {
        self.sets.len()
    }

    /// Number of distinct terms under `root`, itself included; counting stops at `limit`.
    pub fn size(&self, root: Term, limit: usize) -> usize {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if seen.len() >= limit {
                break;
            }
            if seen.insert(t) {
                stack.extend(self.children(t).iter());
            }
        }
        seen.len()
    }

    pub(crate) fn intern(&mut self, record: Record) -> Term {
        let hash = hash_of(&record);
        if let Some(&id) = self.index.find(hash, |&id| self.records[id as usize] == record) {
            return Term(id);
        }
        let set = self.set_of(&record);
        let id = self.records.len() as u32;
        self.records.push(record);
        self.term_sets.push(set);
        let records = &self.records;
        self.index.insert_unique(hash, id, |&id| hash_of(&records[id as usize]));
        Term(id)
    }

    fn set_of(&mut self, record: &Record) -> SetId {
        if record.op == Op::Var {
            return self.sets.single(VarId(record.a));
        }
        let mut set = match record.op {
            Op::Select => self.tables[record.b as usize].set,
            _ => SetId::EMPTY,
        };
        for child in Children::of(record).iter() {
            set = self.sets.union(set, self.term_sets[child.index()]);
        }
        set
    }
}

fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
