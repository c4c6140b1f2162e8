//! Worker nodes into terms, each node once per epoch.
//!
//! Only nodes under a term that is asked for are translated. Operands are older than their users, so the walk is a plain
//! stack; deep expressions need no call stack.

use crate::arena::{Arena, ImportError};
use crate::shape::{Facts, fits};
use covet_abi::node::{CONCRETE, Node, NodeId};
use covet_expr::{Op, Pool, Shape, TableId, Term, arity};
use covet_input::Variables;

/// Translates the arena of one worker.
#[derive(Clone, Debug, Default)]
pub struct Importer {
    epoch: u64,
    terms: Vec<Option<Term>>,
    /// The negations of terms of width 1, by node.
    opposites: Vec<Option<Term>>,
    tables: Vec<Option<TableId>>,
    stack: Vec<NodeId>,
    /// By term: the last path it was met on.
    met: Vec<u32>,
    path: u32,
}

impl Importer {
    pub fn new() -> Importer {
        Importer::default()
    }

    /// Brings the caches up to the arena's size; forgets them when the arena was emptied.
    pub fn refresh(&mut self, arena: &Arena<'_>) {
        let shrunk = arena.nodes.len() < self.terms.len() || arena.tables.len() < self.tables.len();
        if arena.epoch != self.epoch || shrunk {
            self.terms.clear();
            self.opposites.clear();
            self.tables.clear();
            self.epoch = arena.epoch;
        }
        self.terms.resize(arena.nodes.len(), None);
        self.opposites.resize(arena.nodes.len(), None);
        self.tables.resize(arena.tables.len(), None);
    }

    /// The term of a node. Call [`Importer::refresh`] first when the arena has changed.
    pub fn term(
        &mut self,
        pool: &mut Pool,
        variables: &Variables,
        arena: &Arena<'_>,
        id: NodeId,
    ) -> Result<Term, ImportError> {
        if let Some(Some(term)) = self.terms.get(id as usize) {
            return Ok(*term);
        }
        self.stack.clear();
        self.stack.push(id);
        while let Some(&top) = self.stack.last() {
            match self.terms.get(top as usize) {
                None => return Err(ImportError::NoSuchNode { node: top }),
                Some(Some(_)) => {
                    self.stack.pop();
                    continue;
                }
                Some(None) => {}
            }
            if self.await_operands(arena, top)? {
                continue;
            }
            let term = self.build(pool, variables, arena, top)?;
            self.terms[top as usize] = Some(term);
            self.stack.pop();
        }
        self.terms[id as usize].ok_or(ImportError::NoSuchNode { node: id })
    }

    /// The negation of a condition that [`Importer::term`] gave for a node.
    pub(crate) fn opposite(&mut self, pool: &mut Pool, id: NodeId, condition: Term) -> Term {
        *self.opposites[id as usize].get_or_insert_with(|| pool.not(condition))
    }

    /// Another path begins: no term was met on it.
    pub(crate) fn begin_path(&mut self) {
        self.path = self.path.wrapping_add(1);
        if self.path == 0 {
            self.met.clear();
            self.path = 1;
        }
    }

    /// True the first time that this term is met on the path.
    pub(crate) fn is_first(&mut self, term: Term) -> bool {
        if self.met.len() <= term.index() {
            self.met.resize(term.index() + 1, 0);
        }
        std::mem::replace(&mut self.met[term.index()], self.path) != self.path
    }

    /// Pushes what node `id` needs and is not there yet; true when something was pushed.
    fn await_operands(&mut self, arena: &Arena<'_>, id: NodeId) -> Result<bool, ImportError> {
        let node = &arena.nodes[id as usize];
        let op = operator(node, id)?;
        let before = self.stack.len();
        for operand in operands(node, op) {
            self.push(id, operand)?;
        }
        if op == Op::Select && self.known_table(arena, node, id)?.is_none() {
            for &entry in entries_of(arena, node, id)? {
                self.push(id, entry)?;
            }
        }
        Ok(self.stack.len() > before)
    }

