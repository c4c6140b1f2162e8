//! The shared memory between engine and worker: one memory file, one control block, a handful of regions.
//!
//! ```text
//! offset 0   Control           (one page)
//!            requests          [RunRequest; MAX_BATCH]        engine writes
//!            results           [RunResult; MAX_BATCH]         worker writes
//!            steps             [StepRecord]                   engine writes, per batch
//!            values            [Assignment]                   engine writes, per batch
//!            stubs             [u64]                          engine writes, per batch: bitmaps (`stubs`)
//!            variables         [Variable], names [u8]         both append, never shrink
//!            nodes             [Node], hash [u32]             worker appends; emptied when the epoch changes
//!            tables            [Table], entries [u32]         as nodes
//!            events            [Event]                        worker, per batch
//!            lists             [u64]                          worker, per batch: covered counters, used variables, frames
//!            control_flow      [u32], calls [CallRecord]      worker, per batch, where a request asks for them (`logs`)
//! ```
//!
//! Hand-off: the engine fills requests, sets `batch`, `done = 0`, stores `request` = n + 1 and wakes the futex on it. The worker
//! runs the batch, bumping `done` after each run, then stores `reply = request` and wakes the futex on `reply`. While
//! `reply == request` the engine owns everything; otherwise the worker does (the engine may read `done`).
//!
//! All state that outlives a run is in these pages, so a forked child that runs one input leaves it to its parent.

use core::marker::PhantomData;
use core::mem::size_of;

use crate::event::{CONCRETIZATIONS, Event};
use crate::input::{Assignment, Variable};
use crate::logs::{CallRecord, Logs};
use crate::node::{Node, Table};
use crate::plan::StepRecord;

pub const MAGIC: u64 = 0x0032_5445_564f_4354;
/// Runs in one hand-off at most.
pub const MAX_BATCH: usize = 64;
/// Objects up to this many bytes are read and written precisely at a symbolic address.
pub const PRECISE_OBJECT: u64 = 4096;

/// Presence map: the byte at `PRESENCE_BASE + (address >> 3)` is non-zero when one of the 8 bytes at `address & !7` may
/// be symbolic or poisoned, bit by bit. Mapped NORESERVE over the whole 47-bit user address space.
pub const PRESENCE_BASE: u64 = 0x1000_0000_0000;
pub const PRESENCE_SIZE: u64 = 1 << 44;

/// Poison map, of the same shape: a set bit says that its byte belongs to nobody (a red zone, freed memory). Whatever is set here
/// is set in the presence map too, so that the one look there finds both.
pub const POISON_BASE: u64 = 0x3000_0000_0000;
/// Bytes behind each object that belong to nobody.
pub const RED_ZONE: u64 = 16;

const PAGE: u64 = 4096;

/// A region of the shared file: byte offset and capacity in elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Region<T> {
    pub at: u64,
    pub capacity: u64,
    of: PhantomData<T>,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    pub requests: Region<RunRequest>,
    pub results: Region<RunResult>,
    pub steps: Region<StepRecord>,
    pub values: Region<Assignment>,
    pub stubs: Region<u64>,
    pub variables: Region<Variable>,
    pub names: Region<u8>,
    pub nodes: Region<Node>,
    /// Open-addressing table of node ids, capacity a power of two, 0 = empty.
    pub hash: Region<u32>,
    pub tables: Region<Table>,
    pub entries: Region<u32>,
    pub events: Region<Event>,
    pub lists: Region<u64>,
    pub control_flow: Region<u32>,
    pub calls: Region<CallRecord>,
    /// Calls into functions without a model, by number in the program's external table.
    pub externals: Region<u64>,
}

/// Room in the shared file, in elements. Only what is used takes memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArenaSizes {
    pub nodes: u64,
    pub tables: u64,
    pub entries: u64,
    pub variables: u64,
    pub names: u64,
    pub events: u64,
    pub lists: u64,
    pub control_flow: u64,
    pub calls: u64,
    pub steps: u64,
    pub values: u64,
    pub stubs: u64,
    pub externals: u64,
}

impl Default for ArenaSizes {
    fn default() -> ArenaSizes {
        ArenaSizes {
            nodes: 1 << 23,
            tables: 1 << 16,
            entries: 1 << 22,
            // A million inputs in a run, and what earlier runs had.
            variables: 1 << 22,
            names: 1 << 27,
            events: 1 << 22,
            lists: 1 << 23,
            control_flow: 1 << 22,
            calls: 1 << 20,
            steps: 1 << 18,
            values: 1 << 22,
            stubs: 1 << 16,
            externals: 1 << 14,
        }
    }
}

