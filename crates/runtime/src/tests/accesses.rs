//! Loads, stores, copies and symbolic addresses, one behaviour each.

use covet_abi::check::Checks;
use covet_abi::event::{Concretization, Kind};
use covet_abi::node::Op;

use super::eval::{check_arena, eval};
use super::{Run, address, variable};
use crate::object::lookup::__covet_register_object;
use crate::shadow::access::*;
use crate::shadow::copies::*;
use crate::shadow::{bytes, variadic};
use crate::term::arena::{node, width};
use crate::term::operators::{__covet_binary, __covet_cast, __covet_ternary};

fn store(at: u64, bits: u32, id: u32, value: u64) {
    __covet_store(at, 0, bits, id, value, 0, 1);
    // SAFETY: memory of the test.
    unsafe { put(at, bits / 8, u128::from(value)) };
}

#[test]
fn a_value_comes_back_as_itself() {
    let _run = Run::new();
    let memory = [0u64; 8];
    let at = address(&memory);
    for (width, offset) in [(8, 0), (16, 2), (32, 4), (64, 8), (32, 17), (64, 29), (64, 33)] {
        let (_, x, _) = variable(&format!("v{width}.{offset}"), width);
        store(at + offset, width, x, 0x1122_3344_5566_7788 & ((1u128 << width) - 1) as u64);
        assert_eq!(__covet_load(at + offset, 0, width, 1), x);
        bytes::forget(at, 64);
    }
}

#[test]
fn parts_and_mixtures() {
    let _run = Run::new();
    let memory = [0u64; 4];
    let at = address(&memory);
    let (_, x, _) = variable("x", 32);
    store(at, 32, x, 0x4433_2211);
    assert_eq!(*node(__covet_load(at + 2, 0, 8, 1)), *node(crate::term::build::extract(x, 16, 8)));
    store(at + 4, 32, 0, 7);
    assert_eq!(eval(__covet_load(at, 0, 64, 1), &|_| 0xaabb_ccdd), 0x0000_0007_aabb_ccdd);
    store(at + 1, 8, 0, 0xee);
    assert_eq!(eval(__covet_load(at, 0, 32, 1), &|_| 0xaabb_ccdd), 0xaabb_eedd);
    store(at, 32, 0, 0);
    assert_eq!(__covet_load(at, 0, 32, 1), 0);
    check_arena();
}

#[test]
fn what_others_changed_is_dropped() {
    let _run = Run::new();
    let mut memory = [0u64; 1];
    let at = address(&memory);
    let (_, x, _) = variable("x", 64);
    store(at, 64, x, 0x0102_0304_0506_0708);
    // SAFETY: stands for code that is not instrumented.
    unsafe { (&raw mut memory[0]).cast::<u8>().add(3).write_volatile(0x99) };
    let id = __covet_load(at, 0, 64, 1);
    assert_eq!(eval(id, &|_| 0), 0x99 << 24);
    assert_eq!(__covet_load(at + 3, 0, 8, 1), 0);
}

#[test]
fn wide_values() {
    let _run = Run::new();
    let memory = [0u64; 4];
    let (_, x, _) = variable("x", 128);
    __covet_store(address(&memory), 0, 128, x, 0, 0, 1);
    assert_eq!(__covet_load(address(&memory), 0, 128, 1), x);
    assert_eq!(*node(__covet_load(address(&memory) + 8, 0, 64, 1)), *node(crate::term::build::extract(x, 64, 64)));
}

#[test]
fn copies_move_what_is_known() {
    let _run = Run::new();
    let memory = [0u8; 400];
    let at = address(&memory);
    let (_, x, _) = variable("x", 32);
    store(at + 100, 32, x, 0xaabb);
    __covet_memory_copy(at + 200, at, 200, 0, 0, 0, 1);
    assert_eq!(__covet_load(at + 300, 0, 32, 1), x);
    __covet_memory_copy(at + 102, at + 100, 8, 0, 0, 0, 1);
    assert_eq!(__covet_load(at + 102, 0, 32, 1), x, "overlapping, upwards");
    __covet_memory_copy(at + 101, at + 102, 8, 0, 0, 0, 1);
    assert_eq!(__covet_load(at + 101, 0, 32, 1), x, "overlapping, downwards");
    __covet_memory_copy(at + 300, at, 4, 0, 0, 0, 1);
    assert_eq!(__covet_load(at + 300, 0, 32, 1), 0, "concrete bytes overwrite");
    let (_, c, _) = variable("c", 8);
    __covet_memory_fill(at, 3, 4, 0, c, 0, 1);
    assert_eq!(eval(__covet_load(at, 0, 32, 1), &|_| 0x21), 0x2121_2121);
    __covet_forget(at, 400);
    assert!(!bytes::range_is_symbolic(at, 400));
    assert_eq!(memory[0..4], [3; 4]);
}

