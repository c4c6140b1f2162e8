//! Microseconds per run, by mode, batch size and placement. Prints; run with `--ignored --nocapture` on a release build.

mod common;

use std::time::Instant;

use common::{Bench, config};
use covet_execute::{Mode, pin_thread};

/// Processor time of this process and of its ended children, in microseconds: what a busy machine does not distort.
fn processor_time() -> f64 {
    let of = |who| {
        // SAFETY: plain data, filled in by the call.
        let used = unsafe {
            let mut used: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut used);
            used
        };
        let micros = |time: libc::timeval| time.tv_sec as f64 * 1e6 + time.tv_usec as f64;
        micros(used.ru_utime) + micros(used.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}

fn measure(label: &str, mode: Mode, entry: u32, batch: usize, rounds: usize) {
    let timed = |rounds: usize| {
        let (wall, processor) = (Instant::now(), processor_time());
        let mut bench = Bench::new(&config(mode));
        let inputs: Vec<_> = (0..batch).map(|x| bench.input(entry, x as i32)).collect();
        for _ in 0..rounds {
            bench.run(&inputs);
        }
        drop(bench);
        (wall.elapsed().as_secs_f64() * 1e6, processor_time() - processor)
    };
    // Starting a worker is not part of it.
    let (start, end) = (timed(1), timed(1 + rounds));
    let runs = (rounds * batch) as f64;
    let (wall, processor) = ((end.0 - start.0) / runs, (end.1 - start.1) / runs);
    println!("{label:26} {mode:?} batch {batch:2}: {wall:9.2} us/run, {processor:9.2} of processor time");
}

#[test]
#[ignore = "measures, does not check"]
fn measure_hand_over() {
    common::program("hostile");
    for placement in ["free", "pinned to one processor"] {
        if placement != "free" {
            pin_thread(0);
        }
        println!("-- {placement}");
        for batch in [1, 16, 64] {
            measure("identity", Mode::Reset, 0, batch, 2000);
            measure("symbolic branch", Mode::Reset, 12, batch, 2000);
        }
        measure("1 MiB of globals written", Mode::Reset, 11, 64, 50);
        measure("crash", Mode::Reset, 1, 64, 200);
        measure("heap, 20000 operations", Mode::Reset, 26, 16, 5);
        measure("identity", Mode::Fork, 0, 1, 500);
        measure("identity", Mode::Fork, 0, 64, 20);
    }
}

#[test]
#[ignore = "measures, does not check"]
fn measure_start() {
    let start = Instant::now();
    for _ in 0..20 {
        Bench::new(&config(Mode::Reset));
    }
    println!("start of a worker: {:.2} ms", start.elapsed().as_secs_f64() * 1e3 / 20.0);
}
