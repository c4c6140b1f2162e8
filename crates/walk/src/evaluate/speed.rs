//! How fast constraints are evaluated, interpreted and compiled: for benchmarks.

use crate::evaluate::compile::Compiled;
use crate::evaluate::score::Reading;
use crate::problem::Problem;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Evaluations of one constraint per second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    pub interpreted: f64,
    pub compiled: f64,
}

/// Measures the first constraint of a problem for about `time` each way; `None` when it cannot be compiled.
pub fn speed(problem: &Problem<'_>, time: Duration) -> Option<Speed> {
    let constraint = problem.constraints.first()?;
    let compiled = Compiled::new(problem.pool, constraint);
    if !compiled.works() {
        return None;
    }
    let mut point: Vec<u64> = problem.variables.iter().map(|v| v.bits(0.7)).collect();
    let mut values = Vec::new();
    let mut reading =
        Reading { measures: vec![0.0; constraint.parts.measures.len()], truths: vec![0; constraint.parts.atoms.len()] };
    let interpreted = rate(time, |i| {
        point[0] = point[0].wrapping_add(i & 1);
        constraint.schedule.run(problem.pool, &point, &mut values);
        black_box(&values);
    });
    let compiled = rate(time, |i| {
        point[0] = point[0].wrapping_add(i & 1);
        compiled.run(&point, &mut reading);
        black_box(&reading);
    });
    Some(Speed { interpreted, compiled })
}

fn rate(time: Duration, mut once: impl FnMut(u64)) -> f64 {
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < time {
        (0..1000).for_each(&mut once);
        done += 1000;
    }
    done as f64 / start.elapsed().as_secs_f64()
}