#[test]
fn a_table_is_read_through_an_index() {
    let mut run = Run::new();
    let table: [u32; 5] = [10, 20, 30, 40, 50];
    __covet_register_object(table.as_ptr().cast(), 20);
    let (_, i, _) = variable("i", 32);
    let wide = __covet_cast(Op::SExt as u32, 32, 64, i);
    let scaled = __covet_binary(Op::Mul as u32, 64, wide, 0, 2, 4);
    let pointer = __covet_binary(Op::Add as u32, 64, scaled, 0, 8, address(&table));
    let id = __covet_load(address(&table) + 8, pointer, 32, 9);
    for k in 0..5u128 {
        assert_eq!(eval(id, &|_| k), u128::from(table[k as usize]));
    }
    assert_eq!(__covet_load(address(&table) + 8, pointer, 32, 9), id, "the same table once");
    assert_eq!(run.control().table_count, 1);
    check_arena();
    let (events, _) = run.finish();
    assert_eq!(events.len(), 1);
    assert_eq!((Kind::from_u8(events[0].kind), events[0].taken, events[0].site), (Some(Kind::Bounds), 1, 9));
    for (value, inside) in [(0, 1), (4, 1), (5, 0), (0xffff_ffff, 0)] {
        assert_eq!(eval(events[0].expr, &|_| value), inside);
    }
}

/// The index leads into another known object: the pointer it was added to says which one is meant.
#[test]
#[should_panic(expected = "Violated")]
fn an_address_must_stay_in_the_object_of_its_pointer() {
    let mut run = Run::new();
    run.control().checks = Checks::all().0;
    let tables = [[1u32; 4], [2; 4], [3; 4]];
    __covet_register_object(tables[0].as_ptr().cast(), 16);
    __covet_register_object(tables[2].as_ptr().cast(), 16);
    let (_, i, _) = variable("i", 64);
    let base = address(&tables[0]);
    let inside = crate::check::provenance::__covet_element(base, 0, 3, i, 4, 0);
    assert_ne!(__covet_load(base + 12, inside, 32, 1), u32::MAX);
    // SAFETY: attached pages.
    assert_eq!(unsafe { (*crate::term::arena::control()).event_count }, 1);
    let beyond = crate::check::provenance::__covet_element(base, inside, 0, 0, 0, 20);
    crate::shadow::indexed::load(address(&tables[2]), beyond, 4, 2);
}

#[test]
fn a_small_index_needs_no_bounds_and_a_uniform_table_no_select() {
    let mut run = Run::new();
    let table = [7u8; 9000];
    let varied: Vec<u16> = (0..5000).collect();
    __covet_register_object(table.as_ptr(), table.len());
    __covet_register_object(varied.as_ptr().cast(), varied.len() * 2);
    let (_, c, _) = variable("c", 8);
    let wide = __covet_cast(Op::ZExt as u32, 8, 64, c);
    let first = __covet_binary(Op::Add as u32, 64, wide, 0, 0, address(&table));
    assert_eq!(__covet_load(address(&table), first, 8, 1), 0);
    let scaled = __covet_binary(Op::Mul as u32, 64, wide, 0, 0, 2);
    let second = __covet_binary(Op::Add as u32, 64, scaled, 0, 0, address(&varied[..]));
    let id = __covet_load(address(&varied[..]), second, 16, 1);
    assert_eq!(eval(id, &|_| 200), 200);
    assert!(run.finish().0.is_empty());
}

#[test]
fn large_and_unknown_objects_are_pinned_softly() {
    let mut run = Run::new();
    let table: Vec<u8> = (0..9000).map(|i| i as u8).collect();
    __covet_register_object(table.as_ptr(), table.len());
    let (_, i, _) = variable("i", 64);
    let at = address(&table[..]) + 100;
    let pointer = __covet_binary(Op::Add as u32, 64, i, 0, 100, address(&table[..]));
    assert_eq!(__covet_load(at, pointer, 8, 1), 0);
    assert_eq!(__covet_load(at, pointer, 8, 1), 0);
    let (_, p, _) = variable("p", 64);
    __covet_load(16, p, 32, 2);
    let (events, result) = run.finish();
    let pins: Vec<_> = events.iter().filter(|event| event.kind == Kind::Concretise as u8).collect();
    let reasons: Vec<_> = pins.iter().map(|event| Concretization::from_u16(event.detail)).collect();
    assert_eq!(reasons, [Some(Concretization::LargeObject), Some(Concretization::UnknownObject)], "each pin once");
    assert_eq!(eval(pins[0].expr, &|_| 100), 1);
    assert_eq!(Kind::from_u8(events[0].kind), Some(Kind::Bounds), "a large object has bounds too");
    assert_eq!((eval(events[0].expr, &|_| 8999), eval(events[0].expr, &|_| 9000)), (1, 0));
    assert_eq!(result.concretised[Concretization::LargeObject as usize], 2);
}