impl Regions {
    /// Regions of these sizes, one behind the other after the control block, and the size of the whole file.
    pub fn lay_out(sizes: &ArenaSizes) -> (Regions, u64) {
        let mut end = PAGE;
        let regions = Regions {
            requests: next(&mut end, MAX_BATCH as u64),
            results: next(&mut end, MAX_BATCH as u64),
            steps: next(&mut end, sizes.steps),
            values: next(&mut end, sizes.values),
            stubs: next(&mut end, sizes.stubs),
            variables: next(&mut end, sizes.variables),
            names: next(&mut end, sizes.names),
            nodes: next(&mut end, sizes.nodes),
            hash: next(&mut end, (sizes.nodes * 2).next_power_of_two()),
            tables: next(&mut end, sizes.tables),
            entries: next(&mut end, sizes.entries),
            events: next(&mut end, sizes.events),
            lists: next(&mut end, sizes.lists),
            control_flow: next(&mut end, sizes.control_flow),
            calls: next(&mut end, sizes.calls),
            externals: next(&mut end, sizes.externals),
        };
        (regions, end)
    }
}

/// A region at `end`, which moves to the next page behind it.
fn next<T>(end: &mut u64, capacity: u64) -> Region<T> {
    let at = *end;
    *end = (at + capacity * size_of::<T>() as u64).next_multiple_of(PAGE);
    Region { at, capacity, of: PhantomData }
}

/// What keeps one run from the next.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// Each is in the worker itself, which is put back to its first state.
    Reset = 0,
    /// Each is in a child of the worker.
    Fork = 1,
}

/// The value of variables that an input does not name.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// Their defaults.
    Zeros = 0,
    /// Random, from the seed and the variable's name.
    Random = 1,
}

#[repr(C)]
#[derive(Debug)]
pub struct Control {
    pub magic: u64,
    /// Size of the whole file in bytes.
    pub size: u64,
    /// Futex words.
    pub request: u32,
    pub reply: u32,
    /// Number of requests in this batch, and how many the worker has finished.
    pub batch: u32,
    pub done: u32,
    /// An [`Isolation`].
    pub isolation: u32,
    /// A [`First`].
    pub first: u32,
    pub seed: u64,
    /// Milliseconds of wall time a run may take; the engine also watches from outside.
    pub time_limit_ms: u64,
    /// Bytes of heap a run may hold.
    pub memory_limit: u64,
    /// Bytes of stack a run may use.
    pub stack_limit: u64,
    /// Not 0: keep what the run prints in [`crate::process::OUTPUT`] of the worker's folder; 0: discard.
    pub keep_output: u32,
    /// The [`crate::check::Checks`] whose violation is sought and ends a run.
    pub checks: u32,
    /// Microseconds for which the worker looks for the next request before it sleeps.
    pub patience: u32,
    /// Not 0 while the other side sleeps on its futex word and has to be woken: the worker, the engine.
    pub worker_sleeps: u32,
    pub engine_sleeps: u32,
    /// Set by the worker once it has started and is sandboxed.
    pub ready: u32,
    /// Bumped by the worker each time it looks at the clock because the engine has asked it to.
    pub heartbeat: u32,
    /// Bumped whenever nodes, hash, tables and entries are emptied (by the engine, while it owns the pages).
    pub epoch: u64,
    pub node_count: u64,
    pub table_count: u64,
    pub entry_count: u64,
    pub variable_count: u64,
    pub name_bytes: u64,
    pub event_count: u64,
    pub list_count: u64,
    pub control_flow_count: u64,
    pub call_count: u64,
    pub regions: Regions,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunRequest {
    /// Function number (of the program's function table) to call through its driver.
    pub entry: u32,
    /// What is logged besides the events.
    pub logs: Logs,
    pub steps_at: u32,
    pub steps_len: u32,
    pub values_at: u32,
    pub values_len: u32,
    /// The bitmap of functions that are replaced by their stubs, see [`crate::stubs`]: its words.
    pub stubs_at: u32,
    pub stubs_len: u32,
    pub bounds: InputBounds,
}

/// How long a run may go on asking for inputs. All are numbers of inputs asked for; 0 is without bound.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InputBounds {
    /// So many are had in any case, unless they are too many: the run is to get to a place that it had asked for as many before.
    pub sure: u32,
    /// After so many in a row without a counter bumped for the first time, the run is not tracked any more.
    pub patience: u32,
    /// After so many in a row it ends, at the input it would have asked for next.
    pub horizon: u32,
    /// After so many in all it ends.
    pub most: u32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunResult {
    /// A [`crate::termination::Termination`] as its number; 0 while the run has not ended.
    pub termination: u32,
    /// What the termination says belongs here; of a lost worker, see [`crate::termination::Lost`].
    pub code: i32,
    pub events_at: u32,
    pub events_len: u32,
    /// The counters that are not zero: a [`Covered`] each.
    pub covered_at: u32,
    pub covered_len: u32,
    /// The condition vectors that were evaluated, if they are counted: a [`Covered`] each.
    pub vectors_at: u32,
    pub vectors_len: u32,
    /// The input as used, in order of first use: a [`crate::input::Used`] each.
    pub variables_at: u32,
    pub variables_len: u32,
    /// Code addresses, innermost first, when the run ended in a crash: the call stack.
    pub frames_at: u32,
    pub frames_len: u32,
    pub control_flow_at: u32,
    pub control_flow_len: u32,
    pub calls_at: u32,
    pub calls_len: u32,
    pub flags: ResultFlags,
    /// Inputs that the program asked for while it ran, up to the cut of a run that was cut.
    pub asked: u32,
    /// The address that faulted; of a division that trapped, the divisor.
    pub fault: u64,
    pub nanoseconds: u64,
    /// Low 64 bits of what an int-like entry returned.
    pub returned: u64,
    /// Checksum over the control-flow counters: two runs of one input must agree.
    pub fingerprint: u64,
    /// How often what was made concrete, by the number of its [`crate::event::Concretization`].
    pub concretised: [u32; CONCRETIZATIONS],
}

/// What of a run's trace was cut short, one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ResultFlags(pub u32);

impl ResultFlags {
    /// The arena filled up and tracking stopped.
    pub const ARENA_FULL: ResultFlags = ResultFlags(1);
    /// The event log filled up, as well.
    pub const EVENTS_FULL: ResultFlags = ResultFlags(1 << 1);
    /// The control-flow log filled up and was left at that.
    pub const CONTROL_FLOW_FULL: ResultFlags = ResultFlags(1 << 2);
    /// The call log filled up, as well.
    pub const CALLS_FULL: ResultFlags = ResultFlags(1 << 3);
    /// The run was out of patience ([`InputBounds::patience`]), and yet something new or the end came later: not tracked.
    pub const STALLED: ResultFlags = ResultFlags(1 << 4);
    /// The run was ended because nothing new came ([`InputBounds::horizon`]): as if it had left with code 0 instead of asking on.
    pub const CUT: ResultFlags = ResultFlags(1 << 5);
    /// The same, because it had asked for the most inputs a run may have.
    pub const CAPPED: ResultFlags = ResultFlags(1 << 6);

