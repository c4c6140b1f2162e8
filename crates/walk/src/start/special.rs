//! Values worth trying before any step is taken: the corners of each type, and the constants of the conditions.

use crate::problem::Problem;
use crate::problem::schedule::Step;
use crate::problem::space::{Kind, Point, Variable};
use crate::random::Random;
use covet_expr::bits::mask;
use rustc_hash::FxHashSet;

/// Candidate bits for each variable: a few plain ones first.
#[derive(Clone, Debug)]
pub(crate) struct Specials(Vec<Vec<u64>>);

/// Plain values stand in front of a variable's list.
const PLAIN: usize = 5;
/// Constants of the conditions taken up per variable.
const MOST_CONSTANTS: usize = 48;

impl Specials {
    pub fn of(problem: &Problem<'_>) -> Specials {
        let values = |(x, variable): (usize, &Variable)| {
            let mut numbers = vec![0.0, 1.0, -1.0, 2.0, 10.0];
            for &at in &problem.of_variable[x] {
                collect_constants(problem, at, *variable, &mut numbers);
            }
            let mut all: Vec<u64> = numbers.iter().map(|number| variable.bits(*number)).collect();
            all.extend(corners(*variable));
            let mut seen = FxHashSet::default();
            all.retain(|bits| seen.insert(*bits));
            all
        };
        Specials(problem.variables.iter().enumerate().map(values).collect())
    }

    pub fn of_variable(&self, x: usize) -> &[u64] {
        &self.0[x]
    }

    pub fn pick(&self, x: usize, random: &mut Random) -> u64 {
        *random.pick(&self.0[x])
    }

    /// A point of special values; variables often agree, or differ in their sign.
    pub fn point(&self, variables: &[Variable], random: &mut Random) -> Point {
        let mut point = Point::new();
        for (x, variable) in variables.iter().enumerate() {
            let alike = (0..x).filter(|y| variables[*y].kind == variable.kind && variables[*y].width == variable.width);
            let alike: Vec<usize> = alike.collect();
            let bits = match random.below(8) {
                0 | 1 if !alike.is_empty() => point[*random.pick(&alike)],
                2 if !alike.is_empty() => variable.bits(-variable.number(point[*random.pick(&alike)])),
                3 | 4 => self.pick(x, random),
                _ => *random.pick(&self.0[x][..self.0[x].len().min(PLAIN)]),
            };
            point.push(bits);
        }
        point
    }
}

/// The constants of a constraint as numbers, with what is next to them.
fn collect_constants(problem: &Problem<'_>, at: usize, variable: Variable, numbers: &mut Vec<f64>) {
    let schedule = &problem.constraints[at].schedule;
    let (pool, mut found) = (problem.pool, Vec::new());
    for (step, &t) in schedule.steps.iter().zip(&schedule.terms) {
        let Step::Constant(bits) = step else { continue };
        let width = pool.width(t);
        let as_integer = covet_expr::bits::signed(*bits, width) as f64;
        let number = match (variable.kind, width) {
            (Kind::Float, 32) if *bits >> 23 != 0 => f64::from(f32::from_bits(*bits as u32)),
            (Kind::Float, 64) if *bits >> 52 != 0 => f64::from_bits(*bits as u64),
            _ => as_integer,
        };
        if number.is_finite() && !found.contains(&number) {
            found.push(number);
        }
        if found.len() >= MOST_CONSTANTS {
            break;
        }
    }
    for (i, &c) in found.iter().enumerate() {
        numbers.extend([c, -c, c + 1.0, c - 1.0, c / 2.0, 1.0 / c, c.abs().sqrt()]);
        if variable.is_float() {
            numbers.extend([c.next_up(), c.next_down()]);
        }
        if i < 6 {
            numbers.extend(found.iter().take(6).flat_map(|d| [c * d, c / d, c + d]));
        }
    }
    numbers.retain(|number| !number.is_nan());
}

fn corners(variable: Variable) -> Vec<u64> {
    let all = mask(variable.width) as u64;
    match (variable.kind, variable.width) {
        (Kind::Float, width) => {
            let (infinity, tiniest_normal) = if width == 32 { (0x7f80_0000, 1 << 23) } else { (0x7ff << 52, 1 << 52) };
            let sign = 1u64 << (width - 1);
            let positive = [0, 1, tiniest_normal - 1, tiniest_normal, infinity - 1, infinity, infinity + 1, all >> 1];
            positive.into_iter().flat_map(|bits| [bits, bits | sign]).collect()
        }
        (_, width) => {
            let powers = (0..width).map(|k| 1u64 << k);
            powers.flat_map(|power| [power, power.wrapping_sub(1), power.wrapping_neg() & all]).chain([all]).collect()
        }
    }
}
