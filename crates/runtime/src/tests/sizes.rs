//! Objects of input size: what is asked agrees with plain arithmetic, for every index and length.

use covet_abi::check::{Check, Checks};
use covet_abi::event::Kind;
use covet_abi::input::ValueKind;

use super::eval::eval;
use super::{Run, variable};
use crate::check::violations::__covet_overflow;
use crate::object::sizes::{End, Size, ask, note};
use crate::trace::variables;
use covet_abi::node::Op;

const START: u64 = 0x2050_0000_0000;

#[test]
fn an_end_is_beyond_exactly_when_the_size_is_smaller() {
    for kind in [ValueKind::Signed, ValueKind::Unsigned] {
        for (scale, before, least) in [(1, 0, 0), (4, 0, 0), (4, 4, 4), (1, 12, 16), (12, 0, 0)] {
            for (stride, plus) in [(1, 1), (4, 4), (4, 8), (2, 3), (12, 16), (1, 0)] {
                agrees(kind, Size::Counted { variable: 0, most: 9, scale, before, least }, stride, plus);
            }
        }
    }
}

fn agrees(kind: ValueKind, size: Size, stride: u64, plus: u64) {
    let mut run = Run::new();
    run.control().checks = Checks::usual().0;
    let number = variables::variable(b"n", 16, kind, 0).unwrap();
    let (index_number, index, _) = variable("i", 64);
    let Size::Counted { most, scale, before, least, .. } = size else { unreachable!("counted") };
    if plus > least.max(before + most * scale) {
        // No size has room for the first element.
        return;
    }
    note(START, Size::Counted { variable: number, most, scale, before, least });
    assert!(ask(START, 1000, End { index, stride, plus, now: plus }, 3));
    let (events, _) = run.finish();
    let check = events.iter().find(|event| event.kind == Kind::Check as u8);
    for count in [-5i64, -1, 0, 1, 2, 5, 9, 10, 300] {
        let elements = if kind == ValueKind::Signed { count.max(0) as u64 } else { count as u64 & 0xffff };
        let bytes = least.max(before + elements.min(most) * scale);
        for i in 0..40u64 {
            let value = |variable: u32| if variable == index_number { u128::from(i) } else { count as u128 & 0xffff };
            let is_bound = |event: &&covet_abi::event::Event| event.kind == Kind::Bounds as u8;
            if events.iter().filter(is_bound).all(|event| eval(event.expr, &value) == 1) {
                let asked = check.map_or(0, |event| eval(event.expr, &value));
                assert_eq!(
                    asked,
                    u128::from(i * stride + plus > bytes),
                    "{kind:?} {count} {i} {scale} {before} {stride} {plus}"
                );
            }
        }
    }
}

#[test]
fn a_plain_access_is_asked_in_the_width_of_the_length() {
    let mut run = Run::new();
    run.control().checks = Checks::usual().0;
    let (number, _, _) = variable("n", 32);
    note(START, Size::Counted { variable: number, most: 100, scale: 4, before: 0, least: 0 });
    assert!(ask(START, 40, End { index: 0, stride: 0, plus: 0, now: 12 }, 3));
    let (events, _) = run.finish();
    for (count, beyond) in [(0, 1), (2, 1), (3, 0), (u128::from(u32::MAX), 0)] {
        assert_eq!(eval(events[0].expr, &|_| count), beyond);
    }
}

#[test]
fn signed_results_that_do_not_fit_are_asked_for() {
    for (op, apply) in [
        (Op::Add, i128::wrapping_add as fn(i128, i128) -> i128),
        (Op::Sub, i128::wrapping_sub),
        (Op::Mul, i128::wrapping_mul),
    ] {
        let mut run = Run::new();
        run.control().checks = Checks::all().0;
        let (first, a, _) = variable("a", 8);
        let (_, b, _) = variable("b", 8);
        __covet_overflow(7, op as u32, 8, a, b, 0, 0);
        let (events, _) = run.finish();
        assert_eq!((events.len(), events[0].detail), (1, Check::SignedOverflow as u16));
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                let value = |variable: u32| if variable == first { u128::from(x as u8) } else { u128::from(y as u8) };
                let fits = i8::try_from(apply(x.into(), y.into())).is_ok();
                assert_eq!(eval(events[0].expr, &value), u128::from(!fits), "{op:?} {x} {y}");
            }
        }
    }
}