    pub const fn with(self, flags: ResultFlags) -> ResultFlags {
        ResultFlags(self.0 | flags.0)
    }

    /// Whether one of `flags` is set.
    pub const fn has(self, flags: ResultFlags) -> bool {
        self.0 & flags.0 != 0
    }

    /// Whether the events are not all of the path.
    pub const fn is_truncated(self) -> bool {
        self.has(ResultFlags::ARENA_FULL.with(ResultFlags::EVENTS_FULL).with(ResultFlags::STALLED))
    }

    /// Whether the run was ended where the program asked for one more input.
    pub const fn is_cut(self) -> bool {
        self.has(ResultFlags::CUT.with(ResultFlags::CAPPED))
    }
}

/// A counter that is not zero, as one word of the lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Covered {
    pub counter: u32,
    pub count: u32,
}

impl Covered {
    /// Counts beyond what fits are cut.
    pub const fn new(counter: u32, count: u64) -> Covered {
        Covered { counter, count: if count > u32::MAX as u64 { u32::MAX } else { count as u32 } }
    }

    pub const fn pack(self) -> u64 {
        self.counter as u64 | (self.count as u64) << 32
    }

    pub const fn unpack(word: u64) -> Covered {
        Covered { counter: word as u32, count: (word >> 32) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_do_not_overlap() {
        let (regions, size) = Regions::lay_out(&ArenaSizes::default());
        assert!(size_of::<Control>() as u64 <= regions.requests.at);
        assert_eq!(
            regions.results.at,
            PAGE + (MAX_BATCH as u64 * size_of::<RunRequest>() as u64).next_multiple_of(PAGE)
        );
        assert!(regions.nodes.at + regions.nodes.capacity * size_of::<Node>() as u64 <= regions.hash.at);
        assert!(regions.externals.at + regions.externals.capacity * 8 <= size);
        assert!(regions.hash.capacity.is_power_of_two());
    }

    #[test]
    fn counters_survive_their_words() {
        for (counter, count) in [(0, 1), (u32::MAX, u32::MAX), (7, 1 << 31)] {
            let covered = Covered::new(counter, u64::from(count));
            assert_eq!(covered, Covered { counter, count });
            assert_eq!(Covered::unpack(covered.pack()), covered);
        }
        assert_eq!(Covered::new(1, 1 << 40).count, u32::MAX);
    }

    #[test]
    fn flags_are_apart() {
        let of_events = [ResultFlags::ARENA_FULL, ResultFlags::EVENTS_FULL, ResultFlags::STALLED];
        let of_logs = [ResultFlags::CONTROL_FLOW_FULL, ResultFlags::CALLS_FULL];
        let of_inputs = [ResultFlags::CUT, ResultFlags::CAPPED];
        let all = || of_events.into_iter().chain(of_logs).chain(of_inputs);
        for set in all() {
            assert!(all().all(|asked| ResultFlags::default().with(set).has(asked) == (set == asked)));
            assert_eq!(set.is_truncated(), of_events.contains(&set));
            assert_eq!(set.is_cut(), of_inputs.contains(&set));
        }
    }
}
