//! Runs and their outcomes, in reset and in fork mode: every way to end, and what each leaves to the next run.

mod common;

use common::{Bench, config, program};
use covet_abi::check::Check;
use covet_abi::event::Kind;
use covet_abi::shared::Isolation;
use covet_abi::termination::Termination;
use covet_execute::{Config, Mode};
use covet_sites::Counter;
use std::time::Duration;

const IDENTITY: u32 = 0;

fn both(check: impl Fn(&mut Bench)) {
    for mode in [Mode::Reset, Mode::Fork] {
        check(&mut Bench::new(&config(mode)));
    }
}

#[test]
fn returns_values_and_input() {
    both(|bench| {
        let inputs: Vec<_> = (0..200).map(|x| bench.input(IDENTITY, x * 3 - 100)).collect();
        let runs = bench.run(&inputs);
        for (x, run) in runs.iter().enumerate() {
            let value = x as i32 * 3 - 100;
            assert_eq!((run.termination, run.returned as u32), (Termination::Returned, value as u32));
            assert_eq!(run.covered, [(Counter(0), 1)]);
            assert_eq!(run.order, [bench.x]);
            assert_eq!(run.input.get(bench.x), Some(u128::from(value as u32)));
        }
    });
}

#[test]
fn symbolic_branches_become_events() {
    both(|bench| {
        let runs = bench.run(&[bench.input(12, 3), bench.input(12, 9), bench.input(12, 3)]);
        for (run, taken) in runs.iter().zip([0, 1, 0]) {
            assert_eq!(run.events.len(), 1, "{run:?}");
            let event = run.events[0];
            assert_eq!((event.kind, event.taken, event.site), (Kind::Branch as u8, taken, 2));
            assert!((event.expr as usize) < bench.worker.nodes().len());
        }
        assert_eq!(runs[0].events, runs[2].events);
        assert_eq!(runs[0].fingerprint, runs[2].fingerprint);
        assert_ne!(runs[0].fingerprint, runs[1].fingerprint);
        assert_eq!(bench.worker.variable_map(), [bench.x]);
    });
}

#[test]
fn every_ending_is_told_and_leaves_nothing() {
    let endings = [
        (1, 16, Termination::Signalled, libc::SIGSEGV),
        (2, 300, Termination::Exited, 300 & 0xff),
        (5, 0, Termination::StackOverflow, libc::SIGSEGV),
        (13, 0, Termination::Aborted, libc::SIGABRT),
        (14, 0, Termination::AssertFailed, libc::SIGABRT),
        (15, 0, Termination::ErrorReached, 0),
        (16, 0, Termination::Violated, Check::DoubleFree as i32),
        (16, 1, Termination::Violated, Check::DoubleFree as i32),
        (18, 3, Termination::Exited, 3),
        (19, 3, Termination::Signalled, libc::SIGFPE),
        (20, 3, Termination::Signalled, libc::SIGSEGV),
        (4, 1, Termination::OutOfMemory, 0),
        (32, 9, Termination::Exited, 9),
        (30, 9, Termination::Signalled, libc::SIGSEGV),
        (31, 1, Termination::Signalled, libc::SIGTERM),
        (31, 2, Termination::TimedOut, 0),
        (33, 2, Termination::Signalled, libc::SIGSEGV),
    ];
    for mode in [Mode::Reset, Mode::Fork] {
        // Time enough for what ends otherwise, however busy the machine is.
        let bench = &mut Bench::new(&Config { time_limit: Duration::from_secs(3), ..config(mode) });
        for (entry, x, outcome, code) in endings {
            let inputs = [bench.input(IDENTITY, 5), bench.input(entry, x), bench.input(IDENTITY, 6)];
            let runs = bench.run(&inputs);
            let mode = bench.worker.isolation();
            assert_eq!(
                (runs[1].termination, runs[1].code),
                (outcome, code),
                "entry {entry} in {mode:?}: {:?}",
                runs[1]
            );
            for (run, value) in [(&runs[0], 5), (&runs[2], 6)] {
                assert_eq!(
                    (run.termination, run.returned),
                    (Termination::Returned, value),
                    "beside entry {entry} in {mode:?}"
                );
            }
        }
    }
}

#[test]
fn crashes_have_a_call_stack() {
    both(|bench| {
        let crash = bench.one(1, 16);
        assert_eq!(crash.fault, 16);
        assert!(crash.frames.len() >= 2, "{crash:?}");
        assert!(crash.frames.iter().all(|frame| *frame < 0x1000_0000), "{:x?}", crash.frames);
        assert!(bench.one(13, 0).frames.len() >= 2);
        assert_eq!(bench.one(5, 0).frames.len(), 64);
        let null = bench.one(20, 0);
        // Told one byte later, as the places of calls are.
        assert_eq!(null.frames[0], 1);
        assert!(null.frames.len() >= 3, "{:x?}", null.frames);
    });
}

