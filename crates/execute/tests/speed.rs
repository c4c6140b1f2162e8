//! Microseconds per run, by mode, batch size and placement. Prints; run with `--ignored --nocapture` on a release build.

mod common;

use std::time::Instant;

use common::{Bench, config};
use covet_execute::{Mode, pin_thread};

fn measure(label: &str, mode: Mode, entry: u32, batch: usize, rounds: usize) {
    let mut bench = Bench::new(&config(mode));
    let inputs: Vec<_> = (0..batch).map(|x| bench.input(entry, x as i32)).collect();
    bench.run(&inputs);
    let start = Instant::now();
    for _ in 0..rounds {
        bench.run(&inputs);
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / (rounds * batch) as f64;
    println!("{label:40} {mode:?} batch {batch:2}: {each:8.2} us/run");
}

#[test]
#[ignore = "measures, does not check"]
fn measure_hand_over() {
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