    fn push(&mut self, user: NodeId, operand: NodeId) -> Result<(), ImportError> {
        if operand >= user || operand == CONCRETE {
            return Err(ImportError::Cycle { node: user, operand });
        }
        if self.terms[operand as usize].is_none() {
            self.stack.push(operand);
        }
        Ok(())
    }

    fn known_table(&self, arena: &Arena<'_>, node: &Node, id: NodeId) -> Result<Option<TableId>, ImportError> {
        debug_assert_eq!(self.tables.len(), arena.tables.len());
        self.tables.get(node.b as usize).copied().ok_or(ImportError::NoSuchTable { node: id, table: node.b })
    }

    /// The term of a node whose operands are there.
    fn build(
        &mut self,
        pool: &mut Pool,
        variables: &Variables,
        arena: &Arena<'_>,
        id: NodeId,
    ) -> Result<Term, ImportError> {
        let node = &arena.nodes[id as usize];
        let op = operator(node, id)?;
        let bad = ImportError::BadShape { node: id, op: node.op, width: node.width };
        let mut kids = [Pool::FALSE; 3];
        let mut widths = [0; 3];
        let mut count = 0;
        for operand in operands(node, op) {
            kids[count] = self.terms[operand as usize].ok_or(ImportError::NoSuchNode { node: operand })?;
            widths[count] = pool.width(kids[count]);
            count += 1;
        }
        let facts = Facts { op, aux: node.aux, width: node.width, imm: node.imm, operands: &widths[..count] };
        if !fits(pool, &facts) {
            return Err(bad);
        }
        match op {
            Op::Const => Ok(pool.bits(node.width, node.constant_bits())),
            Op::Var => {
                let missing = ImportError::NoSuchVariable { node: id, variable: node.a };
                let variable = *arena.variables.get(node.a as usize).ok_or(missing)?;
                if variable.0 as usize >= variables.len() {
                    return Err(missing);
                }
                if variables.get(variable).width != node.width {
                    return Err(bad);
                }
                Ok(pool.var(variables, variable))
            }
            Op::Select => {
                let table = self.table(pool, arena, node, id)?;
                if pool.table_width(table) != node.width {
                    return Err(bad);
                }
                Ok(pool.select(table, kids[0]))
            }
            _ => Ok(pool.make(Shape { op, aux: node.aux, width: node.width, imm: node.imm }, &kids[..count])),
        }
    }

    fn table(&mut self, pool: &mut Pool, arena: &Arena<'_>, node: &Node, id: NodeId) -> Result<TableId, ImportError> {
        if let Some(known) = self.known_table(arena, node, id)? {
            return Ok(known);
        }
        let width = arena.tables[node.b as usize].width as u16;
        let mut terms = Vec::new();
        for &entry in entries_of(arena, node, id)? {
            let term = self.terms[entry as usize].ok_or(ImportError::NoSuchNode { node: entry })?;
            if pool.width(term) != width {
                return Err(ImportError::BadShape { node: id, op: node.op, width: node.width });
            }
            terms.push(term);
        }
        let table = pool.table(width, &terms);
        self.tables[node.b as usize] = Some(table);
        Ok(table)
    }
}

fn operator(node: &Node, id: NodeId) -> Result<Op, ImportError> {
    Op::from_u8(node.op).ok_or(ImportError::UnknownOperator { node: id, op: node.op })
}

/// The operand ids of a node: as many as its operator has, for a call those that are present.
fn operands(node: &Node, op: Op) -> impl Iterator<Item = NodeId> {
    let count = match op {
        Op::Call => [node.a, node.b, node.c].iter().take_while(|id| **id != CONCRETE).count(),
        _ => arity(op),
    };
    [node.a, node.b, node.c].into_iter().take(count)
}

fn entries_of<'a>(arena: &Arena<'a>, node: &Node, id: NodeId) -> Result<&'a [u32], ImportError> {
    let missing = ImportError::NoSuchTable { node: id, table: node.b };
    let table = arena.tables.get(node.b as usize).ok_or(missing)?;
    let (start, len) = (table.start as usize, table.len as usize);
    arena.entries.get(start..start + len).ok_or(missing)
}