#[test]
fn a_store_through_an_index_reaches_every_cell() {
    let _run = Run::new();
    let mut table = [1u32, 2, 3, 4];
    __covet_register_object(table.as_ptr().cast(), 16);
    let (_, i, _) = variable("i", 64);
    let scaled = __covet_binary(Op::Mul as u32, 64, i, 0, 1, 4);
    let pointer = __covet_binary(Op::Add as u32, 64, scaled, 0, 4, address(&table));
    __covet_store(address(&table) + 4, pointer, 32, 0, 99, 0, 1);
    // SAFETY: the plain store that follows the hook.
    unsafe { (&raw mut table[1]).write_volatile(99) };
    for cell in 0..4u64 {
        let id = __covet_load(address(&table) + cell * 4, 0, 32, 1);
        for k in 0..4u128 {
            let expected = if k == u128::from(cell) { 99 } else { u128::from(cell) + 1 };
            assert_eq!(eval(id, &|_| k), expected);
        }
    }
    check_arena();
}

#[test]
fn a_structure_is_copied_through_an_index() {
    let _run = Run::new();
    let table: [[u32; 5]; 4] = core::array::from_fn(|i| core::array::from_fn(|j| (i * 10 + j) as u32));
    let taken = [0u32; 5];
    __covet_register_object(table.as_ptr().cast(), 80);
    let (_, i, _) = variable("i", 8);
    let wide = __covet_cast(Op::ZExt as u32, 8, 64, i);
    let scaled = __covet_binary(Op::Mul as u32, 64, wide, 0, 2, 20);
    let pointer = __covet_binary(Op::Add as u32, 64, scaled, 0, 40, address(&table));
    __covet_memory_copy(address(&taken), address(&table) + 40, 20, 0, pointer, 0, 1);
    // SAFETY: written behind the compiler's back.
    assert_eq!(unsafe { (&raw const taken[3]).read_volatile() }, 23);
    for j in 0..5u64 {
        let id = __covet_load(address(&taken) + 4 * j, 0, 32, 1);
        assert_eq!(width(id), 32);
        for k in 0..4u128 {
            assert_eq!(eval(id, &|_| k), k * 10 + u128::from(j));
        }
    }
}

#[test]
fn variadic_arguments_are_found_where_the_callee_reads_them() {
    let _run = Run::new();
    let registers = [0u64; 22];
    let stack = [0u64; 8];
    // Two integer registers and no float register are taken by named arguments.
    let list: [u64; 3] = [16 | 48 << 32, address(&stack), address(&registers)];
    let ids: Vec<u32> = (0..7).map(|i| variable(&format!("i{i}"), 32).1).collect();
    let double = variable("d", 64).1;
    let all = [ids[0], double, ids[1], ids[2], ids[3], ids[4], 0];
    let classes = [0u8, 1, 0, 0, 0, 0, 0];
    // SAFETY: the arrays above.
    unsafe { variadic::__covet_va_start(address(&list), address(&all), address(&classes), 7, 2, 0, 0) };
    assert_eq!(__covet_load(address(&registers) + 16, 0, 32, 1), ids[0]);
    assert_eq!(__covet_load(address(&registers) + 48, 0, 64, 1), double);
    assert_eq!(__covet_load(address(&registers) + 40, 0, 32, 1), ids[3]);
    assert_eq!(__covet_load(address(&stack), 0, 32, 1), ids[4]);
    assert_eq!(__covet_load(address(&stack) + 8, 0, 32, 1), 0);
}

#[test]
fn a_table_of_pointers_is_followed() {
    let mut run = Run::new();
    let words = [c"zero", c"one", c"two"];
    let mut table = [0u64; 4];
    for (i, word) in words.iter().enumerate() {
        table[i] = word.as_ptr() as u64;
        __covet_register_object(word.as_ptr().cast(), word.count_bytes() + 1);
    }
    __covet_register_object(table.as_ptr().cast(), 32);
    let (_, i, _) = variable("i", 64);
    let scaled = __covet_binary(Op::Mul as u32, 64, i, 0, 1, 8);
    let pointer = __covet_binary(Op::Add as u32, 64, scaled, 0, 8, address(&table));
    let word = __covet_load(address(&table) + 8, pointer, 64, 1);
    let second = __covet_binary(Op::Add as u32, 64, word, 0, table[1], 1);
    let letter = __covet_load(table[1] + 1, second, 8, 2);
    for k in 0..3 {
        assert_eq!(eval(letter, &|_| k), u128::from(words[k as usize].to_bytes()[1]));
    }
    let (events, _) = run.finish();
    assert_eq!(events.iter().map(|event| event.site).collect::<Vec<_>>(), [1, 2, 2]);
    for event in &events[1..] {
        assert_eq!(eval(event.expr, &|_| 2), 1);
        assert_eq!(eval(event.expr, &|_| 3), 0, "the null pointer is not among the choices");
    }
    check_arena();
}

