//! Z3 as a tier: an incremental session for the common case, a fresh one with more effort for the rest.

pub mod context;
mod guard;
pub mod session;

use crate::backends::Verdict;
use crate::backends::encode::Encoder;
use crate::backends::encode::int::{IntEncoder, bits_of};
use crate::backends::z3::context::Ast;
use crate::backends::z3::guard::Guard;
use crate::backends::z3::session::{Check, Effort, Session};
use crate::config::Config;
use covet_expr::query::UnknownReason;
use covet_expr::{Pool, Term};
use covet_input::VarId;
use std::time::Duration;

/// Expressions after which the context is started afresh, to give memory back.
const MAX_EXPRESSIONS: usize = 3_000_000;

/// A Z3 context with what it knows of one pool.
#[derive(Debug, Default)]
pub struct Z3 {
    state: Option<State>,
    /// Checks made so far.
    pub checks: u64,
    /// Thorough checks of what the quick one could not settle: made, and successful.
    thorough: (u64, u64),
    skipped: u64,
    guard: Guard,
}

#[derive(Debug)]
struct State {
    pool: u64,
    encoder: Encoder,
    quick: Option<Session>,
    integers: IntEncoder,
    linear: Option<Session>,
}

impl Drop for State {
    fn drop(&mut self) {
        close(&mut self.quick, &self.encoder.context);
        close(&mut self.linear, &self.encoder.context);
    }
}

// SAFETY: sessions hold handles of the encoder's context, which moves with them and is used by one thread at a time.
unsafe impl Send for State {}

/// Conditions with their expressions, to be asserted on the checking thread.
struct Encoded(Vec<(Term, Option<Ast>)>);

// SAFETY: the handles belong to the context of the state that travels with them.
unsafe impl Send for Encoded {}

/// Gates that the incremental core takes in without trouble; it needs many times the memory that the translation to bits does.
const SMALL: u64 = 20_000;

impl Z3 {
    /// Gives up the context and the thread; the next check makes new ones.
    pub fn rest(&mut self) {
        self.state = None;
        self.guard = Guard::default();
    }

    /// Whether all `conditions`, a circuit of so many gates, can hold together, with values for `variables`.
    pub fn check(
        &mut self,
        pool: &Pool,
        conditions: &[Term],
        gates: u64,
        variables: &[VarId],
        config: &Config,
    ) -> Verdict {
        let pays = self.thorough_pays();
        let state = self.state_for(pool);
        let contents = state.contents(pool, conditions);
        let mut verdict = Verdict::Unknown(UnknownReason::Limit);
        // Floats and large formulas do badly in the incremental core: straight to the translation to bits.
        if !contents.float && gates <= SMALL {
            verdict = self.on_thread(pool, conditions, variables, config, State::quick);
        }
        let is_open = matches!(verdict, Verdict::Unknown(UnknownReason::Limit));
        let thorough = is_open && config.thorough_effort > 0 && (pays || contents.float);
        if thorough {
            let share = if pays { 1 } else { 8 };
            verdict = self.on_thread(pool, conditions, variables, config, move |state, encoded, variables, config| {
                state.thorough(encoded, variables, contents.float, share, config)
            });
        }
        if thorough && pays {
            self.thorough.0 += 1;
            self.thorough.1 += u64::from(!matches!(verdict, Verdict::Unknown(_)));
        }
        match verdict {
            Verdict::Unknown(_) if contents.open => Verdict::Unknown(UnknownReason::Opaque),
            verdict => verdict,
        }
    }

    /// The query over integers, as far as it is linear: a model to be checked, or Unsat where nothing was assumed.
    pub fn check_linear(&mut self, pool: &Pool, conditions: &[Term], variables: &[VarId], config: &Config) -> Verdict {
        let state = self.state_for(pool);
        let mut exact = true;
        let translate = |t: &Term| {
            let made = state.integers.condition(&state.encoder.context, pool, *t);
            exact &= made.is_none_or(|made| made.exact);
            (*t, made.map(|made| made.ast))
        };
        let encoded = Encoded(conditions.iter().map(translate).collect());
        let widths: Vec<u16> = variables.iter().map(|id| pool.width_of(*id).unwrap_or(128)).collect();
        self.run(encoded, variables, config, move |state, encoded, variables, config| {
            state.check_linear(encoded, exact, variables, &widths, config)
        })
    }

