//! Evaluations per second, interpreted and compiled: of a polynomial in floats and of one with library calls.

use covet_abi::library::number_of;
use covet_expr::{Op, Pool, Shape, Term};
use covet_input::VarId;
use covet_walk::{Problem, Speed, speed};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often per second a condition can be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations {
    pub of: &'static str,
    pub speed: Speed,
    /// How often its library calls alone could be made; infinitely often when it has none.
    pub calls: f64,
}

impl Evaluations {
    pub fn ratio(&self) -> f64 {
        self.speed.compiled / self.speed.interpreted
    }

    /// Of the time of a compiled evaluation, the part spent in the library, which compiling cannot make shorter.
    pub fn in_calls(&self) -> f64 {
        self.speed.compiled / self.calls
    }
}

/// For a condition without library calls and for one with nine.
pub fn evaluations(time: Duration) -> Vec<Evaluations> {
    let kinds = [("polynomial", None), ("with library calls", Some("sin"))];
    let measured = |(of, call): (&'static str, Option<&str>)| {
        let calls = if call.is_some() { nine_calls(time) } else { f64::INFINITY };
        Some(Evaluations { of, speed: measure(call, time)?, calls })
    };
    kinds.into_iter().filter_map(measured).collect()
}

/// How often per second the library's `sin` can be called nine times.
fn nine_calls(time: Duration) -> f64 {
    let start = Instant::now();
    let mut done = 0.0;
    while start.elapsed() < time {
        for _ in 0..1000 {
            for _ in 0..9 {
                black_box(black_box(0.7f64).sin());
            }
        }
        done += 1000.0;
    }
    done / start.elapsed().as_secs_f64()
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
