//! The loop: choose, solve, run, merge, until nothing is left or a budget ends it. It can be left between rounds and taken up again.
//!
//! Choices of one round are made, solved and run together and merged in the order they were chosen, so for a given seed and
//! number of solvers the result is the same whatever the timing.

use crate::assumptions::BrokenAssumptions;
use crate::boundaries::Boundaries;
use crate::execution::{Execution, Executor, Solver};
use crate::leap::Leaps;
use crate::lengthen::{Lengthened, Texts};
use crate::merge::{Attempt, Merged};
use crate::patience::Patience;
use crate::queries::Bases;
use crate::report::{Event, Figures, Ran, Report, Stopped};
use crate::state::{Bounds, Flip, RunNumber, State};
use crate::strategy::{News, Next, Strategy, StrategyName};
use crate::tree::Asked;
use crate::ways::{Way, Ways};
use covet_abi::shared::InputBounds;
use covet_budget::{Deadline, Memory};
use covet_coverage::GoalSet;
use covet_expr::Pool;
use covet_expr::query::Answer;
use covet_input::{Input, Variables};
use covet_sites::SiteMap;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to explore and how far.
#[derive(Clone, Debug)]
pub struct Config {
    pub strategy: StrategyName,
    pub seed: u64,
    pub iterations: Option<u64>,
    /// Deepest decision to flip.
    pub max_depth: Option<usize>,
    pub until: Until,
    /// What is wanted.
    pub goals: GoalSet,
    /// Inputs to run before anything is solved.
    pub first: Vec<Input>,
    /// Inputs that the program may ask for in one run.
    pub max_inputs: u32,
    pub texts: Texts,
    /// Ways that others have gone to what is wanted.
    pub ways: Vec<Way>,
}

/// How far an exploration goes, its budget permitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Until {
    /// Until every goal is covered, every violation met on the way was sought, and further paths were tried for a while. (Strategies that
    /// do not look at coverage go on until no path is left.)
    #[default]
    Covered,
    /// The same, but further paths are tried for much longer: what counts are violations.
    Searched,
    /// Until no path is left.
    Exhausted,
    /// Until every required goal is covered, and not a round longer.
    Reached,
}

/// Depth that `bounded-dfs` stops at when nothing else is said.
pub const DEFAULT_DEPTH: usize = 100;
/// Decisions held in memory before runs are evicted (their inputs stay, to be run again if need be).
const HOLD_DECISIONS: usize = 4_000_000;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("a run failed: {0}")]
    Executor(Box<dyn std::error::Error + Send + Sync>),
}

/// An exploration under way: it can be left after any round and goes on where it stopped, with the same outcome.
pub struct Exploration {
    pub(crate) config: Config,
    pub(crate) pool: Pool,
    pub(crate) state: State,
    pub(crate) paths: BTreeMap<RunNumber, covet_path::PathCondition>,
    strategy: Box<dyn Strategy + Send>,
    pub(crate) figures: Figures,
    /// To be run before anything else is chosen.
    pub(crate) waiting: VecDeque<Attempt>,
    /// Fingerprints of the inputs run so far.
    tried: HashSet<u64>,
    /// Inputs of runs that were evicted with decisions still open.
    pub(crate) evicted: Vec<Input>,
    pub(crate) broken: BrokenAssumptions,
    pub(crate) leaps: Leaps,
    pub(crate) ways: Ways,
    pub(crate) boundaries: Boundaries,
    pub(crate) patience: Patience,
    pub(crate) lengthened: Lengthened,
    /// Runs made when memory was last short.
    pub(crate) shed_at: u64,
    elapsed: Duration,
    runs: u32,
}

/// The parties of an exploration besides the program's description.
pub struct Parties<'a, 's> {
    pub executor: &'a mut dyn Executor,
    /// At least one; questions of a round are shared out among them.
    pub solvers: &'a mut [Box<dyn Solver + 's>],
    pub listener: &'a mut dyn FnMut(Event<'_>),
    /// What all explorations of the command share.
    pub memory: &'a Memory,
}

/// How far an exploration came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The deadline came first; there is more to do.
    Paused,
    Ended(Stopped),
}