    fn on_thread(
        &mut self,
        pool: &Pool,
        conditions: &[Term],
        variables: &[VarId],
        config: &Config,
        check: impl FnOnce(&mut State, Encoded, &[VarId], &Config) -> Verdict + Send + 'static,
    ) -> Verdict {
        let state = self.state_for(pool);
        let encoded = conditions.iter().map(|t| (*t, Some(state.encoder.condition(pool, *t)))).collect();
        self.run(Encoded(encoded), variables, config, check)
    }

    /// One check on the guarded thread; a context that failed or does not stop is given up.
    fn run(
        &mut self,
        encoded: Encoded,
        variables: &[VarId],
        config: &Config,
        check: impl FnOnce(&mut State, Encoded, &[VarId], &Config) -> Verdict + Send + 'static,
    ) -> Verdict {
        let Some(mut state) = self.state.take() else { return Verdict::Unknown(UnknownReason::Failed) };
        self.checks += 1;
        let interrupter = state.encoder.context.interrupter();
        let (variables, config) = (variables.to_vec(), config.clone());
        // Checks limit themselves by effort and time; this is for those that do not notice.
        let limit = Duration::from_millis(u64::from(config.timeout_ms.max(1)) * 3 / 2);
        let deadline = config.deadline.within(limit);
        let done = self.guard.run(
            &deadline,
            move || interrupter.interrupt(),
            move || {
                let verdict = check(&mut state, encoded, &variables, &config);
                (state, verdict)
            },
        );
        // What did not even stop is not worth a second try.
        let Some(((state, verdict), is_interrupted)) = done else {
            tracing::info!("a check went on after its time");
            return Verdict::Unknown(UnknownReason::TooLarge);
        };
        if state.encoder.context.take_failure() {
            return Verdict::Unknown(UnknownReason::Failed);
        }
        // An interrupt that came when nothing ran stays, and breaks off whatever the context is asked next.
        if !is_interrupted {
            self.state = Some(state);
        }
        verdict
    }

    /// Tells the integer translation what a condition means: that `variable` is in one of the ranges.
    pub(crate) fn confine(&mut self, pool: &Pool, condition: Term, variable: Term, ranges: &[(u128, u128)]) {
        let state = self.state_for(pool);
        state.integers.confine(&state.encoder.context, pool, condition, variable, ranges);
    }

    /// Whether a condition is linear as far as its outermost comparison goes.
    pub fn is_linear(&mut self, pool: &Pool, condition: Term) -> bool {
        let state = self.state_for(pool);
        state.integers.condition(&state.encoder.context, pool, condition).is_some()
    }

    /// Whether a condition holds something left open; known once it was part of a check.
    pub fn is_open(&self, condition: Term) -> bool {
        self.state.as_ref().is_some_and(|state| state.encoder.contents(condition).open)
    }

    /// Whether more effort is worth it: where it hardly ever succeeds, only every eighth query gets
    /// it (and floats, which have nothing else, an eighth of it).
    fn thorough_pays(&mut self) -> bool {
        let (made, successful) = self.thorough;
        if made < 8 || successful * 8 >= made {
            return true;
        }
        self.skipped = (self.skipped + 1) % 8;
        self.skipped == 0
    }

    fn state_for(&mut self, pool: &Pool) -> &mut State {
        let stale = self
            .state
            .as_ref()
            .is_some_and(|state| state.pool != pool.id() || state.encoder.context.made() > MAX_EXPRESSIONS);
        if stale {
            self.state = None;
        }
        self.state.get_or_insert_with(|| State {
            pool: pool.id(),
            encoder: Encoder::new(),
            quick: None,
            integers: IntEncoder::default(),
            linear: None,
        })
    }
}

impl State {
    fn contents(&mut self, pool: &Pool, conditions: &[Term]) -> crate::backends::encode::Contents {
        let mut all = crate::backends::encode::Contents::default();
        for &condition in conditions {
            self.encoder.condition(pool, condition);
            let contents = self.encoder.contents(condition);
            all.float |= contents.float;
            all.open |= contents.open;
        }
        all
    }

    fn quick(&mut self, encoded: Encoded, variables: &[VarId], config: &Config) -> Verdict {
        let effort = Effort { resources: config.quick_effort, milliseconds: 0, seed: config.seed };
        if self.quick.is_none() {
            self.quick = Session::new(&self.encoder.context, None, effort);
        }
        let Some(session) = &mut self.quick else { return Verdict::Unknown(UnknownReason::Failed) };
        let is_asserted = session.assert_all(&self.encoder.context, &encoded.0);
        let limit = Verdict::Unknown(UnknownReason::Limit);
        let verdict = if is_asserted { answer(session, &self.encoder, variables) } else { limit };
        if matches!(verdict, Verdict::Unknown(_)) {
            close(&mut self.quick, &self.encoder.context);
        }
        verdict
    }

