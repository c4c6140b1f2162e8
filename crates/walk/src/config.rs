//! What can be set: the paper's parameters, and how far our own search goes.

/// Which search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Variant {
    /// A baseline: what is not linear is replaced by its value under the base input, while the conditions are built.
    Simplification,
    /// A baseline: the linear part is solved first; its solution gives the values that replace what is not linear.
    Mixed,
    /// Algorithms 1 to 4 as published.
    Paper,
    /// The same frame with better steps, starts and restarts.
    #[default]
    Ours,
}

/// Names as in the paper.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Config {
    pub variant: Variant,
    pub seed: u64,
    /// I: steps per non-linear constraint.
    pub steps: u64,
    /// R: neighbours per step.
    pub neighbours: u64,
    /// T: steps for which a variable that did not help is left alone; 0 switches tabu off. `None`: `min(3, n / 2)`, at least 1.
    pub tabu: Option<u64>,
    /// M: tries to stay inside the polytope.
    pub samples: u64,
    /// S: radius of a random step. `None`: a power of two from 2^-12 to 2^11, drawn anew for each step.
    pub radius: Option<f64>,
    /// The bisection step.
    pub bisection: bool,
    /// Evaluations of single constraints that [`Variant::Ours`] may spend.
    pub evaluations: u64,
    /// Compile constraints that are evaluated often.
    pub compile: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            variant: Variant::Ours,
            seed: 0,
            steps: 150,
            neighbours: 10,
            tabu: None,
            samples: 25,
            radius: None,
            bisection: true,
            evaluations: 1_000_000,
            compile: true,
        }
    }
}

impl Config {
    pub(crate) fn tabu_steps(&self, variables: usize) -> u64 {
        self.tabu.unwrap_or_else(|| (variables as u64).div_ceil(2).clamp(1, 3))
    }
}
