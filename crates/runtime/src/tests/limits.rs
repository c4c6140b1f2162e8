//! What happens when room runs out, and that a run leaves nothing to the next.

use covet_abi::event::Concretization;
use covet_abi::input::ValueKind;
use covet_abi::node::Op;
use covet_abi::shared::{ArenaSizes, InputBounds, ResultFlags};
use covet_abi::sites::{Function, Program};

use super::eval::check_arena;
use super::{Run, address, variable};
use crate::shadow::access::{__covet_load, __covet_store};
use crate::term::operators::__covet_binary;
use crate::trace::events::__covet_branch;
use crate::trace::{marking, progress};
use crate::worker::standalone::ROOM;

#[test]
fn a_full_arena_stops_tracking_and_spoils_nothing() {
    let mut run = Run::with_room(&ArenaSizes { nodes: 100, ..ROOM });
    let (_, x, _) = variable("x", 32);
    let mut made = 0;
    for i in 1..1000 {
        made += u32::from(__covet_binary(Op::Mul as u32, 32, x, 0, 0, i + 1) != 0);
    }
    assert!((40..50).contains(&made));
    assert_eq!(__covet_binary(Op::Mul as u32, 32, x, 0, 0, 2), 0, "nothing is tracked any more");
    let (_, result) = run.finish();
    assert_eq!(result.flags, ResultFlags::ARENA_FULL);
    assert_eq!(result.concretised[Concretization::ArenaFull as usize], 1);
    check_arena();
}

#[test]
fn a_full_log_stops_tracking() {
    let mut run = Run::with_room(&ArenaSizes { events: 10, ..ROOM });
    let (_, x, _) = variable("x", 32);
    for i in 0..100 {
        __covet_branch(i, __covet_binary(Op::Ult as u32, 32, x, 0, 0, 50), 1);
    }
    let (events, result) = run.finish();
    assert_eq!((events.len(), result.flags), (10, ResultFlags::EVENTS_FULL));
}

#[test]
fn a_run_starts_clean() {
    let mut run = Run::new();
    let memory = [0u64; 4];
    let (number, x, _) = variable("x", 64);
    __covet_store(address(&memory), 0, 64, x, 0, 0, 1);
    assert_eq!(__covet_load(address(&memory), 0, 64, 1), x);
    run.again(&[(number, 3)]);
    assert_eq!(__covet_load(address(&memory), 0, 64, 1), 0);
    run.again(&[]);
    assert_eq!(variable("x", 64), (number, x, 0), "the node stays, the value does not");
}

#[test]
fn an_emptied_arena_is_filled_anew() {
    let mut run = Run::new();
    let (_, x, _) = variable("x", 64);
    __covet_binary(Op::Mul as u32, 64, x, 0, 0, 77);
    let control = run.control();
    control.epoch += 1;
    (control.node_count, control.table_count, control.entry_count) = (1, 0, 0);
    let hash = crate::term::arena::region(&control.regions.hash);
    // SAFETY: the region of our own pages.
    unsafe { std::ptr::write_bytes(hash, 0, control.regions.hash.capacity as usize) };
    run.again(&[]);
    assert_eq!(variable("x", 64).1, 1);
    check_arena();
}

#[test]
fn without_a_run_everything_is_concrete() {
    let run = Run::new();
    let (_, x, _) = variable("x", 64);
    drop(run);
    assert_eq!(__covet_binary(Op::Add as u32, 64, x, 0, 0, 1), 0);
    let thread = std::thread::spawn(move || __covet_binary(Op::Add as u32, 64, 1, 0, 0, 1));
    assert_eq!(thread.join().unwrap(), 0);
}

/// Asks for inputs until it is made to leave, or for so many; bumps counter 1 after the input of that number. Gives how many it got.
fn ask(run: &mut Run, bounds: InputBounds, most: u32, news_at: u32) -> (u32, covet_abi::shared::RunResult) {
    let mut counters = [1u64, 0];
    let function = Function { address: std::ptr::null(), driver: std::ptr::null(), counter_start: 0, counter_len: 2 };
    // SAFETY: numbers and pointers, for which zero is a value.
    let mut program: Program = unsafe { std::mem::zeroed() };
    (program.functions, program.function_count) = (&function, 1);
    (program.counters, program.counter_count) = (counters.as_mut_ptr(), 2);
    run.again_within(bounds);
    progress::init(&program);
    let mut got = 0;
    let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        while got < most {
            marking::fresh_input(b"x", 32, ValueKind::Signed);
            got += 1;
            if got == news_at {
                // SAFETY: the counters of this test.
                unsafe { *program.counters.add(1) = 1 };
            }
        }
    }));
    progress::init(std::ptr::null());
    assert_eq!(end.is_err(), got < most);
    (got, run.finish().1)
}

#[test]
fn a_run_without_news_is_cut_at_an_input() {
    let mut run = Run::new();
    let short = InputBounds { sure: 0, patience: 8, horizon: 8, most: 1000 };
    let (got, result) = ask(&mut run, short, 500, 0);
    assert_eq!((result.flags, result.asked, result.variables_len), (ResultFlags::CUT, got, got));
    assert!((8..=12).contains(&got), "{got}");
    let (got, result) = ask(&mut run, short, 500, 7);
    assert!(result.flags == ResultFlags::CUT && (14..=20).contains(&got), "news give all patience back: {got}");
    let (got, _) = ask(&mut run, InputBounds { sure: 90, ..short }, 500, 0);
    assert!((98..=102).contains(&got), "the way back is not cut: {got}");
    let (got, result) = ask(&mut run, InputBounds { most: 5, ..short }, 500, 0);
    assert_eq!((got, result.flags, result.variables_len), (5, ResultFlags::CAPPED, 5));
    let (got, result) = ask(&mut run, InputBounds::default(), 500, 0);
    assert_eq!((got, result.flags, result.asked), (500, ResultFlags::default(), 500));
}

#[test]
fn news_beyond_the_patience_are_told_and_what_leads_nowhere_is_taken_back() {
    let mut run = Run::new();
    let far = InputBounds { sure: 0, patience: 8, horizon: 200, most: 1000 };
    let (got, result) = ask(&mut run, far, 500, 0);
    assert!(got >= 200 && result.flags == ResultFlags::CUT);
    assert!((8..=12).contains(&result.asked) && result.variables_len == result.asked, "{result:?}");
    let (got, result) = ask(&mut run, far, 500, 100);
    assert_eq!(result.flags, ResultFlags::CUT.with(ResultFlags::STALLED));
    assert!(got >= 300 && result.asked == got);
    assert!((9..=13).contains(&result.variables_len), "of those that were not tracked, the last alone: {result:?}");
    let (_, result) = ask(&mut run, far, 50, 0);
    assert_eq!((result.flags, result.asked), (ResultFlags::STALLED, 50), "the end is news too");
}
