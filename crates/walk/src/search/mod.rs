//! Our walk: the frame of the published one, with starts from everywhere and steps of every kind.
//!
//! Starts, in turn: the base input, the polytope's point, the nearest point of the starting box and its middle, earlier solutions, special
//! values, random points of the polytope and of the box.
//! From each: Newton steps while they help, then the worst variable that is not tabu, then a kick; near a root of equations
//! the last bits are found by luck. Scores are absolute for one start and in ulps for the next.

mod coordinate;
mod jitter;
mod newton;
mod scored_point;

use crate::config::Config;
use crate::evaluate::ConstraintEvaluator;
use crate::evaluate::score::Metric;
use crate::problem::space::{Point, Variable};
use crate::random::Random;
use crate::search::coordinate::Along;
use crate::search::jitter::{is_near, jitter};
use crate::search::scored_point::ScoredPoint;
use crate::start::contract;
use crate::start::interval::Interval;
use crate::start::polytope::{Split, start};
use crate::start::sample::{kick, sample};
use crate::start::special::Specials;
use rustc_hash::FxHashSet;

/// Points of special values looked at before the first descent.
const SPECIAL_POINTS: u64 = 200;
/// Of those, the best are descended from.
const KEPT: usize = 4;
/// Kicks without a new best before a start is given up.
const KICKS: u64 = 6;
/// Share of the evaluations that may go into special points.
const SPECIAL_SHARE: u64 = 4;

pub(crate) struct Search<'m, 'p> {
    config: Config,
    evaluator: &'m mut ConstraintEvaluator<'p>,
    split: Split,
    specials: Specials,
    boxes: Vec<Interval>,
    random: Random,
}

impl<'m, 'p> Search<'m, 'p> {
    pub fn new(config: Config, evaluator: &'m mut ConstraintEvaluator<'p>) -> Search<'m, 'p> {
        let split = Split::of(evaluator.problem);
        let specials = Specials::of(evaluator.problem);
        let boxes = contract::boxes(evaluator.problem);
        Search { config, evaluator, split, specials, boxes, random: Random::new(config.seed) }
    }

    /// A solution, as long as the evaluations last.
    pub fn solve(&mut self, base: Point, remembered: &[Point]) -> Option<Point> {
        let mut starts = vec![base.clone()];
        starts.extend(start(self.evaluator.problem, &self.split, &base));
        starts.extend([self.clamped(&base), self.middle(&base)]);
        starts.extend_from_slice(remembered);
        for point in &starts {
            if self.is_solution(point) {
                return Some(point.clone());
            }
        }
        if let Some(solution) = self.change_one(&base) {
            return Some(solution);
        }
        if let Some(solution) = self.special_points(&mut starts) {
            return Some(solution);
        }
        let mut seen = FxHashSet::default();
        starts.retain(|point| seen.insert(point.clone()));
        let mut round = 0;
        while !self.evaluator.is_spent() {
            let point = match starts.get(round / 2) {
                Some(point) => point.clone(),
                None => sample(self.evaluator, &self.split, &self.specials, &self.boxes, &base, &mut self.random),
            };
            let metric = if round % 2 == 0 { Metric::Absolute } else { Metric::Ulps };
            if let Some(solution) = self.descend(point, metric) {
                return Some(solution);
            }
            round += 1;
        }
        None
    }

    /// The point of the starting box that is nearest to another.
    fn clamped(&self, to: &Point) -> Point {
        let variables = self.evaluator.problem.variables.iter().zip(to).zip(&self.boxes);
        let inside = |((v, bits), range): ((&Variable, &u64), &Interval)| {
            let number = v.number(*bits);
            let nearest = number.max(range.low).min(range.high);
            if nearest == number { *bits } else { v.bits(nearest) }
        };
        variables.map(inside).collect()
    }

    /// The middle of the starting box, with `otherwise` where it reaches to the end of the type.
    fn middle(&self, otherwise: &Point) -> Point {
        let variables = self.evaluator.problem.variables.iter().zip(otherwise).zip(&self.boxes);
        let middle = |((v, bits), range): ((&Variable, &u64), &Interval)| {
            let (low, high) = v.range();
            if range.low > low && range.high < high { v.bits(range.low / 2.0 + range.high / 2.0) } else { *bits }
        };
        variables.map(middle).collect()
    }

    fn is_solution(&mut self, point: &Point) -> bool {
        (0..self.evaluator.problem.constraints.len()).all(|at| self.evaluator.holds(at, point))
    }

