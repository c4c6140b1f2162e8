//! The ways of solving that are compared: what each changes in the configuration of a job.

use covet_campaign::{Config, First};
use covet_solve::walk::Variant;

#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub name: &'static str,
    pub configure: fn(&mut Config),
}

/// Only the walk answers, of this variant.
fn walk_alone(config: &mut Config, variant: Variant) {
    config.solver.walk.variant = variant;
    config.solver.tiers = "cache,walk".parse().ok();
}

fn paper(config: &mut Config) {
    walk_alone(config, Variant::Paper);
}

/// The columns of the main table.
pub const WAYS: &[Way] = &[
    Way {
        name: "simplification",
        configure: |config| {
            walk_alone(config, Variant::Simplification);
            config.first = First::Random;
        },
    },
    Way { name: "mixed", configure: |config| walk_alone(config, Variant::Mixed) },
    Way { name: "smt", configure: |config| config.solver.tiers = "cache,smt".parse().ok() },
    Way { name: "paper", configure: paper },
    Way { name: "ours", configure: |config| walk_alone(config, Variant::Ours) },
    Way { name: "auto", configure: |_| {} },
];

macro_rules! variation {
    ($name:literal, $parameter:ident = $value:expr) => {
        Way {
            name: $name,
            configure: |config| {
                paper(config);
                config.solver.walk.$parameter = $value;
            },
        }
    };
}

/// The variations of the published parameters (Table 3 of the paper).
pub const VARIATIONS: &[Way] = &[
    variation!("paper, tabu off", tabu = Some(0)),
    variation!("paper, tabu 5", tabu = Some(5)),
    variation!("paper, bisection off", bisection = false),
    variation!("paper, 10 steps", steps = 10),
    variation!("paper, 75 steps", steps = 75),
    variation!("paper, 300 steps", steps = 300),
    variation!("paper, 3 neighbours", neighbours = 3),
    variation!("paper, 25 neighbours", neighbours = 25),
    variation!("paper, 100 neighbours", neighbours = 100),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_names_tiers_that_exist() {
        for way in WAYS.iter().chain(VARIATIONS).filter(|way| way.name != "auto") {
            let mut config = Config::default();
            (way.configure)(&mut config);
            assert!(config.solver.tiers.is_some(), "{}", way.name);
        }
    }
}