    fn check_linear(
        &mut self,
        encoded: Encoded,
        exact: bool,
        variables: &[VarId],
        widths: &[u16],
        config: &Config,
    ) -> Verdict {
        let effort = Effort { resources: config.quick_effort, milliseconds: 0, seed: config.seed };
        let context = &self.encoder.context;
        if self.linear.is_none() {
            self.linear = Session::new(context, None, effort);
        }
        let Some(session) = &mut self.linear else { return Verdict::Unknown(UnknownReason::Failed) };
        let is_asserted = session.assert_all(context, &encoded.0);
        let check = if is_asserted { session.check(context) } else { Check::Unknown };
        let verdict = match check {
            Check::Unsat if exact => Verdict::Unsat,
            Check::Unknown | Check::Unsat => Verdict::Unknown(UnknownReason::Limit),
            Check::Sat => {
                let named = variables.iter().zip(widths);
                let known = named.filter_map(|(id, width)| Some(((*id, *width), self.integers.variable(*id)?)));
                let values = session.model(context, known).into_iter();
                Verdict::Sat(values.map(|((id, width), value)| (id, bits_of(value, width))).collect())
            }
        };
        if check == Check::Unknown {
            close(&mut self.linear, context);
        }
        verdict
    }

    fn thorough(&mut self, encoded: Encoded, variables: &[VarId], float: bool, share: u32, config: &Config) -> Verdict {
        let effort = Effort {
            resources: (config.thorough_effort / share).max(1),
            milliseconds: config.timeout_ms / share,
            seed: config.seed,
        };
        let logic = if float { c"QF_FPBV" } else { c"QF_BV" };
        let Some(session) = Session::new(&self.encoder.context, Some(logic), effort) else {
            return Verdict::Unknown(UnknownReason::Failed);
        };
        for (_, ast) in encoded.0 {
            session.assert(&self.encoder.context, ast);
        }
        let verdict = answer(&session, &self.encoder, variables);
        session.close(&self.encoder.context);
        verdict
    }
}

/// A session that was broken off is in no state to go on: Z3 follows pointers that it has not set yet.
fn close(session: &mut Option<Session>, context: &context::Context) {
    if let Some(session) = session.take() {
        session.close(context);
    }
}

fn answer(session: &Session, encoder: &Encoder, variables: &[VarId]) -> Verdict {
    match session.check(&encoder.context) {
        Check::Unsat => Verdict::Unsat,
        Check::Unknown => Verdict::Unknown(UnknownReason::Limit),
        Check::Sat => {
            let known = variables.iter().filter_map(|id| Some((*id, encoder.variable(*id)?)));
            let values = session.model(&encoder.context, known).into_iter();
            Verdict::Sat(values.map(|(id, value)| (id, value as u128)).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products that are hard to invert, one condition more each.
    fn products(pool: &mut Pool, count: u32) -> Vec<Term> {
        let v: Vec<Term> = (0..count + 2).map(|i| pool.var_with(VarId(i), 32, 0)).collect();
        let product = |pool: &mut Pool, i: usize| {
            let (square, other) = (pool.mul(v[i], v[i + 1]), pool.bits(32, 0x1234_5677 + 4 * i as u128));
            let cube = pool.mul(square, v[i + 2]);
            pool.eq(cube, other)
        };
        (0..count as usize).map(|i| product(pool, i)).collect()
    }

    #[test]
    fn a_check_that_was_broken_off_leaves_nothing_behind() {
        let mut pool = Pool::new();
        let hard = products(&mut pool, 24);
        let x = pool.var_with(VarId(100), 32, 0);
        let goals: Vec<Term> = (1..60u128)
            .map(|i| {
                let constant = pool.bits(32, i * 17);
                pool.ult(x, constant)
            })
            .collect();
        let mut z3 = Z3::default();
        for round in 0..200usize {
            let mut conditions = hard[..round % 24 + 1].to_vec();
            conditions.push(goals[round % goals.len()]);
            let soon = Duration::from_micros(round as u64 * 137 % 20_000);
            let deadline = covet_budget::Deadline::default().within(soon);
            let hurried = Config { deadline, thorough_effort: 0, ..Config::default() };
            z3.check(&pool, &conditions, 1000, &[], &hurried);
            let easy = [goals[round % goals.len()]];
            let calm = Config::default();
            let answer = z3.check(&pool, &easy, 10, &[VarId(100)], &calm);
            assert!(matches!(answer, Verdict::Sat(_)), "round {round}: {answer:?}");
        }
    }
}
