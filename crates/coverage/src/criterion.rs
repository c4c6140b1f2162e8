//! What counts as covered: the criterion that an exploration works towards.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// Every line that has code.
    Statement,
    /// Every outcome of every branch.
    #[default]
    Branch,
    /// Every outcome of every branch, and of every decision each condition deciding on its own (MC/DC).
    Mcdc,
}
