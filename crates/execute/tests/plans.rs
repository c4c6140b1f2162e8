//! Plans become memory: pointers, functions, globals, bit-fields, files; variables and the arena over many batches.

mod common;

use common::{Bench, config};
use covet_abi::input::ValueKind;
use covet_abi::plan::{Place, Step};
use covet_abi::termination::Termination;
use covet_execute::{First, Mode, RunInput};
use covet_input::{Input, VarId, Variable};
use covet_sites::FunctionNumber;

fn at(slot: u32, offset: u64) -> Place {
    Place { slot, offset }
}

fn both(check: impl Fn(&mut Bench)) {
    for mode in [Mode::Reset, Mode::Fork] {
        check(&mut Bench::of("plans", &config(mode)));
    }
}

fn variable(bench: &mut Bench, name: &str, width: u16) -> VarId {
    bench.variables.intern(Variable { name: name.into(), width, kind: ValueKind::Signed, default: 0 })
}

#[test]
fn memory_graphs() {
    both(|bench| {
        let first = variable(bench, "arg.p->first", 5);
        let second = variable(bench, "arg.p->second", 11);
        let global = variable(bench, "global.shared", 32);
        let steps = vec![
            Step::Alloc { slot: 0, bytes: 8, align: 8 },
            Step::Alloc { slot: 1, bytes: 24, align: 8 },
            Step::Alloc { slot: 2, bytes: 24, align: 8 },
            Step::Global { slot: 3, global: 0 },
            Step::Variable { at: at(3, 0), variable: global.0, bit: 0 },
            Step::Pointer { at: at(0, 0), to: Some(at(1, 0)) },
            Step::Variable { at: at(1, 0), variable: first.0, bit: 0 },
            Step::Variable { at: at(1, 0), variable: second.0, bit: 5 },
            Step::Pointer { at: at(1, 8), to: Some(at(2, 0)) },
            Step::Pointer { at: at(2, 8), to: None },
            Step::Function { at: at(2, 16), function: 4 },
            Step::Constant { at: at(2, 0), value: 77, bytes: 4 },
            Step::Argument { number: 0, slot: 0 },
        ];
        let mut values = Input::default();
        values.set(first, 7);
        values.set(second, 21);
        values.set(global, 4);
        let run = bench.run(&[RunInput { entry: FunctionNumber(0), steps, values, ..RunInput::default() }]).remove(0);
        assert_eq!((run.termination, run.returned), (Termination::Returned, 7 + 2100 + 80000));
        assert_eq!(run.order, [global, first, second]);
    });
}

fn file_steps(bench: &mut Bench) -> (Vec<Step>, VarId) {
    let byte = variable(bench, "stdin[0]", 8);
    let size = variable(bench, "stdin.size", 32);
    let steps = vec![
        Step::Alloc { slot: 0, bytes: 10, align: 1 },
        Step::Variable { at: at(0, 0), variable: byte.0, bit: 0 },
        Step::AtMost { variable: size.0, most: 10 },
        Step::File { name: None, slot: 0, bytes: 10, length: Some(size.0) },
        Step::Alloc { slot: 1, bytes: 16, align: 1 },
        Step::Constant { at: at(1, 0), value: u64::from_le_bytes(*b"data.txt"), bytes: 8 },
        Step::Alloc { slot: 2, bytes: 3, align: 1 },
        Step::Constant { at: at(2, 0), value: 4, bytes: 1 },
        Step::File { name: Some(1), slot: 2, bytes: 3, length: None },
    ];
    (steps, size)
}

#[test]
fn files_and_their_sizes() {
    both(|bench| {
        let (steps, size) = file_steps(bench);
        let with = |value| {
            let mut values = Input::default();
            values.set(size, value);
            RunInput { entry: FunctionNumber(1), steps: steps.clone(), values, ..RunInput::default() }
        };
        let runs = bench.run(&[with(6), with(11), RunInput { entry: FunctionNumber(1), ..RunInput::default() }]);
        assert_eq!(runs[0].returned, 6 + 100 * 43 + 1_000_000 + 2_000_000 + 10_000_000 + 20_000_000);
        assert_eq!(runs[1].termination, Termination::AssumptionFailed);
        assert_eq!(runs[2].returned, 20_000_000);
    });
}

