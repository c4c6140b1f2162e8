//! Variables, their names and values, and the events of assumptions, branches and divisions.

use std::ffi::CString;

use covet_abi::check::{Check, Checks};
use covet_abi::event::{Concretization, Kind};
use covet_abi::input::ValueKind;
use covet_abi::node::Op;
use covet_abi::sites::Leaf;

use super::eval::eval;
use super::{Run, address, variable};
use crate::shadow::access::__covet_load;
use crate::shadow::calls::{__covet_args, __covet_args_for, __covet_ret};
use crate::term::arena;
use crate::term::operators::__covet_binary;
use crate::trace::events::*;
use crate::trace::marking::*;
use crate::trace::variables;

fn mark(memory: &mut [u8], name: &str, leaves: &[Leaf]) {
    let name = CString::new(name).unwrap();
    // SAFETY: memory and leaves of the test.
    unsafe {
        __covet_make_symbolic(memory.as_mut_ptr(), memory.len(), name.as_ptr(), leaves.as_ptr(), leaves.len() as u32)
    };
}

fn names() -> Vec<String> {
    // SAFETY: attached pages.
    let count = unsafe { (*arena::control()).variable_count } as u32;
    (0..count).map(|number| String::from_utf8(variables::name(number).to_vec()).unwrap()).collect()
}

fn leaf(offset: u32, width: u16, kind: ValueKind) -> Leaf {
    Leaf { offset, width, kind: kind as u8, pad: 0 }
}

#[test]
fn names_of_marked_memory() {
    let mut run = Run::new();
    let mut memory = [0u8; 16];
    mark(&mut memory[..4], "x", &[leaf(0, 32, ValueKind::Signed)]);
    mark(&mut memory[..4], "x", &[leaf(0, 32, ValueKind::Signed)]);
    mark(&mut memory[..8], "a", &[leaf(0, 32, ValueKind::Signed), leaf(4, 32, ValueKind::Signed)]);
    mark(&mut memory, "s", &[leaf(0, 8, ValueKind::Char), leaf(8, 64, ValueKind::Float)]);
    mark(&mut memory[..2], "raw", &[]);
    mark(&mut memory[..2], "raw", &[]);
    let expected =
        ["x", "x#2", "a[0]", "a[1]", "s.0", "s.8", "raw[0]", "raw[1]", "raw#2[0]", "raw#2[1]"].map(String::from);
    assert_eq!(names(), expected);
    run.again(&[]);
    mark(&mut memory[..4], "x", &[leaf(0, 32, ValueKind::Signed)]);
    assert_eq!(names(), expected, "the next run meets the same variables");
}