impl Exploration {
    /// Nothing is run yet. Terms are made in `pool`, which knows the functions it may call.
    pub fn new(mut config: Config, map: Arc<SiteMap>, variables: Variables, pool: Pool) -> Exploration {
        let max_depth = match config.strategy {
            StrategyName::BoundedDfs => Some(config.max_depth.unwrap_or(DEFAULT_DEPTH)),
            StrategyName::Dfs
            | StrategyName::RandomBranch
            | StrategyName::Cfg
            | StrategyName::Generational
            | StrategyName::RandomInput
            | StrategyName::Auto => config.max_depth,
        };
        let bounds = Bounds { max_depth, until: config.until };
        let goals = std::mem::take(&mut config.goals);
        Exploration {
            state: State::new(map, goals, bounds, variables),
            strategy: config.strategy.build(config.seed),
            waiting: std::mem::take(&mut config.first).into_iter().map(Attempt::seed).collect(),
            pool,
            paths: BTreeMap::new(),
            figures: Figures::default(),
            tried: HashSet::new(),
            evicted: Vec::new(),
            broken: BrokenAssumptions::default(),
            leaps: Leaps::default(),
            ways: Ways::new(std::mem::take(&mut config.ways)),
            boundaries: Boundaries::default(),
            patience: Patience::new(config.max_inputs),
            lengthened: Lengthened::default(),
            shed_at: 0,
            elapsed: Duration::ZERO,
            runs: 0,
            config,
        }
    }

    /// Goes on until there is nothing left to do or the deadline has come, which is looked at between rounds.
    pub fn advance(&mut self, mut parties: Parties<'_, '_>, deadline: &Deadline) -> Result<Progress, Error> {
        let began = Instant::now();
        let progress = loop {
            if let Some(stopped) = self.is_over() {
                break Ok(Progress::Ended(stopped));
            }
            if deadline.is_over() {
                break Ok(Progress::Paused);
            }
            match self.round(&mut parties) {
                Ok(None) => {}
                Ok(Some(stopped)) => break Ok(Progress::Ended(stopped)),
                Err(error) => break Err(error),
            }
        };
        self.elapsed += began.elapsed();
        progress
    }

    /// Goes on with other inputs after the goals that are still open: what was covered stays so, and figures are those of both.
    pub fn widen(&mut self, variables: Variables, pool: Pool, first: Vec<Input>) {
        self.sum_up();
        let (goals, bounds) = (std::mem::take(&mut self.state.goals), self.state.bounds);
        self.state = State::new(Arc::clone(&self.state.map), goals, bounds, variables);
        self.strategy = self.config.strategy.build(self.config.seed);
        self.waiting = first.into_iter().map(Attempt::seed).collect();
        self.pool = pool;
        self.paths.clear();
        self.tried.clear();
        self.evicted.clear();
        self.broken = BrokenAssumptions::default();
        self.leaps.clear();
        self.ways.forget_runs();
        self.patience = Patience::new(self.config.max_inputs);
        self.lengthened = Lengthened::default();
        self.shed_at = 0;
    }

    /// What the tree of paths has to say becomes figures.
    fn sum_up(&mut self) {
        self.figures.paths += self.state.tree.paths() as u64;
        for why in self.state.tree.unknown() {
            *self.figures.unknown.entry(why).or_default() += 1;
        }
    }

    /// What is known so far, and why no more will be.
    pub fn finish(mut self, stopped: Stopped) -> Report {
        self.sum_up();
        // Nothing else ends one so.
        self.figures.shed += u64::from(stopped == Stopped::Incomplete);
        let goals = self.state.goals;
        self.figures.open_goals = goals.open().count() as u64;
        self.figures.seen = goals.seen().count() as u64;
        let stopped = self.figures.settle(stopped);
        Report { stopped, figures: self.figures, elapsed: self.elapsed, goals }
    }

    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What is wanted, and what of it was covered.
    pub fn goals(&self) -> &GoalSet {
        &self.state.goals
    }

    /// One round; says why to stop, if so.
    fn round(&mut self, parties: &mut Parties<'_, '_>) -> Result<Option<Stopped>, Error> {
        if let Some(stopped) = self.make_room(parties) {
            return Ok(Some(stopped));
        }
        if let Some(attempt) = self.waiting.pop_front() {
            let attempt = self.at_boundaries(attempt, parties);
            if attempt.varies.is_none() || !self.is_tried(&attempt.input) {
                self.run_attempts(vec![attempt], parties)?;
            }
            return Ok(None);
        }
        if self.lengthen(false) {
            return Ok(None);
        }
        let (flips, mut attempts, end) = self.choose(parties.solvers.len());
        attempts.extend(self.solve(&flips, parties));
        self.run_attempts(attempts, parties)?;
        self.evict();
        match end {
            None => Ok(None),
            Some(_) if self.lengthen(true) => Ok(None),
            Some(Next::Covered) => Ok(Some(Stopped::Covered)),
            Some(Next::Exhausted | Next::Flip(_) | Next::Input(_)) => self.requeue(parties),
        }
    }

