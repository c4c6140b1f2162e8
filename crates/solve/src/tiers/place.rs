//! Tier `place`: what is read at a place that inputs decide is read where the base input reads it.
//!
//! A file after a seek, a table of a decoder: a read may be of any of hundreds of entries, and a path has hundreds of such reads. As bits each
//! is as large as its table. With every place held, a read is one entry, and what is left is small. That there is no answer so says
//! nothing: another place may have one.

use crate::backends::{Verdict, Z3};
use crate::circuit_size::CircuitSize;
use crate::config::Config;
use crate::model::minimise::minimise;
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::tiers::{Tier, TierName, Tools};
use covet_expr::{Evaluator, Op, Pool, Shape, Term};
use covet_input::VarId;
use std::collections::{BTreeSet, HashMap};

/// Entries of a table from which on it is large.
const LARGE: usize = 16;
/// Terms that are made at most, before all are made anew.
const MOST_TERMS: usize = 400_000;

#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Whether terms of the pool read from large tables.
    reads: HashMap<Term, bool>,
    /// What is left of terms when places are held.
    pool: Option<Pool>,
    z3: Z3,
    circuit_size: CircuitSize,
}

/// One query with its places held.
struct Held<'h, 'e> {
    evaluator: &'h mut Evaluator<'e>,
    pool: &'h mut Pool,
    made: HashMap<Term, Term>,
    /// That the places are as they are.
    places: BTreeSet<Term>,
}

impl Tier for Place {
    fn name(&self) -> TierName {
        TierName::Place
    }

    fn answer(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &SliceQuery<'_>,
        tools: &mut Tools<'_>,
    ) -> Option<TierAnswer> {
        let conditions = query.in_shared_order();
        if !conditions.iter().any(|term| self.reads(evaluator.pool(), *term)) {
            return None;
        }
        if self.pool.as_ref().is_some_and(|pool| pool.len() > MOST_TERMS) {
            self.pool = None;
            self.circuit_size = CircuitSize::default();
        }
        let pool = self.pool.get_or_insert_with(|| evaluator.pool().emptied());
        let mut held = Held { evaluator, pool, made: HashMap::new(), places: BTreeSet::new() };
        let mut left: Vec<Term> = Vec::new();
        for term in conditions {
            let term = held.held(term);
            match held.pool.constant(term) {
                Some(0) => return None,
                Some(_) => {}
                None => left.push(term),
            }
        }
        left.extend(held.places);
        if left.iter().any(|term| pool.constant(*term) == Some(0)) {
            return None;
        }
        left.retain(|term| pool.constant(*term).is_none());
        let variables: BTreeSet<VarId> = left.iter().flat_map(|term| pool.variables(*term).iter()).collect();
        let variables: Vec<VarId> = variables.into_iter().collect();
        let gates = self.circuit_size.measure(pool, &left)?;
        let config = Config { thorough_effort: 0, ..tools.config.clone() };
        let before = self.z3.checks;
        let verdict = self.z3.check(pool, &left, gates, &variables, &config);
        tools.statistics.smt_calls += self.z3.checks - before;
        let Verdict::Sat(mut changes) = verdict else { return None };
        changes.retain(|(id, bits)| evaluator.variable(*id) != *bits);
        let holds = !changes.is_empty() && query.keep.holds(evaluator, query.goal, &changes);
        holds.then(|| TierAnswer::Sat(minimise(evaluator, query.goal, &query.keep, changes)))
    }

    fn rest(&mut self) {
        self.z3.rest();
    }

    fn forget(&mut self) {
        *self = Place::default();
    }
}

impl Place {
    /// Whether a term reads from a large table at a place that inputs decide.
    fn reads(&mut self, pool: &Pool, root: Term) -> bool {
        let mut waiting = vec![root];
        while let Some(&term) = waiting.last() {
            if self.reads.contains_key(&term) {
                waiting.pop();
                continue;
            }
            let is_large = pool.table_of(term).is_some_and(|table| pool.entries(table).len() > LARGE);
            let children = pool.children(term);
            let open: Vec<Term> = children.iter().copied().filter(|child| !self.reads.contains_key(child)).collect();
            if is_large || open.is_empty() {
                let any = is_large || children.iter().any(|child| self.reads[child]);
                self.reads.insert(term, any);
                waiting.pop();
            } else {
                waiting.extend(open);
            }
        }
        self.reads[&root]
    }
}

impl Held<'_, '_> {
    /// What is left of a term.
    fn held(&mut self, root: Term) -> Term {
        let mut waiting = vec![root];
        while let Some(&term) = waiting.last() {
            if self.made.contains_key(&term) {
                waiting.pop();
                continue;
            }
            let needed = self.needed(term);
            let open: Vec<Term> = needed.iter().copied().filter(|needed| !self.made.contains_key(needed)).collect();
            if open.is_empty() {
                let made = self.make(term, &needed);
                self.made.insert(term, made);
                waiting.pop();
            } else {
                waiting.extend(open);
            }
        }
        self.made[&root]
    }

    /// The terms that a term is made of: of a read the place and what is there.
    fn needed(&mut self, term: Term) -> Vec<Term> {
        let source = self.evaluator.pool();
        let children = source.children(term).to_vec();
        let Some(table) = source.table_of(term) else { return children };
        let at = usize::try_from(self.evaluator.value(children[0])).ok();
        let entry = at.and_then(|at| source.entries(table).get(at)).copied();
        children.into_iter().chain(entry).collect()
    }

    fn make(&mut self, term: Term, needed: &[Term]) -> Term {
        let source = self.evaluator.pool();
        let width = source.width(term);
        if let Some(value) = source.constant(term) {
            return self.pool.bits(width, value);
        }
        if let Some(id) = source.variable(term) {
            return self.pool.var_with(id, width, source.default_of(id));
        }
        let kids: Vec<Term> = needed.iter().map(|needed| self.made[needed]).collect();
        if source.op(term) == Op::Select {
            let (index, value) = (needed[0], self.evaluator.value(needed[0]));
            let value = self.pool.bits(source.width(index), value);
            let place = self.pool.binary(Op::Eq, kids[0], value);
            self.places.insert(place);
            return kids.get(1).copied().unwrap_or_else(|| self.pool.bits(width, 0));
        }
        let shape = Shape { op: source.op(term), aux: source.aux(term), width, imm: source.immediate(term) };
        self.pool.make(shape, &kids)
    }
}
