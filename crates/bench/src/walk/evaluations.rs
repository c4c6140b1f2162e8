//! Evaluations per second, interpreted and compiled: of a polynomial in floats and of one with library calls.

use covet_abi::library::number_of;
use covet_expr::{Op, Pool, Shape, Term};
use covet_input::VarId;
use covet_walk::{Problem, Speed, speed};
use std::time::Duration;

/// The speeds by what is evaluated.
pub fn evaluations(time: Duration) -> Vec<(&'static str, Speed)> {
    let kinds = [("polynomial", None), ("with library calls", Some("sin"))];
    kinds.into_iter().filter_map(|(name, call)| Some((name, measure(call, time)?))).collect()
}

/// The discriminant of a ray and a sphere, as the ray tracer computes it, each coordinate through `call`.
fn measure(call: Option<&str>, time: Duration) -> Option<Speed> {
    let mut pool = Pool::new();
    let number = call.and_then(number_of).map(|number| number as u64);
    let mut next = 0;
    let mut coordinate = |pool: &mut Pool| {
        let plain = pool.var_with(VarId(next), 64, 0);
        next += 1;
        number.map_or(plain, |imm| pool.make(Shape { op: Op::Call, aux: 0, width: 64, imm }, &[plain]))
    };
    let mut vector = |pool: &mut Pool| [(); 3].map(|()| coordinate(pool));
    let (centre, origin, direction) = (vector(&mut pool), vector(&mut pool), vector(&mut pool));
    let apart = [0, 1, 2].map(|i| pool.binary(Op::FSub, centre[i], origin[i]));
    let along = dot(&mut pool, direction, apart);
    let square = pool.binary(Op::FMul, along, along);
    let distance = dot(&mut pool, apart, apart);
    let rest = pool.binary(Op::FSub, square, distance);
    let zero = pool.bits(64, 0);
    let condition = pool.binary(Op::FLt, zero, rest);
    speed(&Problem::new(&pool, &[condition])?, time)
}

fn dot(pool: &mut Pool, a: [Term; 3], b: [Term; 3]) -> Term {
    let products = [0, 1, 2].map(|i| pool.binary(Op::FMul, a[i], b[i]));
    let sum = pool.binary(Op::FAdd, products[0], products[1]);
    pool.binary(Op::FAdd, sum, products[2])
}
