//! The value of a node under an assignment, straight from the definitions in `abi::node`: what simplification must keep.

use covet_abi::node::{NodeId, Op};

use crate::term::arena::{self, constant_bits, mask, node, width};

pub fn eval(id: NodeId, input: &dyn Fn(u32) -> u128) -> u128 {
    let record = *node(id);
    let bits = u32::from(record.width);
    let op = Op::from_u8(record.op).unwrap_or_else(|| panic!("node {id} has no operator"));
    let child = |id: NodeId| eval(id, input);
    let signed = |id: NodeId| sign(eval(id, input), width(id));
    let shift = |amount: u128| (amount % u128::from(bits)) as u32;
    let value = match op {
        Op::Const => constant_bits(id).unwrap(),
        Op::Var => input(record.a),
        Op::Add => child(record.a).wrapping_add(child(record.b)),
        Op::Sub => child(record.a).wrapping_sub(child(record.b)),
        Op::Mul => child(record.a).wrapping_mul(child(record.b)),
        Op::UDiv => child(record.a).checked_div(child(record.b)).unwrap_or(u128::MAX),
        Op::URem => child(record.a).checked_rem(child(record.b)).unwrap_or(child(record.a)),
        Op::SDiv => match signed(record.b) {
            0 if signed(record.a) < 0 => 1,
            0 => u128::MAX,
            by => signed(record.a).wrapping_div(by) as u128,
        },
        Op::SRem => match signed(record.b) {
            0 => child(record.a),
            by => signed(record.a).wrapping_rem(by) as u128,
        },
        Op::Shl => child(record.a) << shift(child(record.b)),
        Op::LShr => child(record.a) >> shift(child(record.b)),
        Op::AShr => (signed(record.a) >> shift(child(record.b))) as u128,
        Op::And => child(record.a) & child(record.b),
        Op::Or => child(record.a) | child(record.b),
        Op::Xor => child(record.a) ^ child(record.b),
        Op::Not => !child(record.a),
        Op::Eq => u128::from(child(record.a) == child(record.b)),
        Op::Ult => u128::from(child(record.a) < child(record.b)),
        Op::Ule => u128::from(child(record.a) <= child(record.b)),
        Op::Slt => u128::from(signed(record.a) < signed(record.b)),
        Op::Sle => u128::from(signed(record.a) <= signed(record.b)),
        Op::ZExt => child(record.a),
        Op::SExt => signed(record.a) as u128,
        Op::Extract => child(record.a) >> record.imm,
        Op::Concat => child(record.a) << width(record.b) | child(record.b),
        Op::Ite => child(if child(record.a) == 1 { record.b } else { record.c }),
        Op::Select => entry(record.b, child(record.a)).map_or(0, child),
        Op::PopCount => u128::from(child(record.a).count_ones()),
        Op::LeadingZeros => u128::from(child(record.a).leading_zeros()) + u128::from(bits) - 128,
        Op::TrailingZeros => u128::from(child(record.a).trailing_zeros().min(bits)),
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => no(op),
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno => no(op),
        Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF | Op::Call => no(op),
    };
    value & mask(bits)
}

fn no(op: Op) -> u128 {
    panic!("{op:?} is not evaluated in these tests")
}

fn sign(bits: u128, width: u32) -> i128 {
    ((bits << (128 - width)) as i128) >> (128 - width)
}

fn entry(table: u32, index: u128) -> Option<NodeId> {
    // SAFETY: attached pages, written by the run.
    unsafe {
        let control = &*arena::control();
        assert!(u64::from(table) < control.table_count);
        let table = *arena::region(&control.regions.tables).add(table as usize);
        let entries = arena::region(&control.regions.entries).add(table.start as usize);
        (index < u128::from(table.len)).then(|| *entries.add(index as usize))
    }
}

/// Every node is well-formed: children come first and widths agree.
pub fn check_arena() {
    // SAFETY: attached pages.
    let count = unsafe { (*arena::control()).node_count };
    for id in 1..count as u32 {
        let record = node(id);
        let op = Op::from_u8(record.op).expect("an operator");
        let of = |child: NodeId| {
            assert!(child != 0 && child < id, "{op:?} {id} before its child {child}");
            width(child)
        };
        let bits = u32::from(record.width);
        assert!((1..=128).contains(&bits));
        match op {
            Op::Const | Op::Var => {}
            Op::ZExt | Op::SExt => assert!(of(record.a) < bits),
            Op::Extract => assert!(record.imm as u32 + bits <= of(record.a)),
            Op::Concat => assert_eq!(of(record.a) + of(record.b), bits),
            Op::Ite => assert_eq!((of(record.a), of(record.b), of(record.c)), (1, bits, bits)),
            Op::Select => assert!(of(record.a) <= 64),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => assert_eq!((of(record.a), bits), (of(record.b), 1)),
            Op::Not | Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => assert_eq!(of(record.a), bits),
            Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr => {
                assert_eq!((of(record.a), of(record.b)), (bits, bits));
            }
            Op::AShr | Op::And | Op::Or | Op::Xor => assert_eq!((of(record.a), of(record.b)), (bits, bits)),
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMin | Op::FMax | Op::FCopySign => {
                assert_eq!((of(record.a), of(record.b)), (bits, bits));
            }
            Op::FEq | Op::FLt | Op::FLe | Op::FUno => assert_eq!((of(record.a), bits), (of(record.b), 1)),
            Op::FNeg | Op::FAbs | Op::FSqrt | Op::FRound => assert_eq!(of(record.a), bits),
            Op::FFma => assert_eq!((of(record.a), of(record.b), of(record.c)), (bits, bits, bits)),
            Op::FToF | Op::FToS | Op::FToU | Op::SToF | Op::UToF => assert!(of(record.a) > 0),
            Op::Call => assert_eq!(of(record.a), bits),
        }
    }
}