#[test]
fn a_store_through_a_chosen_pointer_reaches_each() {
    let _run = Run::new();
    let cells = [5u32, 6];
    __covet_register_object(cells.as_ptr().cast(), 4);
    __covet_register_object(cells.as_ptr().wrapping_add(1).cast(), 4);
    let (_, c, _) = variable("c", 1);
    let (first, second) = (address(&cells), address(&cells) + 4);
    let pointer = __covet_ternary(Op::Ite as u32, 64, c, 0, 0, 0, first, second);
    __covet_store(second, pointer, 32, 0, 9, 0, 1);
    // SAFETY: the plain store that follows the hook.
    unsafe { put(second, 4, 9) };
    let ids = [first, second].map(|at| __covet_load(at, 0, 32, 1));
    assert_eq!(ids.map(|id| eval(id, &|_| 0)), [5, 9]);
    assert_eq!(ids.map(|id| eval(id, &|_| 1)), [9, 6]);
    let through = __covet_load(second, pointer, 32, 1);
    assert_eq!([0, 1].map(|value| eval(through, &|_| value)), [9, 9]);
}

#[test]
fn a_state_machine_needs_bounds_for_its_input_only() {
    let mut run = Run::new();
    let next: [[u8; 4]; 3] = [[0, 1, 2, 0], [1, 1, 2, 0], [2, 0, 1, 2]];
    __covet_register_object(next.as_ptr().cast(), 12);
    let (mut state, mut state_id) = (0u64, 0);
    for step in 0..3 {
        let (_, c, _) = variable(&format!("c{step}"), 2);
        let column = __covet_cast(Op::ZExt as u32, 2, 64, c);
        let row = if state_id == 0 { 0 } else { __covet_binary(Op::Mul as u32, 64, state_id, 0, state, 4) };
        let place = __covet_binary(Op::Add as u32, 64, row, column, state * 4, 0);
        let pointer = __covet_binary(Op::Add as u32, 64, place, 0, state * 4, address(&next));
        let loaded = __covet_load(address(&next) + state * 4, pointer, 8, step + 1);
        state_id = __covet_cast(Op::ZExt as u32, 8, 64, loaded);
        state = u64::from(next[state as usize][0]);
    }
    for input in 0..64u128 {
        let (a, b, c) = (input & 3, input >> 2 & 3, input >> 4);
        let expected = next[usize::from(next[usize::from(next[0][a as usize])][b as usize])][c as usize];
        assert_eq!(eval(state_id, &|number| [a, b, c][number as usize]), u128::from(expected));
    }
    assert!(run.finish().0.is_empty(), "states are never out of bounds");
}

#[test]
fn a_range_as_long_as_it_is() {
    let _run = Run::new();
    let memory = [0u8; 64];
    __covet_register_object(memory.as_ptr(), 64);
    let (_, c, _) = variable("c", 8);
    assert!(!bytes::range_is_symbolic(address(&memory), u64::MAX));
    store(address(&memory) + 60, 8, c, 0);
    assert!(bytes::range_is_symbolic(address(&memory), u64::MAX));
}

#[test]
fn pointers_stored_through_an_index_are_followed() {
    let mut run = Run::new();
    let cells = [5u32, 6, 7, 8];
    for cell in &cells {
        __covet_register_object((&raw const *cell).cast(), 4);
    }
    let table = [address(&cells[0]), address(&cells[1]), address(&cells[2])];
    __covet_register_object(table.as_ptr().cast(), 24);
    let (_, i, _) = variable("i", 64);
    let (_, j, _) = variable("j", 64);
    let pointer = |index: u32| {
        let scaled = __covet_binary(Op::Mul as u32, 64, index, 0, 0, 8);
        __covet_binary(Op::Add as u32, 64, scaled, 0, 0, address(&table))
    };
    __covet_store(address(&table), pointer(i), 64, 0, address(&cells[3]), 0, 1);
    // SAFETY: the plain store that follows the hook.
    unsafe { put(address(&table), 8, u128::from(address(&cells[3]))) };
    let chosen = __covet_load(address(&table), pointer(j), 64, 2);
    let value = __covet_load(address(&cells[3]), chosen, 32, 3);
    for (i, j) in [(0, 0), (0, 1), (1, 0), (2, 2), (1, 2)] {
        let expected = if i == j { 8 } else { 5 + j };
        assert_eq!(eval(value, &|number| if number == 0 { i } else { j }), expected);
    }
    assert!(run.finish().0.iter().all(|event| event.site < 3), "all pointers are good");
}
