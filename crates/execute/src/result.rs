//! What the worker left in the pages → a [`Run`] that owns its data.
//!
//! Invariant: node ids in `events` and `calls` are valid in the worker's arena until its epoch changes; nothing else refers to the pages.

use covet_abi::event::{CONCRETIZATIONS, Event};
use covet_abi::input::Used;
use covet_abi::shared::{Covered, ResultFlags, RunResult};
use covet_abi::termination::Termination;
use covet_input::{Input, Touched, VarId};
use covet_sites::{Counter, VectorNumber};

use crate::calls::{self, Call};
use crate::shared::Shared;
use crate::translate::Translation;

/// One run of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub termination: Termination,
    /// Exit code or signal number.
    pub code: i32,
    pub events: Vec<Event>,
    /// Counters that are not zero, with their counts.
    pub covered: Vec<(Counter, u32)>,
    /// Condition vectors that were evaluated, with how often, in a program that counts them.
    pub vectors: Vec<(VectorNumber, u32)>,
    /// The input as used: every variable the run read, also those the request did not name.
    pub input: Input,
    /// The same variables in the order of first use.
    pub order: Vec<VarId>,
    /// What it read or wrote of its input objects.
    pub touched: Touched,
    /// Call stack of a run that ended early, innermost first: addresses as in the executable file, those outside it as in memory.
    pub frames: Vec<u64>,
    /// The address that faulted; of a division that trapped, the divisor.
    pub fault: u64,
    /// What was cut short.
    pub flags: ResultFlags,
    /// Inputs that the program asked for while it ran.
    pub asked: u32,
    pub nanoseconds: u64,
    pub returned: u64,
    pub fingerprint: u64,
    /// How often what was made concrete, by the number of its reason.
    pub concretised: [u32; CONCRETIZATIONS],
    /// Every counter of the user's functions as it was bumped, when [`covet_abi::logs::Logs::CONTROL_FLOW`] was asked for.
    pub control_flow: Vec<Counter>,
    /// Every call of a user's function, when [`covet_abi::logs::Logs::CALLS`] was asked for.
    pub calls: Vec<Call>,
}

/// Nanoseconds of a run that may well be over its time the next time.
const LONG: u64 = 5_000_000;

impl Run {
    pub(crate) fn read(shared: &Shared, translation: &Translation, result: &RunResult) -> Run {
        let used = shared.list(result.variables_at, u64::from(result.variables_len) * Used::WORDS as u64);
        let mut input = Input::default();
        let (mut order, mut touched) = (Vec::new(), Touched::default());
        for Used { variable, bits } in used.as_chunks().0.iter().map(|words| Used::unpack(*words)) {
            if variable == Used::TOUCHED {
                touched.add(bits as u64);
            } else if let Some(id) = translation.engine_id(variable) {
                input.set(id, bits);
                order.push(id);
            }
        }
        let counted = |at, length| shared.list(at, u64::from(length)).iter().map(|word| Covered::unpack(*word));
        let covered = counted(result.covered_at, result.covered_len);
        let vectors = counted(result.vectors_at, result.vectors_len);
        let control_flow = shared.control_flow(result.control_flow_at, result.control_flow_len);
        Run {
            termination: Termination::from_u32(result.termination).unwrap_or(Termination::WorkerLost),
            code: result.code,
            events: shared.events(result.events_at, result.events_len).to_vec(),
            covered: covered.map(|Covered { counter, count }| (Counter(counter), count)).collect(),
            vectors: vectors.map(|Covered { counter, count }| (VectorNumber(counter), count)).collect(),
            input,
            order,
            touched,
            frames: shared.list(result.frames_at, u64::from(result.frames_len)).to_vec(),
            fault: result.fault,
            flags: result.flags,
            asked: result.asked,
            nanoseconds: result.nanoseconds,
            returned: result.returned,
            fingerprint: result.fingerprint,
            concretised: result.concretised,
            control_flow: control_flow.iter().map(|counter| Counter(*counter)).collect(),
            calls: calls::read(shared.calls(result.calls_at, result.calls_len)),
        }
    }

    /// The nodes are gone: what is left is a run whose trace was cut short before it began.
    pub(crate) fn forget_events(&mut self) {
        self.events.clear();
        self.calls.clear();
        self.flags = self.flags.with(ResultFlags::ARENA_FULL);
    }

    /// What differs between two runs of one input, if anything does that should not.
    pub(crate) fn difference(&self, other: &Run) -> Option<&'static str> {
        if self.termination == Termination::TimedOut || other.termination == Termination::TimedOut {
            // How far a run gets within its time is chance, and so is whether a long one ends in time.
            let ended = if self.termination == Termination::TimedOut { other } else { self };
            let is_short = ended.termination != Termination::TimedOut && ended.nanoseconds < LONG;
            return is_short.then_some("one run timed out");
        }
        if self.flags.is_cut() && other.flags.is_cut() && self.asked != other.asked {
            // So is how many inputs it asks for before its time ends.
            return None;
        }
        if (self.termination, self.code) != (other.termination, other.code) {
            return Some("it ended differently");
        }
        if self.fingerprint != other.fingerprint {
            return Some("it took another path");
        }
        if self.events != other.events {
            return Some("it met other conditions");
        }
        None
    }
}
