//! A guard against hooks becoming slow by an order of magnitude.

use std::time::{Duration, Instant};

use covet_abi::node::Op;

use super::{Run, address, variable};
use crate::object::lookup::__covet_register_object;
use crate::shadow::access::{__covet_load, __covet_store};
use crate::term::operators::__covet_binary;

#[test]
fn a_hundred_thousand_operations_take_milliseconds() {
    let mut run = Run::new();
    let memory = [0u64; 512];
    let mut best = Duration::MAX;
    for _ in 0..5 {
        run.again(&[]);
        let (_, mut x, _) = variable("x", 64);
        let start = Instant::now();
        for i in 0..33_000u64 {
            x = __covet_binary([Op::Add, Op::Xor, Op::Mul][i as usize % 3] as u32, 64, x, 0, 0, i | 3);
            let at = address(&memory) + i % 512 * 8;
            __covet_store(at, 0, 64, x, 0, 0, 1);
            assert_eq!(__covet_load(at, 0, 64, 1), x);
        }
        best = best.min(start.elapsed());
    }
    println!("{:.1} ns an operation", best.as_nanos() as f64 / 99_000.0);
    assert!(best < Duration::from_millis(100), "{best:?}");
}

#[test]
fn a_lookup_table_is_cheap_the_second_time() {
    let _run = Run::new();
    let table: Vec<u8> = (0..4096u32).map(|i| (i * 7) as u8).collect();
    __covet_register_object(table.as_ptr(), table.len());
    let (_, i, _) = variable("i", 64);
    let pointer = __covet_binary(Op::Add as u32, 64, i, 0, 0, address(&table[..]));
    let start = Instant::now();
    let first = __covet_load(address(&table[..]), pointer, 8, 1);
    println!("first {:?}", start.elapsed());
    let start = Instant::now();
    for _ in 0..1000 {
        assert_eq!(__covet_load(address(&table[..]), pointer, 8, 1), first);
    }
    println!("then {:?}", start.elapsed() / 1000);
    assert!(start.elapsed() < Duration::from_millis(100));
}
