//! The logs that are kept on request: what is in them, where they end, and that nothing is there that nobody asked for.

use covet_abi::logs::{CallEvent, CallRecord, Logs};
use covet_abi::shared::{ArenaSizes, ResultFlags, RunResult};

use super::{Run, variable};
use crate::shadow::calls::__covet_args_for;
use crate::term::arena;
use crate::trace::logs::*;
use crate::trace::tracking;
use crate::worker::standalone::ROOM;

const BOTH: Logs = Logs::CONTROL_FLOW.with(Logs::CALLS);

fn counters(run: &mut Run, result: &RunResult) -> Vec<u32> {
    let first = arena::region(&run.control().regions.control_flow);
    // SAFETY: written by the run.
    let all = unsafe {
        std::slice::from_raw_parts(first.add(result.control_flow_at as usize), result.control_flow_len as usize)
    };
    all.to_vec()
}

fn calls(run: &mut Run, result: &RunResult) -> Vec<CallEvent> {
    let first = arena::region::<CallRecord>(&run.control().regions.calls);
    // SAFETY: written by the run.
    let all = unsafe { std::slice::from_raw_parts(first.add(result.calls_at as usize), result.calls_len as usize) };
    all.iter().filter_map(CallRecord::unpack).collect()
}

fn entered(caller: Option<u32>, callee: u32) -> CallEvent {
    CallEvent::Entered { caller, callee }
}

fn returned(callee: u32) -> CallEvent {
    CallEvent::Returned { callee }
}

#[test]
fn nothing_is_logged_unasked() {
    let mut run = Run::new();
    for logs in [Logs::NONE, Logs::CONTROL_FLOW, Logs::CALLS] {
        run.again_with(&[], logs);
        assert_eq!(__covet_args_for.get(), u64::from(logs.0));
        __covet_counted(3);
        __covet_entered(1);
        __covet_returned(1);
        let (_, result) = run.finish();
        assert_eq!(counters(&mut run, &result).len(), usize::from(logs == Logs::CONTROL_FLOW));
        assert_eq!(calls(&mut run, &result).len(), if logs == Logs::CALLS { 2 } else { 0 });
        assert_eq!((__covet_logs.get(), result.flags), (0, ResultFlags::default()));
    }
}

#[test]
fn calls_nest_and_carry_their_arguments() {
    let mut run = Run::new();
    run.again_with(&[], BOTH);
    let (_, x, value) = variable("x", 32);
    __covet_counted(7);
    __covet_entered(1);
    __covet_argument(x, 32, value, 0);
    __covet_argument(arena::constant(8, 5), 8, 5, 0);
    __covet_entered(2);
    __covet_argument(0, 128, 1, 2);
    __covet_returned(2);
    __covet_counted(9);
    __covet_entered(1);
    let (_, result) = run.finish();
    assert_eq!(counters(&mut run, &result), [7, 9]);
    let argument = |expr, width, value| CallEvent::Argument { expr, width, value };
    let expected = [
        entered(None, 1),
        argument(x, 32, u128::from(value)),
        // A constant is concrete.
        argument(0, 8, 5),
        entered(Some(1), 2),
        argument(0, 128, 1 | 2 << 64),
        returned(2),
        entered(Some(1), 1),
    ];
    assert_eq!(calls(&mut run, &result), expected);
}

#[test]
fn functions_that_a_jump_leaves_have_returned() {
    let mut run = Run::new();
    run.again_with(&[], Logs::CALLS);
    __covet_entered(1);
    let open = __covet_open_calls();
    __covet_entered(2);
    __covet_entered(3);
    __covet_jumped_back(open);
    __covet_entered(4);
    __covet_entered(5);
    // A return that nobody announced takes those inside along.
    __covet_returned(4);
    __covet_returned(8);
    let (_, result) = run.finish();
    let left = [returned(3), returned(2), entered(Some(1), 4), entered(Some(4), 5), returned(5), returned(4)];
    assert_eq!(calls(&mut run, &result)[3..], left);
}

#[test]
fn full_logs_end_and_say_so() {
    let mut run = Run::with_room(&ArenaSizes { control_flow: 3, calls: 3, ..ROOM });
    run.again_with(&[], BOTH);
    for number in 0..5 {
        __covet_counted(number);
        __covet_entered(number);
    }
    let (_, result) = run.finish();
    assert_eq!(counters(&mut run, &result), [0, 1, 2]);
    assert_eq!(calls(&mut run, &result), [entered(None, 0), entered(Some(0), 1), entered(Some(1), 2)]);
    assert_eq!(result.flags, ResultFlags::CONTROL_FLOW_FULL.with(ResultFlags::CALLS_FULL));
}

#[test]
fn logs_go_on_when_tracking_stops_and_are_of_one_thread() {
    let mut run = Run::new();
    run.again_with(&[], BOTH);
    tracking::stop();
    __covet_counted(1);
    std::thread::spawn(|| __covet_counted(2)).join().unwrap();
    __covet_counted(3);
    let (_, result) = run.finish();
    assert_eq!(counters(&mut run, &result), [1, 3]);
}
