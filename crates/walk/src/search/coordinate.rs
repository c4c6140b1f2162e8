//! The best value found for one coordinate: where violated comparisons would turn, steps in both scales, special values.

use crate::evaluate::ConstraintEvaluator;
use crate::random::Random;
use crate::search::scored_point::ScoredPoint;
use crate::start::special::Specials;

/// Secant steps follow each other this often at most.
const SECANTS: usize = 4;

pub(crate) struct Along<'a, 'p> {
    pub evaluator: &'a mut ConstraintEvaluator<'p>,
    pub random: &'a mut Random,
    pub specials: &'a Specials,
    pub neighbours: u64,
    pub bisection: bool,
}

impl Along<'_, '_> {
    /// A value for coordinate `x` that lowers the error, if one was met.
    pub fn better(&mut self, scored: &mut ScoredPoint, x: usize) -> Option<u64> {
        let mut best = (scored.total, scored.point[x]);
        let before = scored.total;
        let step = self.steps(scored, x, &mut best);
        if self.bisection {
            self.secants(scored, x, &mut best);
        }
        self.rounded(scored, x, &mut best);
        if let Some(step) = step
            && best.0 < before
        {
            self.accelerate(scored, x, step, &mut best);
        }
        (best.0 < before).then_some(best.1)
    }

    fn consider(&mut self, scored: &mut ScoredPoint, x: usize, bits: u64, best: &mut (f64, u64)) -> bool {
        if bits == scored.point[x] {
            return false;
        }
        let total = scored.total_with(self.evaluator, x, bits);
        let better = total < best.0;
        if better {
            *best = (total, bits);
        }
        better
    }

    /// Random steps in both scales, both directions, and special values. The last ulp step that helped.
    fn steps(&mut self, scored: &mut ScoredPoint, x: usize, best: &mut (f64, u64)) -> Option<i64> {
        let variable = self.evaluator.problem.variables[x];
        let (bits, number) = (scored.point[x], variable.number(scored.point[x]));
        let mut helped = None;
        for i in 0..self.neighbours {
            let candidate = match i % 5 {
                0 | 1 => {
                    let size = 1i64 << self.random.below(usize::from(variable.width) - 1);
                    let size = size + (self.random.unit() * size as f64) as i64;
                    let step = if self.random.flip() { size } else { -size };
                    if self.consider(scored, x, variable.moved(bits, step), best) {
                        helped = Some(step);
                    }
                    continue;
                }
                2 => {
                    let radius = (self.random.between(-12, 14) as f64).exp2();
                    let scale = if self.random.flip() { number.abs().max(1e-300) / 64.0 } else { 1.0 };
                    variable.bits(number + self.random.normal() * radius * scale)
                }
                3 => self.specials.pick(x, self.random),
                _ => self.related(scored, x),
            };
            self.consider(scored, x, candidate, best);
        }
        helped
    }

    /// A value made from another variable's, or from this one's bits.
    fn related(&mut self, scored: &ScoredPoint, x: usize) -> u64 {
        let variables = &self.evaluator.problem.variables;
        let variable = variables[x];
        let (bits, number) = (scored.point[x], variable.number(scored.point[x]));
        let y = self.random.below(variables.len());
        let other = variables[y].number(scored.point[y]);
        match self.random.below(6) {
            0 => variable.bits(-number),
            1 => variable.bits(other),
            2 => variable.bits(-other),
            3 => bits ^ 1 << self.random.below(usize::from(variable.width)),
            4 => variable.bits(number * 2.0),
            _ => variable.bits(number / 2.0),
        }
    }

    /// Where each violated comparison would turn, were it linear in `x`; again from there, as the secant method does.
    fn secants(&mut self, scored: &mut ScoredPoint, x: usize, best: &mut (f64, u64)) {
        let problem = self.evaluator.problem;
        let variable = problem.variables[x];
        let broken: Vec<usize> = problem.of_variable[x].iter().copied().filter(|at| scored.errors[*at] > 0.0).collect();
        for at in broken {
            for (atom, residual) in self.evaluator.violations(at, &scored.point, scored.metric) {
                let relation = problem.constraints[at].parts.atoms[atom].relation;
                let equation = relation == crate::problem::atom::Relation::Equal;
                let number = variable.number(scored.point[x]);
                let h = match variable.width {
                    _ if !variable.is_float() => 1.0,
                    32 => number.abs().max(1e-3) * 1e-3,
                    _ => number.abs().max(1e-3) * 1e-7,
                };
                let (mut from, mut value, mut probe) = (number, residual, number + h);
                for _ in 0..SECANTS {
                    let mut point = scored.point.clone();
                    point[x] = variable.bits(probe);
                    let there = self.evaluator.residual(at, atom, &point);
                    let next = probe - there * (probe - from) / (there - value);
                    if !next.is_finite() || next == probe {
                        break;
                    }
                    let beyond = if equation { 0.0 } else { (next - number) * self.random.unit() };
                    let candidate = variable.bits(next + beyond);
                    self.consider(scored, x, candidate, best);
                    if equation {
                        self.consider(scored, x, variable.moved(candidate, 1), best);
                        self.consider(scored, x, variable.moved(candidate, -1), best);
                    }
                    (from, value, probe) = (probe, there, next);
                }
            }
        }
    }

    /// Round numbers near the best value: the solutions of made-up equations are round.
    fn rounded(&mut self, scored: &mut ScoredPoint, x: usize, best: &mut (f64, u64)) {
        let variable = self.evaluator.problem.variables[x];
        let number = variable.number(best.1);
        if variable.is_float() && number.is_finite() {
            for candidate in [number.round(), (number * 1000.0).round() / 1000.0] {
                self.consider(scored, x, variable.bits(candidate), best);
            }
        }
    }

    /// Twice as far in the direction that helped, as long as it helps.
    fn accelerate(&mut self, scored: &mut ScoredPoint, x: usize, step: i64, best: &mut (f64, u64)) {
        let variable = self.evaluator.problem.variables[x];
        let mut step = step;
        for _ in 0..20 {
            step = step.saturating_mul(2);
            if !self.consider(scored, x, variable.moved(best.1, step), best) {
                break;
            }
        }
    }
}
