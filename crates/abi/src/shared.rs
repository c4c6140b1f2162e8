//! The shared memory between engine and worker: one memory file, one control block, a handful of regions.
//!
//! ```text
//! offset 0   Control           (one page)
//!            requests          [RunRequest; MAX_BATCH]        engine writes
//!            results           [RunResult; MAX_BATCH]         worker writes
//!            steps             [Step]                         engine writes, per batch
//!            values            [Assignment]                   engine writes, per batch
//!            variables         [Variable], names [u8]         both append, never shrink
//!            nodes             [Node], hash [u32]             worker appends; emptied when the epoch changes
//!            tables            [Table], entries [u32]         as nodes
//!            events            [Event]                        worker, per batch
//!            lists             [u64]                          worker, per batch: covered counters, used variables, frames
//! ```
//!
//! Hand-off: the engine fills requests, sets `batch`, `done = 0`, stores `request` = n + 1 and wakes the futex on it. The worker
//! runs the batch, bumping `done` after each run, then stores `reply = request` and wakes the futex on `reply`. While
//! `reply == request` the engine owns everything; otherwise the worker does (the engine may read `done`).
//!
//! All state that outlives a run is in these pages, so a forked child that runs one input leaves it to its parent.

/// A region of the shared file: byte offset and capacity in elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Region {
    pub at: u64,
    pub capacity: u64,
}

pub const MAGIC: u64 = 0x0031_5445_564f_4354;
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

/// Environment variable with the descriptor number of the shared file; absent: the program runs alone, like the plain one.
pub const FD_VARIABLE: &str = "COVET_SHARED_FD";

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
    /// 0: run in this process and reset; 1: fork a child for each run.
    pub mode: u32,
    /// Values of variables the input does not name: 0 their default, 1 random from `seed` and the name.
    pub first: u32,
    pub seed: u64,
    /// Milliseconds of wall time a run may take; the engine also watches from outside.
    pub time_limit_ms: u64,
    /// Bytes of heap a run may hold.
    pub memory_limit: u64,
    /// Bytes of stack a run may use.
    pub stack_limit: u64,
    /// 1: keep what the run prints in `output` of the scratch folder; 0: discard.
    pub keep_output: u32,
    /// 1: record the order of every symbolic branch only (default); bit 1: full control-flow log; bit 2: call log.
    pub logs: u32,
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
    pub requests: Region,
    pub results: Region,
    pub steps: Region,
    pub values: Region,
    pub variables: Region,
    pub names: Region,
    pub nodes: Region,
    /// Open-addressing table of node ids, capacity a power of two, 0 = empty.
    pub hash: Region,
    pub tables: Region,
    pub entries: Region,
    pub events: Region,
    pub lists: Region,
    /// Calls into functions without a model, by number in the program's external table.
    pub externals: Region,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunRequest {
    /// Function number (of the program's function table) to call through its driver.
    pub entry: u32,
    pub flags: u32,
    pub steps_at: u32,
    pub steps_len: u32,
    pub values_at: u32,
    pub values_len: u32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunResult {
    /// A [`crate::termination::Termination`] as its number; 0 while the run has not ended.
    pub outcome: u32,
    /// Exit code or signal number.
    pub code: i32,
    pub events_at: u32,
    pub events_len: u32,
    /// Numbers of the counters that are not zero: one `u64` each, `counter | min(count, u32::MAX) << 32`.
    pub covered_at: u32,
    pub covered_len: u32,
    /// The input as used, in order of first use: three `u64` each, `variable`, `low`, `high`.
    pub variables_at: u32,
    pub variables_len: u32,
    /// Code addresses, innermost first, when the run ended in a crash: the call stack.
    pub frames_at: u32,
    pub frames_len: u32,
    /// Bit 0: the arena filled up and tracking stopped. Bit 1: the event log filled up.
    pub flags: u32,
    pub pad: u32,
    /// The address that faulted; of a division that trapped, the divisor.
    pub fault: u64,
    pub nanoseconds: u64,
    /// Low 64 bits of what an int-like entry returned.
    pub returned: u64,
    /// Checksum over the control-flow counters: two runs of one input must agree.
    pub fingerprint: u64,
    pub concretised: [u32; crate::event::CONCRETIZATIONS],
}

pub const FLAG_ARENA_FULL: u32 = 1;
pub const FLAG_EVENTS_FULL: u32 = 2;
