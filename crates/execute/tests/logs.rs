//! The logs that a run keeps on request: one worker serves runs with and without, and what a run could log survives its death.

mod common;

use common::{Bench, config};
use covet_abi::logs::Logs;
use covet_abi::shared::ResultFlags;
use covet_abi::termination::Termination;
use covet_execute::{Argument, Call, Mode, RunInput};
use covet_sites::{Counter, FunctionNumber};

const LOOP: u32 = 0;
const OUTER: u32 = 1;
const MIDDLE: u32 = 2;
const INNER: u32 = 3;
const DIES: u32 = 4;
const EACH: u32 = 4;

fn both(check: impl Fn(&mut Bench)) {
    for mode in [Mode::Reset, Mode::Fork] {
        check(&mut Bench::of("logs", &config(mode)));
    }
}

fn logged(bench: &Bench, entry: u32, x: i32, logs: Logs) -> RunInput {
    RunInput { logs, ..bench.input(entry, x) }
}

fn entered(caller: Option<u32>, callee: u32, arguments: Vec<Argument>) -> Call {
    Call::Entered { caller: caller.map(FunctionNumber), callee: FunctionNumber(callee), arguments }
}

fn returned(callee: u32) -> Call {
    Call::Returned { callee: FunctionNumber(callee) }
}

#[test]
fn loops_unfold_where_it_is_asked_for() {
    both(|bench| {
        let rounds = [0, 3, 1, 2];
        let logs = |round| if round == 1 { Logs::NONE } else { Logs::CONTROL_FLOW };
        let inputs: Vec<_> = rounds.iter().map(|round| logged(bench, LOOP, *round, logs(*round))).collect();
        for (round, run) in rounds.iter().zip(bench.run(&inputs)) {
            let body = vec![Counter(LOOP * EACH + 2); *round as usize];
            let unfolded = [vec![Counter(LOOP * EACH)], body, vec![Counter(LOOP * EACH + 1)]].concat();
            assert_eq!(run.control_flow, if *round == 1 { Vec::new() } else { unfolded });
            assert_eq!((run.returned, run.calls.len()), (*round as u64, 0));
        }
    });
}

#[test]
fn calls_tell_who_called_whom_with_what() {
    both(|bench| {
        let inputs = [logged(bench, OUTER, 5, Logs::CALLS), logged(bench, OUTER, 6, Logs::NONE)];
        let runs = bench.run(&inputs);
        let Call::Entered { arguments, .. } = &runs[0].calls[1] else { panic!("{:?}", runs[0].calls) };
        let x = arguments[0];
        assert_eq!((x.width, x.value), (32, 5));
        assert_eq!(bench.worker.nodes()[x.expr as usize].op, covet_abi::node::Op::Var as u8);
        let concrete = Argument { expr: 0, width: 32, value: 7 };
        let nested = [
            entered(None, OUTER, vec![]),
            entered(Some(OUTER), MIDDLE, vec![x]),
            entered(Some(MIDDLE), INNER, vec![concrete]),
            returned(INNER),
            entered(Some(MIDDLE), INNER, vec![x]),
            returned(INNER),
            returned(MIDDLE),
            returned(OUTER),
        ];
        assert_eq!(runs[0].calls, nested);
        assert_eq!((runs[1].returned, &runs[1].calls, &runs[1].control_flow), (13, &vec![], &vec![]));
    });
}

#[test]
fn what_was_logged_before_a_crash_is_there() {
    both(|bench| {
        let logs = Logs::CONTROL_FLOW.with(Logs::CALLS);
        for (x, termination) in [(0, Termination::Signalled), (3, Termination::Exited)] {
            let runs = bench.run(&[logged(bench, LOOP, 2, logs), logged(bench, DIES, x, logs)]);
            assert_eq!(runs[1].termination, termination);
            assert_eq!(runs[1].control_flow, [Counter(DIES * EACH)]);
            assert_eq!(runs[1].calls, [entered(None, DIES, vec![])]);
        }
    });
}

#[test]
fn a_full_log_says_so() {
    for mode in [Mode::Reset, Mode::Fork] {
        let mut config = config(mode);
        (config.arena.control_flow, config.arena.calls) = (100, 4);
        let mut bench = Bench::of("logs", &config);
        let logs = Logs::CONTROL_FLOW.with(Logs::CALLS);
        let (long, deep) = (logged(&bench, LOOP, 1000, logs), logged(&bench, OUTER, 1, logs));
        let run = bench.run(&[long]).remove(0);
        assert_eq!((run.control_flow.len(), run.flags), (100, ResultFlags::CONTROL_FLOW_FULL));
        assert_eq!(run.returned, 1000);
        let run = bench.run(&[deep]).remove(0);
        assert!(run.flags.has(ResultFlags::CALLS_FULL) && !run.calls.is_empty() && !run.flags.is_truncated());
    }
}
