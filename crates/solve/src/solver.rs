//! [`Solver::solve`] is the whole story: slice, ask the ladder, with the concretization constraints and then without, learn.

use crate::backends::Z3;
use crate::config::{Config, Mode};
use crate::domain::bytes::Bytes;
use crate::known::cache::Cache;
use crate::known::nogoods::{NogoodRecorder, Nogoods};
use crate::ladder::Ladder;
use crate::model::check::{Change, Keep};
use crate::model::cross_check::CrossCheck;
use crate::portfolio::Portfolio;
use crate::slice::{Slice, Slicer};
use crate::slice_query::{SliceQuery, TierAnswer};
use crate::statistics::Statistics;
use crate::tiers::{Tier, Tools, ladder};
use covet_expr::query::{Answer, Query, TierLabel, Unknown};
use covet_expr::{Evaluator, Memo, Pool};
use covet_input::Input;
use std::sync::Arc;
use std::time::Instant;

/// A goal that is a constant needs no tier.
const CONSTANT: TierLabel = TierLabel("constant");

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
    nogoods: NogoodRecorder,
    memos: (Memo, Memo),
    pool: Option<u64>,
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
            nogoods: NogoodRecorder::default(),
            memos: (Memo::default(), Memo::default()),
            pool: None,
        }
    }

    /// Gives up what can be made again: contexts and threads.
    pub fn rest(&mut self) {
        self.z3.rest();
        self.tiers.iter_mut().for_each(|tier| tier.rest());
    }

    /// Forgets what belongs to the pool of the last query: that one is done with.
    pub fn forget(&mut self) {
        self.pool = None;
        self.slicer = Slicer::default();
        self.cache = Cache::default();
        self.bytes = Bytes::default();
        self.memos = Default::default();
        self.nogoods.forget();
        self.tiers.iter_mut().for_each(|tier| tier.forget());
        self.portfolio.forget();
    }

    /// Gives the solver what is known to be impossible.
    pub fn use_nogoods(&mut self, nogoods: Arc<Nogoods>) {
        self.nogoods.given = nogoods;
    }

    /// What this solver found to be impossible, with some effort.
    pub fn found_nogoods(&self) -> &Nogoods {
        &self.nogoods.found
    }

    /// A query that two solvers answered differently, when they were both asked: a script, with both answers.
    pub fn disagreement(&self) -> Option<&str> {
        self.cross_check.disagreement.as_deref()
    }

    /// An input that satisfies the query, or why there is none.
    pub fn solve(&mut self, pool: &Pool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        self.switch_pool(pool);
        let memos = std::mem::take(&mut self.memos);
        let mut evaluator = Evaluator::with_memos(pool, query.base, memos);
        let answer = self.answer(&mut evaluator, query);
        self.memos = evaluator.into_memos();
        if let Answer::Sat { input, speculative, .. } = &answer {
            self.tiers.iter_mut().for_each(|tier| tier.learn(input));
            self.statistics.speculative += u64::from(*speculative);
        }
        let taken = start.elapsed();
        self.statistics.seconds += taken.as_secs_f64();
        tracing::debug!(
            conditions = query.prefix.len(),
            answer = told(&answer),
            tier = answer.tier().0,
            ?taken,
            "query"
        );
        answer
    }

    fn switch_pool(&mut self, pool: &Pool) {
        if self.pool != Some(pool.id()) {
            self.forget();
            self.pool = Some(pool.id());
        }
    }

    fn answer(&mut self, evaluator: &mut Evaluator<'_>, query: &Query<'_>) -> Answer {
        let pool = evaluator.pool();
        match pool.constant(query.goal) {
            Some(0) => return Answer::Unsat { tier: CONSTANT },
            Some(_) => return Answer::Sat { input: query.base.clone(), speculative: false, tier: CONSTANT },
            None => {}
        }
        let slice = self.slicer.slice(pool, query);
        let (mut found, mut tier) = self.ask(evaluator, query, &slice, true);
        let mut speculative = false;
        if !slice.concretizations.is_empty() && !matches!(found, TierAnswer::Sat(_)) {
            // The variables reached through concretization constraints alone do no harm: they only widen the slice.
            (found, tier) = self.ask(evaluator, query, &slice, false);
            speculative = true;
        }
        match found {
            TierAnswer::Sat(changes) => Answer::Sat { input: apply(query.base, &changes), speculative, tier },
            TierAnswer::Unsat => Answer::Unsat { tier },
            TierAnswer::Unknown(reason) => Answer::Unknown(Unknown { reason, tier }),
        }
    }

    fn ask(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        query: &Query<'_>,
        slice: &Slice,
        with_concretizations: bool,
    ) -> (TierAnswer, TierLabel) {
        let mut conditions = slice.prefix.clone();
        let mut size = slice.prefix_size + 1;
        let mut limit = 0;
        if with_concretizations {
            conditions.extend_from_slice(&slice.concretizations);
            size += slice.concretizations_size;
            limit = query.concretizations.len();
        }
        let keep = Keep::Path {
            prefix: (&self.slicer.prefix, query.prefix.len()),
            concretizations: (&self.slicer.concretizations, limit),
        };
        let query = SliceQuery { goal: query.goal, conditions: &conditions, keep, size, variables: &slice.variables };
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
            nogoods: &mut self.nogoods,
        };
        let incremental = match self.config.mode {
            Mode::Full => false,
            Mode::Ippc => true,
            Mode::Auto => conditions.len() > self.config.auto_limit,
        };
        ladder.remembering(evaluator, &query, |ladder, evaluator| {
            if incremental { crate::ippc::solve(ladder, evaluator, &query) } else { ladder.answer(evaluator, &query) }
        })
    }
}

/// An answer in a word, for the log.
const fn told(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat { speculative: false, .. } => "sat",
        Answer::Sat { speculative: true, .. } => "sat, speculative",
        Answer::Unsat { .. } => "unsat",
        Answer::Unknown(unknown) => unknown.reason.text(),
    }
}

fn apply(base: &Input, changes: &[Change]) -> Input {
    let mut input = base.clone();
    changes.iter().for_each(|(id, bits)| input.set(*id, *bits));
    input
}
