//! The tiers in order. [`Solver::solve`] is the whole story: slice, then ask cheapest first, then check.

use crate::backends::{Verdict, Z3};
use crate::bytes::Bytes;
use crate::cache::{Cache, Known};
use crate::check::{Change, Keep};
use crate::interval::interval;
use crate::nearest::{boundary, nearest};
use crate::order::impossible;
use crate::polish::polish;
use crate::query::{Answer, Config, Mode, Query, Reason, Reply};
use crate::slice::{Slice, Slicer};
use crate::statistics::Statistics;
use covet_expr::{Evaluator, Memo, Pool, Term};
use covet_input::{Input, VarId};
use std::time::Instant;

/// What a tier found for one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Sat(Vec<Change>),
    Unsat,
    Unknown(Reason),
}

/// Answers queries over one pool at a time; one per thread.
#[derive(Debug, Default)]
pub struct Solver {
    pub config: Config,
    pub statistics: Statistics,
    slicer: Slicer,
    cache: Cache,
    bytes: Bytes,
    z3: Z3,
    memos: (Memo, Memo),
    pool: Option<u64>,
}

/// A question about one slice: the conditions that count, with or without soft pins.
pub(crate) struct Question<'a> {
    pub goal: Term,
    /// Conditions in order, each once, without the goal.
    pub conditions: &'a [Term],
    /// The same, as found by variable.
    pub keep: Keep<'a>,
    /// Number of path conditions, the goal included.
    pub size: usize,
    pub variables: &'a [VarId],
}

/// The parts of a solver that answer one question.
pub(crate) struct Tiers<'a> {
    pub config: &'a Config,
    pub statistics: &'a mut Statistics,
    pub cache: &'a mut Cache,
    pub bytes: &'a mut Bytes,
    pub z3: &'a mut Z3,
}

impl Solver {
    pub fn new(config: Config) -> Solver {
        Solver { config, ..Solver::default() }
    }

    /// An input that satisfies the query, or why there is none.
    pub fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Reply {
        let start = Instant::now();
        self.meet(pool);
        let memos = std::mem::take(&mut self.memos);
        let mut evaluator = Evaluator::with_memos(pool, query.base, memos);
        let reply = self.reply(&mut evaluator, query);
        self.memos = evaluator.into_memos();
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
        let mut tiers = Tiers {
            config: &self.config,
            statistics: &mut self.statistics,
            cache: &mut self.cache,
            bytes: &mut self.bytes,
            z3: &mut self.z3,
        };
        let incremental = match self.config.mode {
            Mode::Full => false,
            Mode::Ippc => true,
            Mode::Auto => conditions.len() > self.config.auto_limit,
        };
        tiers.remembering(evaluator, &question, |tiers, evaluator| {
            if incremental {
                crate::ippc::solve(tiers, evaluator, &question)
            } else {
                tiers.answer(evaluator, &question)
            }
        })
    }
}

fn apply(base: &Input, changes: &[Change]) -> Input {
    let mut input = base.clone();
    changes.iter().for_each(|(id, bits)| input.set(*id, *bits));
    input
}

