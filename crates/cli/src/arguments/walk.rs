//! The options of the walk: which one, and the paper's parameters by name.

use clap::{Args, ValueEnum};
use covet_solve::walk::{Config, Variant};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WalkVariant {
    /// Non-linear parts replaced by their values under the last input.
    Simplification,
    /// Non-linear parts replaced by their values under a solution of the linear part.
    Mixed,
    /// As published.
    Paper,
    /// With better steps.
    Ours,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// Options of the Concolic Walk, for comparisons.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Concolic Walk")]
pub struct WalkArgs {
    /// Which search answers what is not linear.
    #[arg(long = "walk", value_enum, value_name = "NAME", default_value_t = WalkVariant::Ours, hide_short_help = true)]
    pub variant: WalkVariant,
    /// Leave variables that did not help alone for some steps.
    #[arg(long = "walk-tabu", value_enum, value_name = "on|off", default_value_t = Switch::On, hide_short_help = true)]
    pub tabu: Switch,
    /// Estimate where a condition would turn.
    #[arg(long = "walk-bisection", value_enum, value_name = "on|off", default_value_t = Switch::On, hide_short_help = true)]
    pub bisection: Switch,
    /// I: steps per non-linear condition.
    #[arg(long = "walk-steps", value_name = "I", default_value_t = 150, hide_short_help = true)]
    pub steps: u64,
    /// R: neighbours per step.
    #[arg(long = "walk-neighbours", value_name = "R", default_value_t = 10, hide_short_help = true)]
    pub neighbours: u64,
    /// T: steps for which a variable is left alone [default: min(3, half the variables)].
    #[arg(long = "walk-tabu-steps", value_name = "T", hide_short_help = true)]
    pub tabu_steps: Option<u64>,
    /// M: tries to stay inside the polytope.
    #[arg(long = "walk-samples", value_name = "M", default_value_t = 25, hide_short_help = true)]
    pub samples: u64,
    /// S: radius of a random step [default: a random power of two].
    #[arg(long = "walk-radius", value_name = "S", hide_short_help = true)]
    pub radius: Option<f64>,
    /// Evaluations of conditions that one long search may take.
    #[arg(long = "walk-evaluations", value_name = "N", default_value_t = 1_000_000, hide_short_help = true)]
    pub evaluations: u64,
    /// Compile conditions that are evaluated often.
    #[arg(long = "walk-compile", value_enum, value_name = "on|off", default_value_t = Switch::On, hide_short_help = true)]
    pub compile: Switch,
}

impl WalkArgs {
    pub fn config(&self) -> Config {
        Config {
            variant: match self.variant {
                WalkVariant::Simplification => Variant::Simplification,
                WalkVariant::Mixed => Variant::Mixed,
                WalkVariant::Paper => Variant::Paper,
                WalkVariant::Ours => Variant::Ours,
            },
            seed: 0,
            steps: self.steps,
            neighbours: self.neighbours,
            tabu: if self.tabu == Switch::Off { Some(0) } else { self.tabu_steps },
            samples: self.samples,
            radius: self.radius,
            bisection: self.bisection == Switch::On,
            evaluations: self.evaluations,
            compile: self.compile == Switch::On,
        }
    }
}
