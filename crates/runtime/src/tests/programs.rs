//! Random programs over a small memory: what their symbolic run says about another input is what that input does.

use covet_abi::event::Kind;
use covet_abi::node::Op;

use super::eval::{check_arena, eval};
use super::{Random, Run, address, variable};
use crate::object::lookup::__covet_register_object;
use crate::shadow::access::{__covet_load, __covet_store, plain, put};
use crate::shadow::copies::{__covet_memory_copy, __covet_memory_fill};
use crate::term::arena::mask;
use crate::term::operators::{__covet_binary, __covet_cast};

const BYTES: u64 = 96;
const REGISTERS: usize = 6;

/// One step on 64-bit registers and one object of memory.
#[derive(Clone, Copy, Debug)]
enum Step {
    Arithmetic(Op, usize, usize, usize),
    /// Register, address register, mask of the index, scale, offset, bytes.
    Load(usize, usize, u64, u64, u64, u32),
    Store(usize, usize, u64, u64, u64, u32),
    Copy(u64, u64, u64),
    CopyFromIndex(u64, usize, u64, u64),
    Fill(u64, usize, u64),
}

fn random_step(random: &mut Random) -> Step {
    let register = |random: &mut Random| random.below(REGISTERS as u64) as usize;
    match random.below(8) {
        0 | 1 => {
            let ops = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::LShr];
            let op = ops[random.below(7) as usize];
            Step::Arithmetic(op, register(random), register(random), register(random))
        }
        kind @ 2..=5 => {
            let length = [1u32, 2, 4, 8][random.below(4) as usize];
            let scale = [1, 2, 3, 4, 8, 12][random.below(6) as usize];
            let index_mask = [0, 3, 7, 7][random.below(4) as usize];
            let offset = random.below(BYTES - index_mask * scale - u64::from(length) + 1);
            let (a, b) = (register(random), register(random));
            if kind < 4 {
                Step::Load(a, b, index_mask, scale, offset, length)
            } else {
                Step::Store(a, b, index_mask, scale, offset, length)
            }
        }
        6 if random.below(2) == 0 => {
            let length = 1 + random.below(24);
            Step::CopyFromIndex(
                random.below(BYTES - length),
                register(random),
                random.below(BYTES - length - 24),
                length,
            )
        }
        6 => {
            let length = 1 + random.below(40);
            Step::Copy(random.below(BYTES - length), random.below(BYTES - length), length)
        }
        _ => {
            let length = 1 + random.below(12);
            Step::Fill(random.below(BYTES - length), register(random), length)
        }
    }
}

/// Executes on `memory` through the hooks; ids stay 0 when nothing is symbolic.
fn execute(steps: &[Step], memory: u64, registers: &mut [(u64, u32); REGISTERS]) {
    for &step in steps {
        match step {
            Step::Arithmetic(op, to, a, b) => {
                let ((av, ai), (bv, bi)) = (registers[a], registers[b]);
                let value = match op {
                    Op::Add => av.wrapping_add(bv),
                    Op::Sub => av.wrapping_sub(bv),
                    Op::Mul => av.wrapping_mul(bv),
                    Op::And => av & bv,
                    Op::Or => av | bv,
                    Op::Xor => av ^ bv,
                    Op::LShr => av >> (bv % 64),
                    other => panic!("{other:?} is not used here"),
                };
                registers[to] = (value, binary(op, ai, bi, av, bv));
            }
            Step::Load(to, index, index_mask, scale, offset, length) => {
                let (at, id) = pointer(registers[index], index_mask, scale, memory + offset);
                let narrow = __covet_load(at, id, length * 8, 1);
                // SAFETY: inside the test's memory.
                let value = unsafe { plain(at, length) } as u64;
                let wide = if length < 8 { __covet_cast(Op::ZExt as u32, length * 8, 64, narrow) } else { narrow };
                registers[to] = (value, wide);
            }
            Step::Store(from, index, index_mask, scale, offset, length) => {
                let (at, id) = pointer(registers[index], index_mask, scale, memory + offset);
                let (value, whole) = registers[from];
                let value = u128::from(value) & mask(length * 8);
                let part = if whole == 0 { 0 } else { __covet_cast(Op::Extract as u32, 64, length * 8, whole) };
                __covet_store(at, id, length * 8, part, value as u64, 0, 1);
                // SAFETY: inside the test's memory.
                unsafe { put(at, length, value) };
            }
            Step::Copy(to, from, length) => {
                __covet_memory_copy(memory + to, memory + from, length, 0, 0, 0, 1);
            }
            Step::CopyFromIndex(to, index, offset, length) => {
                let (from, id) = pointer(registers[index], 3, 8, memory + offset);
                __covet_memory_copy(memory + to, from, length, 0, id, 0, 1);
            }
            Step::Fill(to, register, length) => {
                let (value, whole) = registers[register];
                let part = if whole == 0 { 0 } else { __covet_cast(Op::Extract as u32, 64, 8, whole) };
                __covet_memory_fill(memory + to, value & 0xff, length, 0, part, 0, 1);
            }
        }
    }
}

