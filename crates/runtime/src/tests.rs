//! Tests of tracking on a private arena, in this process. One at a time: the state is global.

mod accesses;
mod eval;
mod inputs;
mod limits;
mod logs;
mod operators;
mod programs;
mod sizes;
mod speed;

use std::sync::{Mutex, MutexGuard};

use covet_abi::event::Event;
use covet_abi::input::{Assignment, ValueKind};
use covet_abi::logs::Logs;
use covet_abi::node::NodeId;
use covet_abi::shared::{ArenaSizes, Control, InputBounds, RunRequest, RunResult};
use covet_abi::termination::Termination;

use crate::term::arena;
use crate::trace::{events, run, values, variables};
use crate::worker::standalone::{self, ROOM};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Stands for the worker's way out of a run.
pub fn end_run(termination: Termination, _code: i32) -> ! {
    panic!("{termination:?}")
}

/// A run in progress on an arena of its own.
pub struct Run {
    control: *mut Control,
    result: Box<RunResult>,
    _alone: MutexGuard<'static, ()>,
}

impl Run {
    pub fn new() -> Run {
        Run::with_room(&ROOM)
    }

    pub fn with_room(room: &ArenaSizes) -> Run {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        run::reset_run();
        let control = standalone::control(room);
        assert!(!control.is_null());
        // SAFETY: a control block of our own.
        assert!(unsafe { run::start(control, std::ptr::null()) });
        let mut run = Run { control, result: Box::default(), _alone: alone };
        run.again(&[]);
        run
    }

    /// Ends the run and begins another with this input.
    pub fn again(&mut self, input: &[(u32, u128)]) {
        self.again_with(input, Logs::NONE);
    }

    /// As [`Run::again`], within these bounds.
    pub fn again_within(&mut self, bounds: InputBounds) {
        self.begin(&[], RunRequest { bounds, ..RunRequest::default() });
    }

    /// As [`Run::again`], with these logs.
    pub fn again_with(&mut self, input: &[(u32, u128)], logs: Logs) {
        self.begin(input, RunRequest { logs, ..RunRequest::default() });
    }

    fn begin(&mut self, input: &[(u32, u128)], request: RunRequest) {
        run::reset_run();
        let control = self.control();
        let values = arena::region(&control.regions.values);
        for (i, &(variable, bits)) in input.iter().enumerate() {
            // SAFETY: inside the region of our own pages.
            unsafe { *values.add(i) = Assignment::new(variable, bits) };
        }
        let request = RunRequest { values_len: input.len() as u32, ..request };
        // SAFETY: the result is boxed and lives as long as the run.
        unsafe { run::begin_run(&request, &mut *self.result) };
    }

    pub fn control(&mut self) -> &mut Control {
        // SAFETY: mapped for good; one thread.
        unsafe { &mut *self.control }
    }

    /// Ends tracking and gives the events and the result.
    pub fn finish(&mut self) -> (Vec<Event>, RunResult) {
        // SAFETY: begun in `again`.
        unsafe { run::finish_run(&mut *self.result) };
        let events = arena::region(&self.control().regions.events);
        let (at, len) = (self.result.events_at as usize, self.result.events_len as usize);
        // SAFETY: written by the run.
        let events = unsafe { std::slice::from_raw_parts(events.add(at), len) }.to_vec();
        (events, *self.result)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        run::reset_run();
        events::begin(0);
    }
}

/// Number, node and value of a variable.
pub fn variable(name: &str, width: u32) -> (u32, NodeId, u64) {
    let number = variables::variable(name.as_bytes(), width, ValueKind::Unsigned, 0).unwrap();
    (number, variables::variable_node(number), values::value(number) as u64)
}

/// The address of a value on the stack or heap of the test.
pub fn address<T: ?Sized>(value: &T) -> u64 {
    (value as *const T).cast::<u8>() as u64
}

/// A small generator of numbers, the same in every test run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        crate::trace::variables::mix(self.0)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
