//! Small made-up programs for the tests of this crate: a site map by hand, a program as a Rust function over a tracer, a
//! solver that tries small numbers.

use crate::execution::{Execution, Executor, Solver};
use covet_abi::event::Kind;
use covet_abi::shared::InputBounds;
use covet_abi::termination::Termination;
use covet_expr::query::{Answer, Query, TierLabel};
use covet_expr::{Evaluator, Pool, Term};
use covet_input::{Input, ValueKind, VarId, Variable, Variables};
use covet_path::{Condition, PathCondition};
use covet_sites::testing::{block, function, program};
use covet_sites::{Counter, SiteMap, SiteNumber};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One function with `branches` branch sites and no structure; site `i` has counters `1 + 2 i` and `2 + 2 i`.
pub fn flat_map(branches: u32) -> Arc<SiteMap> {
    let mut blocks: Vec<_> =
        (0..branches).map(|at| block(&[(at + 1, Some(1 + 2 * at)), (at + 1, Some(2 + 2 * at))], &[])).collect();
    blocks.push(block(&[], &[]));
    let sites: Vec<_> = (0..branches).map(|at| (0, at, 1 + 2 * at)).collect();
    Arc::new(program(vec![function(0, 0, blocks)], &sites))
}

/// What a made-up program sees: its variables as terms and values, and where to report branches.
pub struct Tracer<'a> {
    pub pool: &'a mut Pool,
    input: &'a Input,
    variables: &'a Variables,
    map: &'a SiteMap,
    conditions: Vec<Condition>,
    covered: BTreeSet<Counter>,
}

impl Tracer<'_> {
    pub fn var(&mut self, name: &str) -> Term {
        let id = self.variables.find(name).unwrap();
        self.pool.var(self.variables, id)
    }

    pub fn constant(&mut self, value: i64) -> Term {
        self.pool.bits(32, value as u128)
    }

    /// Takes a branch on `term`.
    pub fn branch(&mut self, site: u32, term: Term) -> bool {
        let taken = self.record(Kind::Branch, site, term, 0);
        let counter = self.map.sites[site as usize].counter + u32::from(taken);
        self.covered.insert(counter);
        taken
    }

    /// Records that `term` would be a violation; true when it is one.
    pub fn check(&mut self, site: u32, term: Term) -> bool {
        self.record(Kind::Check, site, term, 1)
    }

    pub fn assume(&mut self, term: Term) -> bool {
        self.record(Kind::Assume, 1000, term, 0)
    }

    fn record(&mut self, kind: Kind, site: u32, subject: Term, detail: u16) -> bool {
        let taken = Evaluator::new(self.pool, self.input).holds(subject);
        let term = if taken { subject } else { self.pool.not(subject) };
        let event = self.conditions.len() as u32;
        let site = SiteNumber(site);
        self.conditions.push(Condition { term, subject, kind, taken, detail, site, value: 0, event, asked: 0 });
        taken
    }
}

/// A program written in Rust over 32-bit variables.
pub struct MadeUp<F: FnMut(&mut Tracer<'_>) -> Termination> {
    pub map: Arc<SiteMap>,
    pub body: F,
    pub inputs: Vec<Vec<i32>>,
}

impl<F: FnMut(&mut Tracer<'_>) -> Termination> MadeUp<F> {
    pub fn new(map: &Arc<SiteMap>, body: F) -> MadeUp<F> {
        MadeUp { map: Arc::clone(map), body, inputs: vec![] }
    }
}

impl<F: FnMut(&mut Tracer<'_>) -> Termination> Executor for MadeUp<F> {
    fn run(
        &mut self,
        pool: &mut Pool,
        variables: &mut Variables,
        inputs: &[Input],
        _bounds: InputBounds,
    ) -> Result<Vec<Execution>, Box<dyn std::error::Error + Send + Sync>> {
        let mut executions = Vec::new();
        for input in inputs {
            self.inputs.push(variables.iter().map(|(id, _)| input.get(id).unwrap_or(0) as i32).collect());
            let map = Arc::clone(&self.map);
            let mut tracer =
                Tracer { pool, input, variables, map: &map, conditions: vec![], covered: BTreeSet::from([Counter(0)]) };
            let termination = (self.body)(&mut tracer);
            executions.push(Execution {
                input: input.clone(),
                order: variables.iter().map(|(id, _)| id).collect(),
                path: PathCondition::from_conditions(tracer.conditions),
                covered: tracer.covered.into_iter().collect(),
                ..ended(termination)
            });
        }
        Ok(executions)
    }
}

/// A run of which nothing is known but its end.
pub fn ended(termination: Termination) -> Execution {
    Execution {
        input: Input::default(),
        order: vec![],
        touched: covet_input::Touched::All,
        termination,
        code: 0,
        path: PathCondition::from_conditions(vec![]),
        covered: vec![],
        vectors: vec![],
        concretised: BTreeMap::new(),
        is_truncated: false,
        asked: 0,
        is_cut: false,
        is_capped: false,
        is_stalled: false,
        is_bounded: false,
        returned: 0,
        fault: 0,
        frames: vec![],
        elapsed: Duration::ZERO,
    }
}

/// Signed 32-bit variables by name.
pub fn integers(names: &[&str]) -> Variables {
    let mut variables = Variables::default();
    for name in names {
        variables.intern(Variable { name: name.to_string(), width: 32, kind: ValueKind::Signed, default: 0 });
    }
    variables
}

/// Tries every assignment of small numbers to the variables of the query, nearest to the base first.
#[derive(Default)]
pub struct SmallNumbers {
    /// Sizes of the queries asked.
    pub sizes: Arc<Mutex<Vec<usize>>>,
}

const NUMBERS: [i32; 7] = [0, 1, -1, 2, -2, 10, 77];

impl Solver for SmallNumbers {
    fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer {
        self.sizes.lock().unwrap().push(query.prefix.len() + 1);
        let terms: Vec<Term> = query.prefix.iter().copied().chain([query.goal]).collect();
        let ids: BTreeSet<VarId> =
            terms.iter().flat_map(|term| pool.variables(*term).iter().collect::<Vec<_>>()).collect();
        let ids: Vec<VarId> = ids.into_iter().collect();
        for code in 0..NUMBERS.len().pow(ids.len() as u32) {
            let mut rest = code;
            let mut input = query.base.clone();
            for id in &ids {
                input.set(*id, u128::from(NUMBERS[rest % NUMBERS.len()] as u32));
                rest /= NUMBERS.len();
            }
            let mut evaluator = Evaluator::new(pool, &input);
            if terms.iter().all(|term| evaluator.holds(*term)) {
                return Answer::Sat { input, speculative: false, tier: TierLabel::NONE };
            }
        }
        Answer::Unsat { tier: TierLabel::NONE }
    }
}