impl Tiers<'_> {
    /// Looks the question up, otherwise has it solved and remembers the answer.
    fn remembering(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        question: &Question<'_>,
        solve: impl FnOnce(&mut Self, &mut Evaluator<'_>) -> (Found, &'static str),
    ) -> (Found, &'static str) {
        if !self.config.cache {
            return solve(self, evaluator);
        }
        let start = Instant::now();
        let key = Cache::key(question.conditions, question.goal);
        let known = self.known(evaluator, question, &key);
        self.statistics.tier("cache", start.elapsed(), known.is_some());
        if let Some(found) = known {
            return (found, "cache");
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
    fn known(&self, evaluator: &mut Evaluator<'_>, question: &Question<'_>, key: &[Term]) -> Option<Found> {
        if self.cache.is_refused(key) {
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

    /// One call: the cheap tiers, then SMT.
    pub fn answer(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> (Found, &'static str) {
        self.statistics.call(question.size);
        let (found, tier) = self.climb(evaluator, question);
        match found {
            Found::Sat(_) => self.statistics.sat += 1,
            Found::Unsat => self.statistics.unsat += 1,
            Found::Unknown(_) => self.statistics.unknown += 1,
        }
        (found, tier)
    }

    fn climb(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> (Found, &'static str) {
        if self.config.nearest {
            let start = Instant::now();
            let found = nearest(evaluator, question.goal, &question.keep);
            self.statistics.tier("nearest", start.elapsed(), found.is_some());
            if let Some(changes) = found {
                return (Found::Sat(changes), "nearest");
            }
            if let Some(answer) = self.reason(evaluator, question) {
                return answer;
            }
            let start = Instant::now();
            let found = boundary(evaluator, question.goal, &question.keep);
            self.statistics.tier("boundary", start.elapsed(), found.is_some());
            if let Some(changes) = found {
                return (Found::Sat(changes), "boundary");
            }
        }
        if !self.config.smt {
            return (Found::Unknown(Reason::NoSolver), "none");
        }
        if self.config.nearest {
            let start = Instant::now();
            let found = self.linear(evaluator, question);
            self.statistics.tier("linear", start.elapsed(), found.is_some());
            if let Some(found) = found {
                return (found, "linear");
            }
        }
        let start = Instant::now();
        let found = self.smt(evaluator, question);
        self.statistics.tier("smt", start.elapsed(), !matches!(found, Found::Unknown(_)));
        (found, "smt")
    }

    /// The tiers that can refuse without an SMT solver.
    fn reason(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> Option<(Found, &'static str)> {
        let start = Instant::now();
        let found = interval(evaluator, self.bytes, question.goal, &question.keep);
        self.statistics.tier("interval", start.elapsed(), found.is_some());
        if let Some(found) = found {
            return Some((found, "interval"));
        }
        let start = Instant::now();
        let refused = impossible(evaluator.pool(), question.goal, question.conditions);
        self.statistics.tier("order", start.elapsed(), refused);
        refused.then_some((Found::Unsat, "order"))
    }

    /// Linear integer arithmetic: its models are checked, its refusals count where nothing can wrap round.
    fn linear(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> Option<Found> {
        let pool = evaluator.pool();
        let conditions = smt_order(question);
        for &condition in &conditions {
            if let Some((variable, ranges)) = self.bytes.ranges(evaluator, condition) {
                self.z3.confine(pool, condition, variable, ranges.parts());
            }
        }
        if !self.z3.is_linear(pool, question.goal) {
            return None;
        }
        self.statistics.smt_calls += 1;
        match self.z3.check_linear(pool, &conditions, question.variables, self.config) {
            Verdict::Unsat => Some(Found::Unsat),
            Verdict::Unknown(_) => None,
            Verdict::Sat(values) => {
                let different = values.into_iter().filter(|(id, bits)| evaluator.variable(*id) != *bits);
                let changes: Vec<Change> = different.collect();
                let fine = question.keep.holds(evaluator, question.goal, &changes);
                fine.then(|| Found::Sat(polish(evaluator, question.goal, &question.keep, changes)))
            }
        }
    }

    fn smt(&mut self, evaluator: &mut Evaluator<'_>, question: &Question<'_>) -> Found {
        let pool = evaluator.pool();
        let conditions = smt_order(question);
        let before = self.z3.checks;
        let verdict = self.z3.check(pool, &conditions, question.variables, self.config);
        self.statistics.smt_calls += self.z3.checks - before;
        let values = match verdict {
            Verdict::Unsat => return Found::Unsat,
            Verdict::Unknown(reason) => return Found::Unknown(reason),
            Verdict::Sat(values) => values,
        };
        let changes: Vec<Change> = values.into_iter().filter(|(id, bits)| evaluator.variable(*id) != *bits).collect();
        if !question.keep.holds(evaluator, question.goal, &changes) {
            self.statistics.model_rejected += 1;
            let open = conditions.iter().any(|condition| self.z3.is_open(*condition));
            return Found::Unknown(if open { Reason::Opaque } else { Reason::ModelRejected });
        }
        Found::Sat(polish(evaluator, question.goal, &question.keep, changes))
    }
}

/// Conditions in the order in which the next question will share most with this one.
fn smt_order(question: &Question<'_>) -> Vec<Term> {
    match question.keep {
        // Along a path the prefix is shared and the goal changes.
        Keep::Path { .. } => question.conditions.iter().copied().chain([question.goal]).collect(),
        // Incremental questions keep the goal and add conditions.
        Keep::List(_) => std::iter::once(question.goal).chain(question.conditions.iter().copied()).collect(),
    }
}