    /// Special values for one variable of a broken constraint.
    fn change_one(&mut self, base: &Point) -> Option<Point> {
        let mut scored = ScoredPoint::new(self.evaluator, base.clone(), Metric::Ulps);
        let blame = scored.blame(self.evaluator);
        for (x, blame) in blame.into_iter().enumerate() {
            if blame == 0.0 {
                continue;
            }
            for &bits in self.specials.of_variable(x) {
                if scored.total_with(self.evaluator, x, bits) == 0.0 {
                    scored.point[x] = bits;
                    return Some(scored.point);
                }
            }
            if self.evaluator.evaluations > self.evaluator.limit / SPECIAL_SHARE {
                return None;
            }
        }
        None
    }

    /// Points of special values; the best of them become starts.
    fn special_points(&mut self, starts: &mut Vec<Point>) -> Option<Point> {
        let mut best: Vec<ScoredPoint> = Vec::new();
        let until = self.evaluator.evaluations + self.evaluator.limit / SPECIAL_SHARE;
        for i in 0..SPECIAL_POINTS {
            if self.evaluator.evaluations > until {
                break;
            }
            let metric = if i % 2 == 0 { Metric::Absolute } else { Metric::Ulps };
            let point = self.specials.point(&self.evaluator.problem.variables, &mut self.random);
            let scored = ScoredPoint::new(self.evaluator, point, metric);
            if scored.is_solution() {
                return Some(scored.point);
            }
            best.push(scored);
        }
        for metric in [Metric::Absolute, Metric::Ulps] {
            let mut of_metric: Vec<&ScoredPoint> = best.iter().filter(|scored| scored.metric == metric).collect();
            of_metric.sort_by(|a, b| a.total.total_cmp(&b.total));
            starts.extend(of_metric.into_iter().take(KEPT).map(|scored| scored.point.clone()));
        }
        None
    }

    fn descend(&mut self, from: Point, metric: Metric) -> Option<Point> {
        let mut scored = ScoredPoint::new(self.evaluator, from, metric);
        let count = scored.point.len();
        let mut tabu = vec![0u64; count];
        let mut kicks = 0;
        let mut best = scored.clone();
        let until = self.evaluator.evaluations + self.allowance();
        while self.evaluator.evaluations < until && !self.evaluator.is_spent() {
            if scored.is_solution() {
                return Some(scored.point);
            }
            if let Some(next) = newton::step(self.evaluator, &mut self.random, &scored) {
                scored = next;
                continue;
            }
            if is_near(self.evaluator, &scored.point, &scored.broken()) {
                let tries = 300 * count.min(8) as u64;
                if jitter(self.evaluator, &mut self.random, &mut scored, tries) {
                    return Some(scored.point);
                }
            }
            let Some(x) = self.worst(&scored, &tabu) else {
                if scored.total < best.total {
                    best = scored.clone();
                    kicks = 0;
                } else {
                    kicks += 1;
                }
                if kicks > KICKS {
                    return None;
                }
                let kicked = kick(self.evaluator, &best.point, &best.broken(), &self.specials, &mut self.random);
                scored = best.moved(self.evaluator, kicked);
                tabu.fill(0);
                continue;
            };
            match self.better(&mut scored, x) {
                Some(bits) => {
                    scored.set(self.evaluator, x, bits);
                    tabu.iter_mut().for_each(|t| *t = t.saturating_sub(1));
                }
                None => tabu[x] = self.config.tabu.unwrap_or(count as u64).max(1),
            }
        }
        scored.is_solution().then_some(scored.point)
    }

    /// Evaluations for one start.
    fn allowance(&self) -> u64 {
        let constraints = self.evaluator.problem.constraints.len() as u64;
        (self.config.steps * 40 * constraints).max(self.evaluator.limit / 40)
    }

    fn better(&mut self, scored: &mut ScoredPoint, x: usize) -> Option<u64> {
        let mut along = Along {
            evaluator: self.evaluator,
            random: &mut self.random,
            specials: &self.specials,
            neighbours: 2 * self.config.neighbours,
            bisection: self.config.bisection,
        };
        along.better(scored, x)
    }

    /// A variable of the highest error that is not tabu; none when all that could help are.
    fn worst(&mut self, scored: &ScoredPoint, tabu: &[u64]) -> Option<usize> {
        let blame = scored.blame(self.evaluator);
        let free = || (0..blame.len()).filter(|x| tabu[*x] == 0 && blame[*x] > 0.0);
        let most = free().map(|x| blame[x]).fold(0.0, f64::max);
        let all: Vec<usize> = free().filter(|x| blame[*x] >= most).collect();
        if all.is_empty() { None } else { Some(*self.random.pick(&all)) }
    }
}
