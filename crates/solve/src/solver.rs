//! [`Solver::solve`] is the whole story: slice, look the question up, ask the tiers cheapest first, check, remember.

use crate::backends::Z3;
use crate::bytes::Bytes;
use crate::cache::{Cache, Key, Known};
use crate::check::{Change, Keep};
use crate::cross_check::CrossCheck;
use crate::portfolio::{MEMBERS, Portfolio};
use crate::query::{Answer, Config, Mode, Query, Reason, Reply};
use crate::question::{Found, Question};
use crate::refusals::{Memory, Refusals};
use crate::slice::{Slice, Slicer};
use crate::statistics::Statistics;
use crate::tiers::{Tier, TierName, Tools, ladder};
use covet_expr::{Evaluator, Memo, Pool};
use covet_input::{Input, VarId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Answers queries over one pool at a time; one per thread.
#[derive(Debug)]
pub struct Solver {
    pub config: Config,
    pub statistics: Statistics,
    slicer: Slicer,
    cache: Cache,
    tiers: Vec<Box<dyn Tier>>,
    portfolio: Portfolio,
    bytes: Bytes,
    z3: Z3,
    cross_check: CrossCheck,
    memory: Memory,
    memos: (Memo, Memo),
    pool: Option<u64>,
}

/// The parts of a solver that answer one question.
pub(crate) struct Ladder<'a> {
    pub tools: Tools<'a>,
    pub cache: &'a mut Cache,
    tiers: &'a mut [Box<dyn Tier>],
    portfolio: &'a mut Portfolio,
    cross_check: &'a mut CrossCheck,
    memory: &'a mut Memory,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new(Config::default())
    }
}

impl Solver {
    pub fn new(config: Config) -> Solver {
        Solver {
            config,
            statistics: Statistics::default(),
            slicer: Slicer::default(),
            cache: Cache::default(),
            tiers: ladder(),
            portfolio: Portfolio::default(),
            bytes: Bytes::default(),
            z3: Z3::default(),
            cross_check: CrossCheck::default(),
            memory: Memory::default(),
            memos: (Memo::default(), Memo::default()),
            pool: None,
        }
    }

    /// Gives the solver what is known to be impossible.
    pub fn recall(&mut self, refusals: Arc<Refusals>) {
        self.memory.given = refusals;
    }

    /// What this solver found to be impossible, with some effort.
    pub fn refusals(&self) -> &Refusals {
        &self.memory.found
    }

    /// A question that two solvers answered differently, when they were both asked: a script, with both answers.
    pub fn disagreement(&self) -> Option<&str> {
        self.cross_check.disagreement.as_deref()
    }

    /// An input that satisfies the query, or why there is none.
    pub fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Reply {
        let start = Instant::now();
        self.meet(pool);
        let memos = std::mem::take(&mut self.memos);
        let mut evaluator = Evaluator::with_memos(pool, query.base, memos);
        let reply = self.reply(&mut evaluator, query);
        self.memos = evaluator.into_memos();
        if let Answer::Sat(input) = &reply.answer {
            self.tiers.iter_mut().for_each(|tier| tier.learn(input));
        }
        self.statistics.dropped_soft += u64::from(reply.dropped_soft);
        self.statistics.seconds += start.elapsed().as_secs_f64();
        reply
    }

    /// Forgets what belongs to another pool.
    fn meet(&mut self, pool: &Pool) {
        if self.pool != Some(pool.id()) {
            self.pool = Some(pool.id());
            self.slicer = Slicer::default();
            self.cache.clear();
            self.bytes.clear();
            self.memory.forget();
            self.tiers.iter_mut().for_each(|tier| tier.forget());
            self.portfolio.forget();
        }
    }

    fn reply(&mut self, evaluator: &mut Evaluator<'_>, query: &Query<'_>) -> Reply {
        let pool = evaluator.pool();
        match pool.constant(query.goal) {
            Some(0) => return Reply { answer: Answer::Unsat, dropped_soft: false, tier: "constant" },
            Some(_) => {
                return Reply { answer: Answer::Sat(query.base.clone()), dropped_soft: false, tier: "constant" };
            }
            None => {}
        }
        self.slicer.hard.cover(pool, query.prefix);
        self.slicer.soft.cover(pool, query.soft);
        let slice = self.slicer.slice(pool, query.goal, query.prefix.len(), query.soft.len());
        let (mut found, mut tier) = self.ask(evaluator, query, &slice, true);
        let mut dropped_soft = false;
        if !slice.soft.is_empty() && !matches!(found, Found::Sat(_)) {
            // The variables reached through soft pins alone do no harm: they only widen the slice.
            (found, tier) = self.ask(evaluator, query, &slice, false);
            dropped_soft = matches!(found, Found::Sat(_));
        }
        let answer = match found {
            Found::Sat(changes) => Answer::Sat(apply(query.base, &changes)),
            Found::Unsat => Answer::Unsat,
            Found::Unknown(reason) => Answer::Unknown(reason),
        };
        Reply { answer, dropped_soft, tier }
    }

