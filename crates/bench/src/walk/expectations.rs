//! What is expected of the numbers: the targets of `auto`, the paper's ordering, what the compiled conditions and the walk cost.

use super::integers::share;
use super::{PROGRAMS, Report};

/// Percent by lines of code, seconds for the corpus, compiled over interpreted evaluations (or what of them is library calls), the walk's share in integer code.
const AVERAGE: f64 = 95.0;
const SECONDS: f64 = 90.0;
const COMPILED: f64 = 20.0;
const IN_CALLS: f64 = 0.6;
const INTEGER_SHARE: f64 = 0.01;

/// What was expected and could be seen in this report, and whether it was found.
pub fn expectations(report: &Report) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    for program in PROGRAMS {
        if let Some(row) = report.row(program.name, "auto") {
            all.push((
                format!("auto covers {:.0} % of {}", program.wanted, program.name),
                row.coverage >= program.wanted,
            ));
        }
    }
    if report.is_whole() && report.has("auto") {
        all.push((format!("auto covers {AVERAGE:.0} % by lines"), report.average("auto") >= AVERAGE));
        all.push((format!("auto takes less than {SECONDS:.0} s for the corpus"), report.pass("auto") < SECONDS));
    }
    let above = [
        ("paper", "simplification"),
        ("paper", "mixed"),
        ("paper", "paper, tabu off"),
        ("paper", "paper, bisection off"),
    ];
    for (one, other) in above {
        if report.is_whole() && report.has(one) && report.has(other) {
            all.push((format!("\"{one}\" covers more than \"{other}\""), report.average(one) > report.average(other)));
        }
    }
    for of in &report.speeds {
        let or = if of.calls.is_finite() { ", or most of their time in the calls" } else { "" };
        let what = format!("compiled evaluations, {}: {COMPILED:.0} times interpreted ones{or}", of.of);
        all.push((what, of.ratio() >= COMPILED || of.in_calls() >= IN_CALLS));
    }
    if !report.integers.is_empty() {
        let what = format!("integer programs spend less than {:.0} % of their time in the walk", 100.0 * INTEGER_SHARE);
        all.push((what, share(&report.integers) < INTEGER_SHARE));
    }
    all
}
