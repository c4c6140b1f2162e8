//! What happens when room runs out, and that a run leaves nothing to the next.

use covet_abi::event::Concretization;
use covet_abi::node::Op;
use covet_abi::shared::{ArenaSizes, ResultFlags};

use super::eval::check_arena;
use super::{Run, address, variable};
use crate::shadow::access::{__covet_load, __covet_store};
use crate::term::operators::__covet_binary;
use crate::trace::events::__covet_branch;
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