    fn ask(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &Query<'_>,
        slice: &Slice,
        with_soft: bool,
    ) -> (Found, &'static str) {
        let mut conditions = slice.hard.clone();
        let mut size = slice.hard_size + 1;
        if with_soft {
            conditions.extend_from_slice(&slice.soft);
            size += slice.soft_size;
        }
        let soft_limit = if with_soft { query.soft.len() } else { 0 };
        let question = Question {
            goal: query.goal,
            conditions: &conditions,
            keep: Keep::Path { hard: (&self.slicer.hard, query.prefix.len()), soft: (&self.slicer.soft, soft_limit) },
            size,
            variables: &slice.variables,
        };
        let mut ladder = Ladder {
            tools: Tools {
                config: &self.config,
                statistics: &mut self.statistics,
                bytes: &mut self.bytes,
                z3: &mut self.z3,
                halvings: 0,
            },
            cache: &mut self.cache,
            tiers: &mut self.tiers,
            portfolio: &mut self.portfolio,
            cross_check: &mut self.cross_check,
            memory: &mut self.memory,
        };
        let incremental = match self.config.mode {
            Mode::Full => false,
            Mode::Ippc => true,
            Mode::Auto => conditions.len() > self.config.auto_limit,
        };
        ladder.remembering(evaluator, &question, |ladder, evaluator| {
            if incremental {
                crate::ippc::solve(ladder, evaluator, &question)
            } else {
                ladder.answer(evaluator, &question)
            }
        })
    }
}

fn apply(base: &Input, changes: &[Change]) -> Input {
    let mut input = base.clone();
    changes.iter().for_each(|(id, bits)| input.set(*id, *bits));
    input
}

impl Ladder<'_> {
    /// Looks the question up, otherwise has it solved and remembers the answer.
    fn remembering(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        question: &Question<'_>,
        solve: impl FnOnce(&mut Self, &mut Evaluator<'_>) -> (Found, &'static str),
    ) -> (Found, &'static str) {
        if !self.tools.config.tiers.contains(TierName::Cache) {
            return solve(self, evaluator);
        }
        let start = Instant::now();
        let key = Key::new(question.conditions, question.goal);
        let known = self.known(evaluator, question, &key);
        self.tools.statistics.tier(TierName::Cache, start.elapsed(), known.as_ref());
        if let Some(found) = known {
            return (found, TierName::Cache.text());
        }
        let (found, tier) = solve(self, evaluator);
        match &found {
            Found::Sat(changes) => {
                // Values of the whole slice: the entry must fit other base inputs.
                let value = |id: &VarId| changes.iter().find(|c| c.0 == *id).map_or(evaluator.variable(*id), |c| c.1);
                let values = question.variables.iter().map(|id| (*id, value(id))).collect();
                self.cache.put(key, Known::Sat(values));
            }
            Found::Unsat => self.cache.put(key, Known::Unsat),
            Found::Unknown(_) => {}
        }
        (found, tier)
    }

    /// A remembered answer, if it stands.
    fn known(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>, key: &Key) -> Option<Found> {
        if self.cache.is_refused(question.conditions, question.goal) || self.memory.refuses(evaluator.pool(), question)
        {
            return Some(Found::Unsat);
        }
        match self.cache.get(key)? {
            Known::Unsat => Some(Found::Unsat),
            Known::Sat(values) => {
                let different = values.iter().filter(|(id, bits)| evaluator.variable(*id) != *bits);
                let changes: Vec<Change> = different.copied().collect();
                let fine = !changes.is_empty() && question.keep.holds(evaluator, question.goal, &changes);
                fine.then_some(Found::Sat(changes))
            }
        }
    }

    /// One call: every tier in turn, until one answers.
    pub fn answer(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> (Found, &'static str) {
        self.tools.statistics.call(question.size);
        let (found, tier) = self.climb(evaluator, question);
        self.tools.statistics.answer(&found);
        if let (true, Some(command)) = (self.tools.config.cross_check, &self.tools.config.smt_command) {
            let limit = Duration::from_millis(u64::from(self.tools.config.timeout_ms));
            self.cross_check.compare(command, limit, evaluator, question, &found, tier);
        }
        (found, tier)
    }

    /// The cheap tiers in their order, then the portfolio in its own.
    fn climb(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> (Found, &'static str) {
        let mut unknown = Found::Unknown(Reason::NoSolver);
        let dear = self.tiers.len() - MEMBERS.len();
        for at in 0..dear {
            match self.step(at, evaluator, question) {
                Some(found @ (Found::Sat(_) | Found::Unsat)) => return (found, self.tiers[at].name().text()),
                Some(found) => unknown = found,
                None => {}
            }
        }
        let mut budget = self.portfolio.open(evaluator.pool(), question);
        for name in self.portfolio.order(&budget, self.tools.config.seed) {
            let Some(at) = self.tiers.iter().position(|tier| tier.name() == name) else { continue };
            self.tools.halvings = self.portfolio.halvings(&budget, name);
            let found = self.step(at, evaluator, question);
            self.portfolio.learn(&mut budget, name, found.as_ref());
            match found {
                Some(found @ (Found::Sat(_) | Found::Unsat)) => return (found, name.text()),
                Some(found) => unknown = found,
                None => {}
            }
        }
        (unknown, "none")
    }

    /// What one tier finds, if it is in use.
    fn step(&mut self, at: usize, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> Option<Found> {
        let tier = &mut self.tiers[at];
        if !self.tools.config.tiers.contains(tier.name()) {
            return None;
        }
        let start = Instant::now();
        let found = tier.answer(evaluator, question, &mut self.tools);
        self.tools.statistics.tier(tier.name(), start.elapsed(), found.as_ref());
        if matches!(found, Some(Found::Unsat)) && tier.name() >= TierName::Enumerate {
            self.memory.remember(evaluator.pool(), question);
        }
        found
    }
}