fn binary(op: Op, a: u32, b: u32, av: u64, bv: u64) -> u32 {
    if a == 0 && b == 0 { 0 } else { __covet_binary(op as u32, 64, a, b, av, bv) }
}

fn pointer((value, id): (u64, u32), index_mask: u64, scale: u64, base: u64) -> (u64, u32) {
    let (index, index_id) = (value & index_mask, binary(Op::And, id, 0, value, index_mask));
    let (scaled, scaled_id) = (index * scale, binary(Op::Mul, index_id, 0, index, scale));
    (base + scaled, binary(Op::Add, scaled_id, 0, scaled, base))
}

fn start(random: &mut Random, memory: &mut [u8]) {
    for byte in memory {
        *byte = random.below(4) as u8;
    }
}

#[test]
fn the_trace_of_one_input_predicts_another() {
    let mut random = Random(7);
    for round in 0..300 {
        let mut run = Run::new();
        let mut memory = vec![0u8; BYTES as usize];
        start(&mut random, &mut memory);
        let steps: Vec<Step> = (0..30).map(|_| random_step(&mut random)).collect();
        let inputs: Vec<[u64; 2]> = (0..4).map(|_| [random.below(300), random.next()]).collect();

        let initial = memory.clone();
        let numbers = [variable("x", 64).0, variable("y", 64).0];
        run.again(&[(numbers[0], u128::from(inputs[0][0])), (numbers[1], u128::from(inputs[0][1]))]);
        __covet_register_object(memory.as_ptr(), memory.len());
        let mut registers = [(0, 0); REGISTERS];
        for (i, name) in ["x", "y"].iter().enumerate() {
            let (_, id, value) = variable(name, 64);
            registers[i] = (value, id);
        }
        execute(&steps, address(&memory[..]), &mut registers);
        let ids: Vec<u32> = (0..BYTES).map(|i| __covet_load(address(&memory[..]) + i, 0, 8, 1)).collect();
        let after = memory.clone();
        let (events, result) = run.finish();
        assert!(!result.flags.is_truncated());
        check_arena();

        for input in &inputs {
            let lookup = |number: u32| u128::from(input[usize::from(number == numbers[1])]);
            assert!(events.iter().all(|event| Kind::from_u8(event.kind) == Some(Kind::Bounds)));
            if !events.iter().all(|event| eval(event.expr, &lookup) == 1) {
                continue;
            }
            let mut other = initial.clone();
            let mut plain_registers = [(0, 0); REGISTERS];
            (plain_registers[0].0, plain_registers[1].0) = (input[0], input[1]);
            execute(&steps, address(&other[..]), &mut plain_registers);
            for i in 0..BYTES as usize {
                let predicted = if ids[i] == 0 { after[i] } else { eval(ids[i], &lookup) as u8 };
                assert_eq!(predicted, other[i], "round {round}, byte {i}, {steps:?}");
            }
            for (i, &(value, id)) in registers.iter().enumerate() {
                let predicted = if id == 0 { value } else { eval(id, &lookup) as u64 };
                assert_eq!(predicted, plain_registers[i].0, "round {round}, register {i}, {steps:?}");
            }
            other.clear();
        }
    }
}