#[test]
fn random_first_values_keep_their_bounds() {
    for seed in 0..20 {
        let mut config = config(Mode::Reset);
        (config.first, config.seed) = (First::Random, seed);
        let mut bench = Bench::of("plans", &config);
        let (steps, size) = file_steps(&mut bench);
        let input = RunInput { entry: FunctionNumber(1), steps, ..RunInput::default() };
        let runs = bench.run(&[input.clone(), input]);
        assert_eq!(runs[0].termination, Termination::Returned);
        assert!(runs[0].input.get(size).unwrap() <= 10);
        assert_eq!(runs[0].input, runs[1].input);
    }
}

#[test]
fn constructors_have_run() {
    both(|bench| {
        assert_eq!(bench.run(&[RunInput { entry: FunctionNumber(2), ..RunInput::default() }])[0].returned, 42)
    });
}

#[test]
fn wrong_plans_are_told() {
    both(|bench| {
        let steps =
            vec![Step::Alloc { slot: 0, bytes: 8, align: 8 }, Step::Pointer { at: at(0, 0), to: Some(at(5, 0)) }];
        let runs = bench.run(&[
            RunInput { entry: FunctionNumber(2), steps, ..RunInput::default() },
            RunInput { entry: FunctionNumber(99), ..RunInput::default() },
            RunInput { entry: FunctionNumber(4), ..RunInput::default() },
            RunInput { entry: FunctionNumber(2), ..RunInput::default() },
        ]);
        assert_eq!((runs[0].termination, runs[0].code), (Termination::WorkerLost, 1));
        assert_eq!(runs[1].termination, Termination::WorkerLost);
        assert_eq!(runs[2].termination, Termination::WorkerLost);
        assert_eq!(runs[3].returned, 42);
    });
}

#[test]
fn variables_met_on_the_way_have_values() {
    both(|bench| {
        let mut input = bench.input(3, 3);
        let met = variable(bench, "met.1", 16);
        input.values.set(met, 500);
        let runs = bench.run(&[input.clone(), input]);
        for run in &runs {
            assert_eq!(run.returned, 500);
            let names: Vec<_> = run.order.iter().map(|id| bench.variables.get(*id).name.as_str()).collect();
            assert_eq!(names, ["arg.x", "met.0", "met.1", "met.2"]);
        }
        assert_eq!(runs[0].events.len(), 3);
        assert_eq!(runs[0].events, runs[1].events);
    });
}

#[test]
fn small_arenas_are_emptied_and_renewed() {
    for mode in [Mode::Reset, Mode::Fork] {
        let mut config = config(mode);
        config.arena.nodes = 1 << 10;
        config.arena.variables = 1 << 8;
        let mut bench = Bench::of("plans", &config);
        let (mut epochs, mut full) = (0, 0);
        for round in 0..12 {
            let epoch = bench.worker.epoch();
            let many = bench.input(3, 20 * round);
            let few = bench.input(3, 2);
            let runs = bench.run(&[many, few]);
            assert_eq!(runs[1].termination, Termination::Returned);
            full += u32::from(runs[0].flags.is_truncated());
            epochs += u32::from(bench.worker.epoch() != epoch);
            assert!(bench.worker.variable_map().len() <= 1 << 8);
        }
        assert!(epochs > 0);
        assert!(full < 12);
    }
}

#[test]
fn requests_say_which_functions_are_stubs() {
    both(|bench| {
        let with = |stubs: &[u32]| RunInput {
            entry: FunctionNumber(5),
            stubs: stubs.iter().copied().collect(),
            ..RunInput::default()
        };
        // The last one is of no function.
        let runs = bench.run(&[with(&[1, 69]), with(&[]), with(&[0, 64]), with(&[0, 1, 64, 69, 500]), with(&[])]);
        let returned: Vec<u64> = runs.iter().map(|run| run.returned).collect();
        assert_eq!(returned, [0b1010, 0, 0b0101, 0b1111, 0]);
    });
}