    /// A few choices, and whether the strategy had no more.
    fn choose(&mut self, solvers: usize) -> (Vec<Flip>, Vec<Attempt>, Option<Next>) {
        let mut flips = Vec::new();
        let mut attempts = Vec::new();
        let ahead = self.strategy.ahead(&self.state, solvers.max(1));
        let left = self.config.iterations.map_or(u64::MAX, |limit| limit.saturating_sub(self.counted_iterations()));
        let ahead = ahead.min(left.max(1) as usize);
        if let Some(flip) = self.past_assumption().or_else(|| self.along_a_way()) {
            self.state.mark(flip, Asked::Pending);
            return (vec![flip], attempts, None);
        }
        while flips.len() + attempts.len() < ahead {
            match self.strategy.choose(&self.state) {
                Next::Flip(flip) => {
                    // Not open any more, so it is not chosen again before its answer is known.
                    self.state.mark(flip, Asked::Pending);
                    tracing::debug!(run = flip.run.0, decision = flip.decision, at = %self.state.told(flip), "flip");
                    flips.push(flip);
                }
                Next::Input(input) => attempts.push(Attempt::seed(input)),
                end @ (Next::Covered | Next::Exhausted) => {
                    let is_end = flips.is_empty() && attempts.is_empty();
                    return (flips, attempts, is_end.then_some(end));
                }
            }
        }
        (flips, attempts, None)
    }

    /// Puts flips to the solvers and gives the inputs found.
    fn solve(&mut self, flips: &[Flip], parties: &mut Parties<'_, '_>) -> Vec<Attempt> {
        if flips.is_empty() {
            return Vec::new();
        }
        let began = Instant::now();
        let bases = Bases { state: &self.state, paths: &self.paths };
        let queries = bases.queries(&mut self.pool, flips);
        let efforts = |solvers: &[Box<dyn Solver + '_>]| solvers.iter().map(|solver| solver.efforts()).sum::<u64>();
        let before = efforts(parties.solvers);
        let answers = bases.ask(parties.solvers, &self.pool, &queries);
        self.state.strain(efforts(parties.solvers) - before);
        let mut attempts = Vec::new();
        let mut unsolved = Vec::new();
        for ((flip, _), answer) in queries.into_iter().zip(answers) {
            if !matches!(answer, Answer::Sat { .. }) {
                unsolved.push(flip);
            }
            attempts.extend(self.learn(flip, answer));
        }
        attempts.extend(self.relax(&unsolved, parties));
        attempts.extend(self.leap(&unsolved, parties));
        (parties.listener)(Event::Asked { figures: &self.figures, solving: began.elapsed() });
        attempts
    }

    fn learn(&mut self, flip: Flip, answer: Answer) -> Option<Attempt> {
        let (asked, attempt) = match answer {
            Answer::Sat { input, speculative, .. } => {
                let is_fresh = !self.is_tried(&input);
                (Asked::Solved, is_fresh.then_some(Attempt { flip: Some(flip), speculative, ..Attempt::seed(input) }))
            }
            Answer::Unsat { .. } => (Asked::Infeasible, None),
            Answer::Unknown(why) => (Asked::Unknown(why), None),
        };
        self.state.mark(flip, asked);
        if attempt.is_none() {
            self.strategy.update(&self.state, News::Unsolved(flip));
        }
        attempt
    }

    pub(crate) fn is_tried(&self, input: &Input) -> bool {
        self.tried.contains(&fingerprint(input))
    }

    /// Runs attempts and merges what they brought, in order.
    fn run_attempts(&mut self, attempts: Vec<Attempt>, parties: &mut Parties<'_, '_>) -> Result<(), Error> {
        if attempts.is_empty() {
            return Ok(());
        }
        let inputs: Vec<Input> = attempts.iter().map(|attempt| attempt.input.clone()).collect();
        let bounds = match attempts[..] {
            [Attempt { patience: Some(patience), .. }] => self.patience.bounds_again(patience),
            _ => {
                let flips = || attempts.iter().filter_map(|attempt| attempt.flip);
                let sure = flips().map(|flip| self.asked_before(flip)).max().unwrap_or(0);
                let bases = flips().filter_map(|flip| self.state.run(flip.run));
                let before = bases.map(|run| run.asked).max().unwrap_or(0);
                InputBounds { sure, ..self.patience.bounds(before) }
            }
        };
        let ran = parties.executor.run(&mut self.pool, &mut self.state.variables, &inputs, bounds);
        let ran = ran.map_err(Error::Executor)?;
        let mut attempts = attempts.into_iter();
        for (attempt, execution) in attempts.by_ref().take(ran.len()).zip(ran) {
            self.merge(attempt, execution, parties.listener);
        }
        self.waiting.extend(attempts);
        Ok(())
    }

    /// Inputs that a run had asked for when it came to a flip.
    fn asked_before(&self, flip: Flip) -> u32 {
        let decision = self.state.run(flip.run).map(|run| run.decisions[flip.decision as usize]);
        let condition =
            decision.zip(self.paths.get(&flip.run)).map(|(at, path)| path.conditions[at.condition as usize]);
        condition.map_or(0, |condition| condition.asked)
    }

    fn merge(&mut self, attempt: Attempt, execution: Execution, listener: &mut dyn FnMut(Event<'_>)) {
        let number = RunNumber(self.runs);
        self.runs += 1;
        self.figures.executions += 1;
        self.figures.iterations += u64::from(attempt.flip.is_some() || number.0 == 0);
        let flip = attempt.flip;
        self.tried.insert(fingerprint(&attempt.input));
        let given = attempt.input.clone();
        if attempt.lengthens && !self.brings_something(&execution) {
            return listener(Event::Ran(self.told_run(number, &given, &execution)));
        }
        let may_go_on = attempt.patience.is_none();
        if let Some(patience) = self.patience.learn(&execution, &given).filter(|_| may_go_on) {
            self.waiting.push_back(Attempt { patience: Some(patience), ..Attempt::seed(given.clone()) });
        }
        if number.0 == 0 {
            self.state.variables.begin(&execution.input);
        }
        let (varies, varied) = (attempt.varies, self.varied(number, &attempt, &execution));
        self.waiting.extend(varied);
        let merged = self.take_in(number, attempt, &execution);
        let Merged { arrived, is_new_path, gain } = merged;
        let goals = self.state.goals.count();
        listener(Event::Ran(Ran {
            execution: &execution,
            given: &given,
            variables: &self.state.variables,
            pool: &self.pool,
            number: number.0,
            varies: varies.map(|run| run.0),
            is_new_path,
            new_goals: gain.goals,
            new_counters: gain.counters,
            figures: &self.figures,
            covered_goals: goals.covered,
            all_goals: goals.total,
        }));
        self.paths.insert(number, execution.path);
        self.note_broken_assumption(number, execution.termination);
        self.lay_beside(number);
        self.strategy.update(&self.state, News::Ran { run: number, flip, arrived });
        for retired in self.strategy.retired() {
            self.drop_run(retired);
        }
    }

    /// What is told of a run that brought nothing to go on from.
    fn told_run<'r>(&'r self, number: RunNumber, given: &'r Input, execution: &'r Execution) -> Ran<'r> {
        let goals = self.state.goals.count();
        Ran {
            execution,
            given,
            variables: &self.state.variables,
            pool: &self.pool,
            number: number.0,
            varies: None,
            is_new_path: false,
            new_goals: 0,
            new_counters: 0,
            figures: &self.figures,
            covered_goals: goals.covered,
            all_goals: goals.total,
        }
    }

