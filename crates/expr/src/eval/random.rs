//! Random deep terms: what the constructors built evaluates as what was asked for.

use crate::eval::apply::{Operands, apply};
use crate::simplify::build::Shape;
use crate::{Batch, Evaluator, Op, Pool, Tape, Term, arity};
use covet_input::{Input, VarId};
use proptest::prelude::*;

/// One step of building: an operator and which earlier terms it takes.
type Recipe = (u8, u16, u16, u16, u16);

const WIDTHS: [u16; 7] = [1, 3, 8, 16, 32, 64, 128];

/// A term and what it must evaluate to.
struct Built {
    term: Term,
    value: u128,
    width: u16,
}

/// Picks an earlier term of this width, or makes one fit.
fn pick(pool: &mut Pool, built: &[Built], at: u16, width: u16) -> (Term, u128) {
    let chosen = &built[at as usize % built.len()];
    let from = chosen.width;
    let (shape, operands) = if from == width {
        return (chosen.term, chosen.value);
    } else if from < width {
        let op = if at.is_multiple_of(2) { Op::ZExt } else { Op::SExt };
        (Shape::new(op, width), Operands { values: [chosen.value, 0, 0], widths: [from, 0, 0] })
    } else {
        let low = u64::from(at % (from - width + 1));
        let shape = Shape { op: Op::Extract, aux: 0, width, imm: low };
        (shape, Operands { values: [chosen.value, 0, 0], widths: [from, 0, 0] })
    };
    let value = apply(pool.library(), shape.op, shape.aux, shape.width, shape.imm, &operands);
    (pool.make(shape, &[chosen.term]), value)
}

fn grow(pool: &mut Pool, built: &[Built], (op, w, a, b, c): Recipe) -> Option<Built> {
    let op = Op::ALL[op as usize % Op::ALL.len()];
    let wide = WIDTHS[w as usize % WIDTHS.len()];
    let float = if w.is_multiple_of(2) { 32 } else { 64 };
    let is_float = op >= Op::FAdd && op <= Op::FUno;
    let operand = match op {
        Op::Const | Op::Var | Op::Call | Op::Select | Op::ZExt | Op::SExt | Op::Extract => return None,
        Op::FToF | Op::FToS | Op::FToU => float,
        _ if is_float => float,
        _ => wide,
    };
    let width = match op {
        Op::Concat if wide > 64 => return None,
        Op::Concat => 2 * wide,
        Op::FToF => 96 - float,
        Op::FToS | Op::FToU => wide,
        Op::SToF | Op::UToF => float,
        _ if op.is_comparison() => 1,
        _ => operand,
    };
    let mut kids = Vec::new();
    let mut operands = Operands::default();
    for (i, at) in [a, b, c].into_iter().enumerate().take(arity(op)) {
        let wanted = if op == Op::Ite && i == 0 { 1 } else { operand };
        let (term, value) = pick(pool, built, at, wanted);
        kids.push(term);
        operands.values[i] = value;
        operands.widths[i] = wanted;
    }
    let aux = if op == Op::FRound { (c % 5) as u8 } else { 0 };
    let shape = Shape { op, aux, width, imm: 0 };
    let value = apply(pool.library(), op, aux, width, 0, &operands);
    Some(Built { term: pool.make(shape, &kids), value, width })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn built_terms_mean_what_was_asked_for(
        values in proptest::collection::vec(prop_oneof![any::<u128>(), 0u128..4, Just(u128::MAX), Just(0x3ff0_0000_0000_0000), Just(0x7f80_0000)], 5),
        recipes in proptest::collection::vec(any::<Recipe>(), 1..60),
        constants in proptest::collection::vec((any::<u128>(), 0usize..7), 4),
    ) {
        let mut pool = Pool::new();
        let mut input = Input::default();
        let mut built = Vec::new();
        for (i, value) in values.iter().enumerate() {
            let (id, width) = (VarId(i as u32), WIDTHS[i + 1]);
            input.set(id, crate::bits::truncate(*value, width));
            built.push(Built { term: pool.var_with(id, width, 0), value: crate::bits::truncate(*value, width), width });
        }
        for (value, w) in constants {
            let width = WIDTHS[w];
            built.push(Built { term: pool.bits(width, value), value: crate::bits::truncate(value, width), width });
        }
        for recipe in recipes {
            if let Some(next) = grow(&mut pool, &built, recipe) {
                built.push(next);
            }
        }
        let mut evaluator = Evaluator::new(&pool, &input);
        for b in &built {
            prop_assert_eq!(pool.width(b.term), b.width);
            let got = evaluator.value(b.term);
            prop_assert!(got == b.value || same_nan(b.width, got, b.value),
                "{} is {:#x}, not {:#x}", crate::text::text(&pool, &Default::default(), b.term), got, b.value);
        }
        // Changing a variable over the base equals evaluating the changed input afresh.
        let changes = [(VarId(1), 77u128), (VarId(3), 5)];
        let mut changed = input.clone();
        changes.iter().for_each(|(id, value)| changed.set(*id, *value));
        evaluator.change();
        let mut batch = Batch::default();
        let mut fresh = Evaluator::new(&pool, &changed);
        for b in &built {
            let (overlaid, expected) = (evaluator.value_changed(b.term, &changes), fresh.value(b.term));
            prop_assert!(overlaid == expected || same_nan(b.width, overlaid, expected));
            // So does running it as a tape, alone or beside others.
            let moved = changes.map(|(id, _)| id);
            let Some(mut tape) = Tape::compile(&mut evaluator, b.term, &moved, usize::MAX) else { continue };
            let alone = tape.run(changes.iter().map(|(_, value)| *value));
            prop_assert!(alone == expected || same_nan(b.width, alone, expected));
            if tape.is_narrow() {
                let beside = u128::from(batch.run(&tape, 3, |variable, at| changes[variable].1 as u64 + 2 - at as u64)[2]);
                prop_assert!(beside == expected || same_nan(b.width, beside, expected));
            }
        }
    }
}

/// Two NaNs: which operand's payload survives is not fixed by the language.
fn same_nan(width: u16, a: u128, b: u128) -> bool {
    match width {
        32 => f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan(),
        64 => f64::from_bits(a as u64).is_nan() && f64::from_bits(b as u64).is_nan(),
        _ => false,
    }
}
