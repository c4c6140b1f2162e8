//! The way in: conditions and a base input → an assignment that satisfies them, or nothing.

use crate::config::{Config, Variant};
use crate::evaluate::ConstraintEvaluator;
use crate::problem::Problem;
use crate::problem::space::Point;
use crate::published::simplify::{mixed, simplification};
use crate::published::tabu::Tabu;
use crate::search::Search;
use covet_expr::{Pool, Term};
use covet_input::VarId;
use std::collections::VecDeque;

/// An assignment that satisfies all conditions, or `None`; and what the search cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkResult {
    pub values: Option<Vec<(VarId, u128)>>,
    /// Evaluations of single constraints.
    pub evaluations: u64,
}

/// Solutions kept as starts for later problems.
const REMEMBERED: usize = 8;

/// Searches, and remembers what it found: neighbouring path conditions have neighbouring solutions.
#[derive(Debug, Default)]
pub struct Walk {
    solutions: VecDeque<Vec<(VarId, u128)>>,
}

impl Walk {
    /// Searches for values that satisfy all conditions, starting near `base`.
    pub fn solve(
        &mut self,
        pool: &Pool,
        conditions: &[Term],
        base: impl Fn(VarId) -> u128,
        config: Config,
    ) -> WalkResult {
        let Some(problem) = Problem::new(pool, conditions) else { return WalkResult { values: None, evaluations: 0 } };
        self.solve_problem(&problem, base, config)
    }

    pub fn solve_problem(&mut self, problem: &Problem<'_>, base: impl Fn(VarId) -> u128, config: Config) -> WalkResult {
        let limit = if config.variant == Variant::Ours { config.evaluations } else { u64::MAX };
        let mut evaluator = ConstraintEvaluator::new(problem, limit, config.compile);
        let point = match config.variant {
            Variant::Simplification => simplification(&mut evaluator, &problem.point(&base), config.seed),
            Variant::Mixed => mixed(&mut evaluator, &problem.point(&base), config.seed),
            Variant::Paper => Tabu::new(config, &mut evaluator).solve(),
            Variant::Ours => {
                let starts: Vec<Point> = self
                    .solutions
                    .iter()
                    .map(|known| problem.point(|id| lookup(known, id).unwrap_or_else(|| base(id))))
                    .collect();
                Search::new(config, &mut evaluator).solve(problem.point(&base), &starts)
            }
        };
        let evaluations = evaluator.evaluations;
        let values = point.map(|point| problem.assignment(&point));
        if let Some(values) = &values {
            self.solutions.push_front(values.clone());
            self.solutions.truncate(REMEMBERED);
        }
        WalkResult { values, evaluations }
    }

    /// Forgets solutions, whose variables belong to another pool.
    pub fn clear(&mut self) {
        self.solutions.clear();
    }
}

fn lookup(values: &[(VarId, u128)], id: VarId) -> Option<u128> {
    values.iter().find(|(known, _)| *known == id).map(|(_, bits)| *bits)
}