    /// Why no further round is begun, if so.
    fn is_over(&self) -> Option<Stopped> {
        if self.config.until == Until::Reached && self.state.goals.required_is_met() {
            return Some(Stopped::Reached);
        }
        let iterations_up = self.config.iterations.is_some_and(|limit| self.counted_iterations() >= limit);
        iterations_up.then_some(Stopped::Iterations)
    }

    /// Random inputs count against the budget where there is nothing else; the paper has none.
    fn counted_iterations(&self) -> u64 {
        match self.config.strategy {
            StrategyName::RandomInput => self.figures.executions,
            StrategyName::Dfs
            | StrategyName::BoundedDfs
            | StrategyName::RandomBranch
            | StrategyName::Cfg
            | StrategyName::Generational
            | StrategyName::Auto => self.figures.iterations,
        }
    }

    /// Drops spent runs and evicts old ones when too much is held.
    fn evict(&mut self) {
        if self.state.held() <= HOLD_DECISIONS {
            return;
        }
        let spent: Vec<_> = self.state.runs().filter(|run| self.state.is_spent(run)).map(|run| run.number).collect();
        spent.into_iter().for_each(|number| drop(self.drop_run(number)));
        while self.state.held() > HOLD_DECISIONS / 2 {
            let Some(oldest) = self.state.runs().next().map(|run| run.number) else { return };
            let input = self.drop_run(oldest);
            self.evicted.extend(input);
        }
    }

    pub(crate) fn drop_run(&mut self, number: RunNumber) -> Option<Input> {
        self.paths.remove(&number);
        self.state.release(number).map(|run| run.input)
    }

    /// The strategy has nothing left: run again what was evicted, go on with what was cut, or stop.
    fn requeue(&mut self, parties: &mut Parties<'_, '_>) -> Result<Option<Stopped>, Error> {
        if !self.waiting.is_empty() {
            return Ok(None);
        }
        if let Some(input) = self.evicted.pop() {
            self.run_attempts(vec![Attempt::seed(input)], parties)?;
            return Ok(None);
        }
        self.waiting.extend(self.patience.grow().into_iter().map(Attempt::seed));
        Ok(self.waiting.is_empty().then_some(Stopped::Exhausted))
    }
}

fn fingerprint(input: &Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
