//! The path condition: what the inputs of a run had to satisfy, in order.
//!
//! Every condition is a term of width 1 that is true under the run's own input. Conditions that simplified to `true` are
//! dropped (the run could not have gone another way); one that simplified to `false` is a bug of ours and is counted.

use crate::arena::{Arena, ImportError};
use crate::importer::Importer;
use covet_abi::event::{Event, Kind, is_growth_site};
use covet_expr::{Pool, Term};
use covet_input::Variables;
use covet_sites::SiteNumber;
use rustc_hash::FxHashMap;
use std::fmt;

/// Gives the case constants of a switch, by site.
pub trait SwitchCases {
    /// In source order, without duplicates, truncated to the scrutinee's width; empty when the site is no switch.
    fn cases(&self, site: SiteNumber) -> &[u64];
}

/// For programs without switches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCases;

impl SwitchCases for NoCases {
    fn cases(&self, _site: SiteNumber) -> &[u64] {
        &[]
    }
}

impl SwitchCases for std::collections::BTreeMap<SiteNumber, Vec<u64>> {
    fn cases(&self, site: SiteNumber) -> &[u64] {
        self.get(&site).map_or(&[], Vec::as_slice)
    }
}

impl SwitchCases for [Vec<u64>] {
    fn cases(&self, site: SiteNumber) -> &[u64] {
        self.get(site.index()).map_or(&[], Vec::as_slice)
    }
}

/// One condition of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Width 1, true on this run.
    pub term: Term,
    /// What the event spoke of: the scrutinee of a switch, the address of a target, otherwise a term of width 1.
    pub subject: Term,
    pub kind: Kind,
    pub taken: bool,
    /// A reason or check kind, as in the event.
    pub detail: u16,
    /// What the event names: a site of the program, or one of the made-up ones of `abi`.
    pub site: SiteNumber,
    /// The concrete scrutinee of a switch or target.
    pub value: u64,
    /// Number of its event in the trace.
    pub event: u32,
    /// Inputs that the program had asked for by then.
    pub asked: u32,
}

/// Conditions that room is made for at first: many events may say nothing new.
const MOST_ROOM: usize = 1024;

/// The conditions of one run.
#[derive(Clone, Debug)]
pub struct PathCondition {
    pub conditions: Vec<Condition>,
    /// Conditions that held by themselves.
    pub trivial: usize,
    /// Conditions that simplified to `false` although the run took them: event numbers.
    pub contradictions: Vec<u32>,
    prefix: Vec<Term>,
    /// What held because a symbolic value was used concretely.
    concretizations: Vec<Term>,
    /// Numbers of the conditions that the program assumed.
    assumptions: Vec<u32>,
    /// For each condition, how many terms of the prefix and concretization constraints precede it.
    before: Vec<[u32; 2]>,
}

/// A trace that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceError {
    UnknownKind {
        event: u32,
        kind: u8,
    },
    /// The event's expression cannot be imported.
    Expression {
        event: u32,
        error: ImportError,
    },
    /// The event's expression has the wrong width.
    NotACondition {
        event: u32,
        width: u16,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::UnknownKind { event, kind } => write!(
                f,
                "event {event} has unknown kind {kind}; the tested program may have overwritten the trace: run it in fork mode"
            ),
            TraceError::Expression { event, error } => write!(f, "event {event}: {error}"),
            TraceError::NotACondition { event, width } => write!(
                f,
                "event {event} has an expression of width {width}, not a condition; please report this with the source"
            ),
        }
    }
}

impl std::error::Error for TraceError {}

impl PathCondition {
    /// The path condition of a run.
    pub fn of(
        pool: &mut Pool,
        variables: &Variables,
        importer: &mut Importer,
        arena: &Arena<'_>,
        events: &[Event],
        cases: &(impl SwitchCases + ?Sized),
    ) -> Result<PathCondition, TraceError> {
        importer.refresh(arena);
        importer.begin_path();
        let room = events.len().min(MOST_ROOM);
        let mut path = PathCondition::with_room(room);
        let mut defaults = FxHashMap::default();
        for (i, event) in events.iter().enumerate() {
            let number = i as u32;
            let kind = Kind::from_u8(event.kind).ok_or(TraceError::UnknownKind { event: number, kind: event.kind })?;
            let subject = importer
                .term(pool, variables, arena, event.expr)
                .map_err(|error| TraceError::Expression { event: number, error })?;
            let term = match kind {
                Kind::Branch | Kind::Assume | Kind::Bounds | Kind::Check | Kind::Concretise => {
                    let width = pool.width(subject);
                    if width != 1 {
                        return Err(TraceError::NotACondition { event: number, width });
                    }
                    if event.taken != 0 { subject } else { importer.opposite(pool, event.expr, subject) }
                }
                Kind::Target | Kind::Follow => equals(pool, subject, event.value),
                Kind::Switch => case(pool, event, subject, cases.cases(SiteNumber(event.site)), &mut defaults),
            };
            let condition = Condition {
                term,
                subject,
                kind,
                taken: event.taken != 0,
                detail: event.detail,
                site: SiteNumber(event.site),
                value: event.value,
                event: number,
                asked: event.asked,
            };
            match pool.constant(term) {
                // A check that the program has made itself asks nothing.
                None if !importer.is_first(term) && kind == Kind::Check => path.trivial += 1,
                None => path.push(condition),
                Some(0) => path.contradictions.push(number),
                Some(_) => path.trivial += 1,
            }
        }
        Ok(path)
    }

