//! Points to start from: random ones, those inside the starting box, and those inside the polytope by hit and run.

use crate::evaluate::ConstraintEvaluator;
use crate::problem::space::{Point, Variable};
use crate::random::Random;
use crate::start::interval::Interval;
use crate::start::polytope::Split;
use crate::start::special::Specials;

/// Steps of hit and run from the polytope's point.
const HITS: usize = 4;

/// A random point; inside the polytope when there is one around `inside`.
pub(crate) fn sample(
    evaluator: &mut ConstraintEvaluator<'_>,
    split: &Split,
    specials: &Specials,
    boxes: &[Interval],
    inside: &Point,
    random: &mut Random,
) -> Point {
    let variables = &evaluator.problem.variables;
    let boxed = random.flip();
    let any = |x: usize, v: Variable, random: &mut Random| {
        let drawn = if boxed { within(v, boxes[x], random) } else { None };
        drawn.unwrap_or_else(|| value(v, x, specials, random))
    };
    if split.linear.is_empty() || random.below(3) == 0 {
        return variables.iter().enumerate().map(|(x, v)| any(x, *v, random)).collect();
    }
    let mut point = inside.clone();
    for _ in 0..HITS {
        point = hit(evaluator, split, &point, random);
    }
    for (x, v) in evaluator.problem.variables.iter().enumerate() {
        let bounded = split.linear.iter().any(|at| evaluator.problem.constraints[*at].variables.contains(&x));
        if !bounded {
            point[x] = any(x, *v, random);
        }
    }
    point
}

/// A value of a starting box that is smaller than the type: even by number or by magnitude.
fn within(variable: Variable, range: Interval, random: &mut Random) -> Option<u64> {
    let (low, high) = variable.range();
    if range.is_empty() || (range.low <= low && range.high >= high) {
        return None;
    }
    if random.flip() {
        let share = random.unit();
        return Some(variable.bits(range.low * (1.0 - share) + range.high * share));
    }
    let (first, last) = (variable.place(variable.bits(range.low)), variable.place(variable.bits(range.high)));
    Some(variable.moved(variable.bits(range.low), (random.unit() * (last - first) as f64) as i64))
}

/// One value of a type: special, of any magnitude, or any bits.
fn value(variable: Variable, x: usize, specials: &Specials, random: &mut Random) -> u64 {
    match random.below(8) {
        0 | 1 => specials.pick(x, random),
        2 => random.next() & covet_expr::bits::mask(variable.width) as u64,
        3 | 4 => variable.bits((random.unit() - 0.5) * 20.0),
        _ => variable.bits(random.normal() * (random.between(-10, 24) as f64).exp2()),
    }
}

/// From a point of the polytope along a random direction, anywhere as far as the polytope goes.
fn hit(evaluator: &mut ConstraintEvaluator<'_>, split: &Split, from: &Point, random: &mut Random) -> Point {
    let problem = evaluator.problem;
    let mut direction: Vec<f64> = problem.variables.iter().map(|_| random.normal()).collect();
    if random.flip() {
        let axis = random.below(direction.len());
        direction.iter_mut().enumerate().for_each(|(x, d)| *d = if x == axis { 1.0 } else { 0.0 });
    }
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for &at in &split.linear {
        if split.equations.contains(&at) {
            continue;
        }
        let Some((form, _)) = &problem.constraints[at].linear else { continue };
        let here =
            form.terms.iter().map(|(x, a)| a * problem.variables[*x].number(from[*x])).sum::<f64>() + form.constant;
        let slope: f64 = form.terms.iter().map(|(x, a)| a * direction[*x]).sum();
        // here + t * slope <= 0
        if slope > 0.0 {
            high = high.min(-here / slope);
        } else if slope < 0.0 {
            low = low.max(-here / slope);
        }
    }
    let reach = (random.between(-6, 20) as f64).exp2();
    let (low, high) = (low.max(-reach), high.min(reach));
    if !low.is_finite() || !high.is_finite() || low > high {
        return from.clone();
    }
    let t = low + random.unit() * (high - low);
    let mut point: Point = problem
        .variables
        .iter()
        .zip(from)
        .zip(&direction)
        .map(|((v, bits), d)| if *d == 0.0 { *bits } else { v.bits(v.number(*bits) + t * d) })
        .collect();
    let changed: Vec<usize> = (0..direction.len()).filter(|x| direction[*x] != 0.0).collect();
    split.adjust(evaluator, &mut point, &changed[..changed.len().min(1)]);
    if split.contains(evaluator, &point) { point } else { from.clone() }
}

/// A point some way off: a few of the variables of broken constraints get other values.
pub(crate) fn kick(
    evaluator: &ConstraintEvaluator<'_>,
    from: &Point,
    broken: &[usize],
    specials: &Specials,
    random: &mut Random,
) -> Point {
    let problem = evaluator.problem;
    let mut point = from.clone();
    let mut variables: Vec<usize> = broken.iter().flat_map(|at| problem.constraints[*at].variables.clone()).collect();
    variables.sort_unstable();
    variables.dedup();
    let all = random.below(3) == 0;
    let sure = if variables.is_empty() { 0 } else { *random.pick(&variables) };
    for x in variables {
        if all || x == sure || random.below(3) == 0 {
            let variable = problem.variables[x];
            point[x] = match random.below(4) {
                0 => value(variable, x, specials, random),
                _ => {
                    let radius = (random.between(-12, 11) as f64).exp2();
                    variable.bits(variable.number(point[x]) + random.normal() * radius)
                }
            };
        }
    }
    point
}