#[test]
fn values_come_from_the_input_and_are_listed_in_order_of_use() {
    let mut run = Run::new();
    let (x, _, _) = variable("x", 32);
    let (y, _, _) = variable("y", 8);
    run.again(&[(y, 0x1ff), (x, 7)]);
    let mut memory = [0u8; 8];
    mark(&mut memory[..4], "z", &[leaf(0, 32, ValueKind::Signed)]);
    mark(&mut memory[4..8], "x", &[leaf(0, 32, ValueKind::Signed)]);
    let name = CString::new("y").unwrap();
    assert_eq!(__covet_input(ValueKind::Unsigned as u32, 8, name.as_ptr()), 0xff);
    assert_eq!(__covet_ret.get()[0], crate::term::build::zero_extend(64, variables::variable_node(y)));
    assert_eq!(memory, [0, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(__covet_load(address(&memory) + 4, 0, 32, 1), variables::variable_node(x));
    let (_, result) = run.finish();
    assert_eq!(result.variables_len, 3);
    let lists = arena::region(&run.control().regions.lists);
    // SAFETY: written by the run.
    let list = unsafe { std::slice::from_raw_parts(lists.add(result.variables_at as usize), 9) };
    assert_eq!(list, [2, 0, 0, u64::from(x), 7, 0, u64::from(y), 0xff, 0]);
}

#[test]
fn a_name_with_another_width_is_another_variable() {
    let _run = Run::new();
    let name = CString::new("n").unwrap();
    __covet_input(ValueKind::Unsigned as u32, 32, name.as_ptr());
    let mut memory = [0u8; 8];
    let (_, n, _) = variable("n", 64);
    assert_eq!(arena::width(n), 32);
    mark(&mut memory, "n", &[leaf(0, 64, ValueKind::Unsigned)]);
    assert_eq!(arena::width(__covet_load(address(&memory), 0, 64, 1)), 64);
}

#[test]
fn random_values_depend_on_seed_and_name_only() {
    let mut run = Run::new();
    run.control().first = 1;
    run.control().seed = 5;
    run.again(&[]);
    let first = variable("a", 64).2;
    let other = variable("b", 64).2;
    assert_ne!(first, other);
    run.again(&[]);
    assert_eq!((variable("b", 64).2, variable("a", 64).2), (other, first));
    run.control().seed = 6;
    run.again(&[]);
    assert_ne!(variable("a", 64).2, first);
}

#[test]
fn bit_fields_leave_their_neighbours() {
    let mut run = Run::new();
    let (f, _, _) = variable("f", 5);
    let (g, _, _) = variable("g", 11);
    run.again(&[(f, 0b10101), (g, 0x7ff)]);
    let memory = [0xffu8, 0, 0, 0];
    // SAFETY: memory of the test.
    unsafe {
        place(f, address(&memory), 3);
        place(g, address(&memory), 8);
    }
    // SAFETY: written behind the compiler's back.
    let now = unsafe { core::ptr::read_volatile(&memory) };
    assert_eq!(now, [0b1010_1111, 0xff, 0x07, 0]);
    let id = __covet_load(address(&memory), 0, 32, 1);
    assert_eq!(eval(id, &|number| if number == f { 0 } else { 1 }), 0b0000_0111 | 1 << 8);
}

#[test]
fn stdin_bytes_are_the_same_variables_wherever_they_are_read_to() {
    let _run = Run::new();
    let mut memory = [9u8; 8];
    let name = CString::new("stdin").unwrap();
    // SAFETY: memory of the test.
    unsafe {
        __covet_name_symbolic_bytes(memory.as_mut_ptr(), 4, name.as_ptr(), 0);
        __covet_name_symbolic_bytes(memory.as_mut_ptr().add(4), 2, name.as_ptr(), 2);
    }
    assert_eq!(names(), ["stdin[0]", "stdin[1]", "stdin[2]", "stdin[3]"]);
    assert_eq!(__covet_load(address(&memory) + 2, 0, 16, 1), __covet_load(address(&memory) + 4, 0, 16, 1));
    assert_eq!(__covet_symbolic_range(memory.as_ptr(), 1), 1);
    assert_eq!(__covet_symbolic_range(memory.as_ptr().wrapping_add(6), 2), 0);
}

#[test]
fn divisions_are_checked() {
    let mut run = Run::new();
    run.control().checks = Checks::all().0;
    let (_, a, _) = variable("a", 32);
    let (_, b, _) = variable("b", 32);
    __covet_division(3, 1, 32, a, b, 8, 0, 2, 0);
    __covet_division(4, 1, 32, a, 0, 8, 0, 0xffff_ffff, 0);
    __covet_division(5, 1, 32, a, 0, 8, 0, 2, 0);
    __covet_division(6, 0, 32, 0, b, 8, 0, 0, 0);
    let (events, _) = run.finish();
    let seen: Vec<_> = events.iter().map(|event| (event.site, event.detail, event.taken)).collect();
    let (zero, overflow) = (Check::DivisionByZero as u16, Check::DivisionOverflow as u16);
    assert_eq!(seen, [(3, zero, 0), (3, overflow, 0), (4, overflow, 0), (6, zero, 1)]);
    assert_eq!(eval(events[1].expr, &|number| if number == 0 { 1 << 31 } else { 0xffff_ffff }), 1);
    assert_eq!(eval(events[2].expr, &|_| 1 << 31), 1);
}

#[test]
fn events_in_order_and_repeated_ones_once() {
    let mut run = Run::new();
    let (_, x, _) = variable("x", 32);
    let less = __covet_binary(Op::Ult as u32, 32, x, 0, 0, 10);
    __covet_branch(1, less, 1);
    __covet_branch(1, less, 1);
    __covet_switch(2, x, 32, 5);
    __covet_target(3, crate::term::build::zero_extend(64, x), 5);
    __covet_branch(1, less, 1);
    __covet_concretise(Concretization::Output as u32, x, 32, 5, 0);
    __covet_concretise(Concretization::Output as u32, x, 32, 5, 0);
    __covet_count(Concretization::InlineAsm as u32);
    __covet_external(3);
    let (events, result) = run.finish();
    let kinds: Vec<_> = events.iter().map(|event| Kind::from_u8(event.kind).unwrap()).collect();
    // That the target is not NULL is known before it is taken.
    let expected = [Kind::Branch, Kind::Switch, Kind::Bounds, Kind::Target, Kind::Branch, Kind::Concretise];
    assert_eq!(kinds, expected);
    assert_eq!(events[1].value, 5);
    assert_eq!(result.concretised[Concretization::Output as usize], 2);
    assert_eq!(result.concretised[Concretization::InlineAsm as usize], 1);
    assert_eq!(result.concretised[Concretization::External as usize], 1);
}

#[test]
fn assumptions_take_the_condition_from_the_call() {
    let mut run = Run::new();
    let (_, x, _) = variable("x", 32);
    let mut arguments = [0; 64];
    arguments[0] = x;
    __covet_args.set(arguments);
    __covet_args_for.set(__covet_assume as *const () as u64);
    __covet_assume(5);
    __covet_assume(1);
    __covet_args_for.set(__covet_is_symbolic as *const () as u64);
    assert_eq!(__covet_is_symbolic(5), 1);
    assert_eq!(__covet_is_symbolic(5), 0);
    let (events, _) = run.finish();
    assert_eq!(events.len(), 1, "a concrete assumption says nothing");
    assert_eq!(Kind::from_u8(events[0].kind), Some(Kind::Assume));
    assert_eq!((eval(events[0].expr, &|_| 0), eval(events[0].expr, &|_| 3)), (0, 1));
}
