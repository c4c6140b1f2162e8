//! What a run may not do, whatever the input makes it try.

mod common;

use common::{Bench, config};
use covet_abi::termination::Termination;
use covet_execute::Mode;

fn both(check: impl Fn(&mut Bench)) {
    for mode in [Mode::Reset, Mode::Fork] {
        check(&mut Bench::new(&config(mode)));
    }
}

#[test]
fn files_elsewhere_are_safe() {
    let victim = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("victim");
    std::fs::write(&victim, "precious").unwrap();
    both(|bench| {
        assert_eq!(bench.worker.warnings(), [""; 0]);
        assert_eq!(bench.one(6, 0).returned, 7);
    });
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    std::fs::remove_file(victim).unwrap();
}

#[test]
fn other_processes_are_safe() {
    both(|bench| {
        assert_eq!(bench.one(7, 0).returned, 4);
        assert_eq!(bench.one(8, 0).returned, 203);
    });
}

#[test]
fn no_network() {
    both(|bench| assert_eq!(bench.one(10, 0).returned, 2));
}

#[test]
fn files_do_not_grow_without_end() {
    for mode in [Mode::Reset, Mode::Fork] {
        let mut config = config(mode);
        config.keep_output = true;
        config.output_limit = 1 << 20;
        let mut bench = Bench::new(&config);
        let run = bench.one(9, 0);
        assert_eq!((run.termination, run.returned), (Termination::Returned, 1));
        assert!(std::fs::metadata(bench.worker.output()).unwrap().len() <= 1 << 20);
    }
}

#[test]
fn native_memory_is_limited() {
    both(|bench| assert_eq!(bench.one(21, 0).returned, 1));
}
