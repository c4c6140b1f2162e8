//! The walk as published: Algorithms 1, 3 and 4 of "Solving Complex Path Conditions through Heuristic Search on Induced
//! Polytopes" (Dinges and Agha, 2014), names as there.

use crate::config::Config;
use crate::evaluate::ConstraintEvaluator;
use crate::evaluate::score::Metric;
use crate::problem::space::Point;
use crate::random::Random;
use crate::start::polytope::{Split, start};

pub(crate) struct Tabu<'m, 'p> {
    config: Config,
    evaluator: &'m mut ConstraintEvaluator<'p>,
    split: Split,
    random: Random,
}

impl<'m, 'p> Tabu<'m, 'p> {
    pub fn new(config: Config, evaluator: &'m mut ConstraintEvaluator<'p>) -> Tabu<'m, 'p> {
        let split = Split::of(evaluator.problem);
        Tabu { config, evaluator, split, random: Random::new(config.seed) }
    }

    /// Algorithm 1.
    pub fn solve(&mut self) -> Option<Point> {
        let count = self.evaluator.problem.variables.len();
        let zeros = self.evaluator.problem.variables.iter().map(|v| v.bits(0.0)).collect();
        let mut alpha = start(self.evaluator.problem, &self.split, &zeros)?;
        let hard = self.split.hard.clone();
        let all: Vec<usize> = (0..count).collect();
        let mut tabu = vec![0u64; count];
        let most = self.config.steps * hard.len() as u64;
        let mut steps = 0;
        loop {
            let errors: Vec<f64> = hard.iter().map(|c| self.error(*c, &alpha)).collect();
            let total: f64 = errors.iter().sum();
            if total == 0.0 {
                return self.split.contains(self.evaluator, &alpha).then_some(alpha);
            }
            if steps > most || self.evaluator.is_spent() {
                return None;
            }
            steps += 1;
            if tabu.iter().all(|t| *t > 0) {
                alpha = self.random_step(&alpha, &all);
                tabu.fill(0);
                continue;
            }
            let mut blame = vec![0.0; count];
            for (c, error) in hard.iter().zip(&errors) {
                self.evaluator.problem.constraints[*c].variables.iter().for_each(|x| blame[*x] += error);
            }
            let x = self.worst(&blame, &tabu);
            let (best, mu) = self.best_neighbour(&alpha, x, &hard);
            if best < total {
                alpha = mu;
                tabu.iter_mut().for_each(|t| *t = t.saturating_sub(1));
            } else {
                tabu[x] = self.config.tabu_steps(count);
            }
        }
    }

    /// The variable with the highest error that is not tabu; one of them when several have it.
    fn worst(&mut self, blame: &[f64], tabu: &[u64]) -> usize {
        let free = || (0..blame.len()).filter(|x| tabu[*x] == 0);
        let most = free().map(|x| blame[x]).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = free().filter(|x| blame[*x] == most).collect();
        *self.random.pick(&best)
    }

    /// Algorithm 3.
    fn best_neighbour(&mut self, alpha: &Point, x: usize, hard: &[usize]) -> (f64, Point) {
        let (mut best, mut mu) = (f64::INFINITY, alpha.clone());
        let with_x: Vec<usize> =
            hard.iter().copied().filter(|c| self.evaluator.problem.constraints[*c].variables.contains(&x)).collect();
        let unsatisfied: Vec<usize> = with_x.into_iter().filter(|c| !self.evaluator.holds(*c, alpha)).collect();
        for _ in 0..self.config.neighbours {
            let beta = self.random_step(alpha, &[x]);
            let error = self.total(hard, &beta);
            if self.config.bisection && !unsatisfied.is_empty() {
                let c = *self.random.pick(&unsatisfied);
                let gamma = self.bisection_step(c, alpha, &beta);
                let error = self.total(hard, &gamma);
                if error < best && self.split.contains(self.evaluator, &gamma) {
                    (best, mu) = (error, gamma);
                }
            }
            if error < best {
                (best, mu) = (error, beta);
            }
        }
        (best, mu)
    }

    /// Algorithm 4.
    fn random_step(&mut self, chi: &Point, along: &[usize]) -> Point {
        for _ in 0..self.config.samples {
            let mut nu = chi.clone();
            for &x in along {
                let variable = self.evaluator.problem.variables[x];
                let radius = self.config.radius.unwrap_or_else(|| (self.random.between(-12, 11) as f64).exp2());
                nu[x] = variable.bits(variable.number(chi[x]) + self.random.normal() * radius);
            }
            self.split.adjust(self.evaluator, &mut nu, along);
            if self.split.contains(self.evaluator, &nu) {
                return nu;
            }
        }
        chi.clone()
    }

    /// Where constraint `c` would hold on the line from alpha to beta, were it linear.
    fn bisection_step(&mut self, c: usize, alpha: &Point, beta: &Point) -> Point {
        let Some((atom, at_alpha)) = self.evaluator.violations(c, alpha, Metric::Absolute).first().copied() else {
            return beta.clone();
        };
        let at_beta = self.evaluator.residual(c, atom, beta);
        let slope = -at_alpha / (at_beta - at_alpha);
        let slope = if slope.is_finite() { slope } else { self.random.normal() };
        let variables = &self.evaluator.problem.variables;
        let along = |((v, a), b): ((&crate::Variable, &u64), &u64)| {
            let (from, to) = (v.number(*a), v.number(*b));
            if a == b { *a } else { v.bits(from + slope * (to - from)) }
        };
        variables.iter().zip(alpha).zip(beta).map(along).collect()
    }

    fn error(&mut self, c: usize, point: &[u64]) -> f64 {
        self.evaluator.error(c, point, Metric::Absolute)
    }

    fn total(&mut self, constraints: &[usize], point: &[u64]) -> f64 {
        constraints.iter().map(|c| self.evaluator.error(*c, point, Metric::Absolute)).sum()
    }
}
