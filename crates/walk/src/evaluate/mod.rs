//! Evaluates constraints at points: interpreted at first, compiled once that pays.

pub mod score;

mod compile;
mod emit;
pub mod speed;

#[cfg(test)]
mod agreement;

use crate::evaluate::compile::Compiled;
use crate::evaluate::score::{Metric, Reading, error, violated};
use crate::problem::Problem;

/// Interpreted steps of a constraint before it is compiled: about what compiling costs.
const PAYS: u64 = 20_000;

/// So many steps count as one more evaluation.
const LARGE: u64 = 48;

pub(crate) struct ConstraintEvaluator<'p> {
    pub problem: &'p Problem<'p>,
    /// Evaluations of single constraints so far (large ones count more), and how many are allowed.
    pub evaluations: u64,
    pub limit: u64,
    compiling: bool,
    interpreted: Vec<u64>,
    compiled: Vec<Option<Compiled<'p>>>,
    values: Vec<u128>,
    reading: Reading,
}

impl<'p> ConstraintEvaluator<'p> {
    pub fn new(problem: &'p Problem<'p>, limit: u64, compiling: bool) -> ConstraintEvaluator<'p> {
        let count = problem.constraints.len();
        ConstraintEvaluator {
            problem,
            evaluations: 0,
            limit,
            compiling,
            interpreted: vec![0; count],
            compiled: (0..count).map(|_| None).collect(),
            values: Vec::new(),
            reading: Reading::default(),
        }
    }

    pub fn is_spent(&self) -> bool {
        self.evaluations >= self.limit
    }

    /// What constraint `at` gives at a point.
    pub fn read(&mut self, at: usize, point: &[u64]) -> &Reading {
        let constraint = &self.problem.constraints[at];
        self.evaluations += 1 + constraint.schedule.steps.len() as u64 / LARGE;
        self.reading.measures.resize(constraint.parts.measures.len(), 0.0);
        self.reading.truths.resize(constraint.parts.atoms.len(), 0);
        match &self.compiled[at] {
            Some(compiled) if compiled.works() => compiled.run(point, &mut self.reading),
            _ => self.interpret(at, point),
        }
        &self.reading
    }

    fn interpret(&mut self, at: usize, point: &[u64]) {
        let (pool, constraint) = (self.problem.pool, &self.problem.constraints[at]);
        let schedule = &constraint.schedule;
        schedule.run(pool, point, &mut self.values);
        for (number, measure) in self.reading.measures.iter_mut().zip(&constraint.parts.measures) {
            *number = measure.number(self.values[schedule.place(measure.term)]);
        }
        for (truth, atom) in self.reading.truths.iter_mut().zip(&constraint.parts.atoms) {
            *truth = u8::from((self.values[schedule.place(atom.condition)] != 0) == atom.positive);
        }
        self.interpreted[at] += schedule.steps.len() as u64;
        if self.compiling && self.compiled[at].is_none() && self.interpreted[at] >= PAYS {
            self.compiled[at] = Some(Compiled::new(pool, constraint));
        }
    }

    pub fn error(&mut self, at: usize, point: &[u64], metric: Metric) -> f64 {
        self.read(at, point);
        let constraint = &self.problem.constraints[at];
        error(&constraint.tree, &constraint.parts.atoms, &constraint.parts.measures, &self.reading, metric)
    }

    pub fn holds(&mut self, at: usize, point: &[u64]) -> bool {
        self.error(at, point, Metric::Absolute) == 0.0
    }

    /// The atoms that keep constraint `at` from holding, with the distance of their sides as the metric reads it.
    pub fn violations(&mut self, at: usize, point: &[u64], metric: Metric) -> Vec<(usize, f64)> {
        self.read(at, point);
        let constraint = &self.problem.constraints[at];
        let (atoms, measures) = (&constraint.parts.atoms, &constraint.parts.measures);
        let mut found = Vec::new();
        violated(&constraint.tree, atoms, measures, &self.reading, metric, &mut found);
        found.into_iter().map(|atom| (atom, self.distance(at, atom))).collect()
    }

    /// Left side minus right side of an atom at a point.
    pub fn residual(&mut self, at: usize, atom: usize, point: &[u64]) -> f64 {
        self.read(at, point);
        self.distance(at, atom)
    }

    fn distance(&self, at: usize, atom: usize) -> f64 {
        let (left, right) = self.problem.constraints[at].parts.atoms[atom].sides;
        match (self.reading.measures.get(left), self.reading.measures.get(right)) {
            (Some(left), Some(right)) => left - right,
            _ => f64::NAN,
        }
    }
}