#[test]
fn over_time_runs_end() {
    both(|bench| {
        let inputs = [bench.input(IDENTITY, 1), bench.input(3, 0), bench.input(24, 0), bench.input(IDENTITY, 2)];
        let runs = bench.run(&inputs);
        let outcomes: Vec<_> = runs.iter().map(|run| run.termination).collect();
        assert_eq!(
            outcomes,
            [Termination::Returned, Termination::TimedOut, Termination::TimedOut, Termination::Returned]
        );
        assert_eq!(runs[3].returned, 2);
    });
}

#[test]
fn state_does_not_survive() {
    both(|bench| {
        let inputs: Vec<_> = (0..10).map(|_| bench.input(11, 0)).collect();
        for run in bench.run(&inputs) {
            assert_eq!(run.returned, 7 + 3);
        }
        for entry in [22, 27, 29, 31] {
            let inputs: Vec<_> = (0..6).map(|_| bench.input(entry, 0)).collect();
            let runs = bench.run(&inputs);
            assert!(runs.iter().all(|run| run.returned == runs[0].returned), "entry {entry}: {:?}", runs[1].returned);
        }
        assert_eq!(bench.one(22, 0).returned % 100, 1);
        assert_eq!(bench.one(27, 0).returned, libc::SIGUSR1 as u64);
        assert_eq!(bench.one(31, 0).returned, 1);
    });
}

#[test]
fn exit_handlers_run_once() {
    both(|bench| {
        for _ in 0..3 {
            let run = bench.one(17, 4);
            assert_eq!((run.termination, run.code), (Termination::Exited, 4));
            assert_eq!(run.covered, [(Counter(17 * 4), 1), (Counter(17 * 4 + 1), 2)]);
        }
    });
}

#[test]
fn heap_keeps_its_promises() {
    both(|bench| {
        for seed in 0..5 {
            assert_eq!(bench.one(26, seed).returned, 0, "seed {seed}");
        }
    });
}

#[test]
fn threads_are_survived() {
    both(|bench| {
        let runs = bench.run(&[bench.input(25, 1), bench.input(IDENTITY, 4), bench.input(25, 2)]);
        let returned: Vec<_> = runs.iter().map(|run| run.returned).collect();
        assert_eq!(returned, [6, 4, 7]);
    });
}

#[test]
fn output_is_kept_when_wanted() {
    for mode in [Mode::Reset, Mode::Fork] {
        let mut config = config(mode);
        config.keep_output = true;
        let mut bench = Bench::new(&config);
        for x in [42, 43] {
            bench.one(28, x);
            assert_eq!(std::fs::read_to_string(bench.worker.output()).unwrap(), format!("printed {x}\n"));
        }
    }
}

#[test]
fn hidden_state_demotes_to_fork() {
    let mut bench = Bench::new(&config(Mode::Auto));
    assert_eq!(bench.one(IDENTITY, 1).returned, 1);
    assert_eq!(bench.worker.isolation(), Isolation::Reset);
    let inputs: Vec<_> = (0..150).map(|_| bench.input(23, 1)).collect();
    let runs = bench.run(&inputs);
    assert_eq!(bench.worker.isolation(), Isolation::Fork);
    assert!(!bench.worker.demoted().unwrap().still_differs);
    assert!(runs[110..].iter().all(|run| run.fingerprint == runs[149].fingerprint));
}

#[test]
fn lost_processes_demote_to_fork() {
    let mut bench = Bench::new(&config(Mode::Auto));
    let inputs: Vec<_> = (0..20).map(|x| bench.input(25, x)).collect();
    let runs = bench.run(&inputs);
    assert!(runs.iter().enumerate().all(|(x, run)| run.returned == x as u64 + 5));
    assert_eq!(bench.worker.isolation(), Isolation::Fork);
    assert!(bench.worker.processes() < 10);
}

#[test]
fn every_stand_in_exists() {
    let mut source = String::from("int __covet_user_main(void) { return 0; }\n");
    for name in covet_abi::libc::RUNTIME_LIBC {
        source += &format!("extern char __covet_libc_{name}[]; void *use_{name} = __covet_libc_{name};\n");
    }
    common::build(&source);
}

#[test]
fn alone_it_is_the_plain_program() {
    let run =
        |arguments: &[&str]| std::process::Command::new(program("hostile").path).args(arguments).output().unwrap();
    use std::os::unix::process::ExitStatusExt;
    let plain = run(&[]);
    assert_eq!(plain.status.code(), Some(5));
    assert_eq!(plain.stdout, b"alone with 1\n");
    assert_eq!(run(&["7"]).status.code(), Some(7));
    assert_eq!(run(&["abort"]).status.signal(), Some(libc::SIGABRT));
    assert_eq!(run(&["crash"]).status.signal(), Some(libc::SIGSEGV));
}