    /// A path of given conditions.
    pub fn from_conditions(conditions: Vec<Condition>) -> PathCondition {
        let mut path = PathCondition::with_room(conditions.len());
        conditions.into_iter().for_each(|condition| path.push(condition));
        path
    }

    fn with_room(conditions: usize) -> PathCondition {
        PathCondition {
            conditions: Vec::with_capacity(conditions),
            trivial: 0,
            contradictions: Vec::new(),
            prefix: Vec::with_capacity(conditions),
            concretizations: Vec::new(),
            assumptions: Vec::new(),
            before: Vec::with_capacity(conditions),
        }
    }

    fn push(&mut self, condition: Condition) {
        self.before.push([self.prefix.len() as u32, self.concretizations.len() as u32]);
        if condition.kind == Kind::Assume {
            self.assumptions.push(self.conditions.len() as u32);
        }
        match condition.kind {
            Kind::Concretise | Kind::Follow => self.concretizations.push(condition.term),
            Kind::Branch | Kind::Switch | Kind::Target | Kind::Assume | Kind::Bounds | Kind::Check => {
                self.prefix.push(condition.term)
            }
        }
        self.conditions.push(condition);
    }

    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The terms that must hold to get to condition `i` again.
    pub fn prefix(&self, i: usize) -> &[Term] {
        &self.prefix[..self.before[i][0] as usize]
    }

    /// What was assumed after condition `i`, and held.
    pub fn assumed_after(&self, i: usize) -> impl Iterator<Item = Term> + '_ {
        let later = self.assumptions.partition_point(|at| *at as usize <= i);
        self.assumptions[later..].iter().map(|at| &self.conditions[*at as usize]).filter(|c| c.taken).map(|c| c.term)
    }

    /// What was assumed before condition `i`, and held.
    pub fn assumed_before(&self, i: usize) -> impl Iterator<Item = Term> + '_ {
        let earlier = self.assumptions.partition_point(|at| (*at as usize) < i);
        self.assumptions[..earlier].iter().map(|at| &self.conditions[*at as usize]).filter(|c| c.taken).map(|c| c.term)
    }

    /// The assumption at which the run was abandoned, by its number.
    pub fn broken_assumption(&self) -> Option<usize> {
        let last = *self.assumptions.last()? as usize;
        let condition = &self.conditions[last];
        let is_programs = !is_growth_site(condition.site.0);
        (!condition.taken && is_programs && last + 1 == self.conditions.len()).then_some(last)
    }

    /// The concretization constraints before condition `i`.
    pub fn concretizations(&self, i: usize) -> &[Term] {
        &self.concretizations[..self.before[i][1] as usize]
    }
}

/// What a switch over `subject` said about it: that it is the value of a case, or none of all.
fn case(
    pool: &mut Pool,
    event: &Event,
    subject: Term,
    cases: &[u64],
    defaults: &mut FxHashMap<(Term, u32), Term>,
) -> Term {
    if cases.is_empty() || cases.contains(&event.value) {
        return equals(pool, subject, event.value);
    }
    *defaults.entry((subject, event.site)).or_insert_with(|| none_of(pool, subject, cases))
}

/// `subject == value`.
pub fn equals(pool: &mut Pool, subject: Term, value: u64) -> Term {
    let constant = pool.bits(pool.width(subject), u128::from(value));
    pool.eq(subject, constant)
}

/// `subject != value`.
pub fn differs(pool: &mut Pool, subject: Term, value: u64) -> Term {
    let same = equals(pool, subject, value);
    pool.not(same)
}

/// `subject` is none of these values.
pub fn none_of(pool: &mut Pool, subject: Term, values: &[u64]) -> Term {
    let mut term = Pool::TRUE;
    for &value in values {
        let other = differs(pool, subject, value);
        term = pool.and(term, other);
    }
    term
}
