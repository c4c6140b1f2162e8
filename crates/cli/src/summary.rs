//! What a command found becomes the one summary object of `--json`, schema `covet/summary/1`.
//!
//! Totals are sums over the functions; the same counters stand in each function's entry.

use covet_coverage::{Count, Summary};
use covet_explore::{Figures, Stopped};
use covet_results::Record;
use covet_results::json;
use covet_solve::Statistics;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

pub const SCHEMA: &str = "covet/summary/1";

/// The counters that stand both in the totals and in each function.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    pub figures: Figures,
    pub tests: u64,
    pub crashes: u64,
    /// Tests whose native run ended otherwise than the explored one.
    pub mismatches: u64,
    pub coverage: Summary,
    pub official: Option<Summary>,
    pub solver: Statistics,
    pub externals: BTreeMap<String, u64>,
}

/// One function's part.
#[derive(Clone, Debug)]
pub struct FunctionPart {
    pub name: String,
    pub file: String,
    pub line: u32,
    /// Why it could not be explored.
    pub failure: Option<String>,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
    pub counters: Counters,
}

/// Everything the summary says.
pub struct Whole<'a> {
    pub command: &'a str,
    pub seed: u64,
    pub seconds: f64,
    pub stopped: Stopped,
    pub totals: Counters,
    pub functions: &'a [FunctionPart],
    pub record: &'a Record,
}

impl Counters {
    pub fn add(&mut self, other: &Counters) {
        let (mine, theirs) = (&mut self.figures, &other.figures);
        mine.executions += theirs.executions;
        mine.iterations += theirs.iterations;
        mine.paths += theirs.paths;
        mine.divergences += theirs.divergences;
        mine.speculations += theirs.speculations;
        mine.timeouts += theirs.timeouts;
        mine.abandoned += theirs.abandoned;
        mine.truncated += theirs.truncated;
        mine.open_goals += theirs.open_goals;
        for (reason, count) in &theirs.concretised {
            *mine.concretised.entry(reason).or_default() += count;
        }
        self.tests += other.tests;
        self.crashes += other.crashes;
        self.mismatches += other.mismatches;
        add_summary(&mut self.coverage, other.coverage);
        if let Some(official) = other.official {
            add_summary(self.official.get_or_insert_default(), official);
        }
        self.solver.add(&other.solver);
        for (name, count) in &other.externals {
            *self.externals.entry(name.clone()).or_default() += count;
        }
    }

    fn json(&self) -> Map<String, Json> {
        let mut object = Map::new();
        let mut put = |key: &str, value: Json| drop(object.insert(key.to_string(), value));
        put("executions", json!(self.figures.executions));
        put("iterations", json!(self.figures.iterations));
        put("paths", json!(self.figures.paths));
        put("tests", json!(self.tests));
        put("crashes", json!(self.crashes));
        put("timeouts", json!(self.figures.timeouts));
        put("mismatches", json!(self.mismatches));
        put("divergences", json!(self.figures.divergences));
        put("speculations", json!(self.figures.speculations));
        put("abandoned", json!(self.figures.abandoned));
        put("truncated", json!(self.figures.truncated));
        put("statements", count(self.coverage.statements));
        put("branches", count(self.coverage.branches));
        put("mcdc", count(Count::default()));
        put("official", self.official.map_or(Json::Null, official));
        put("solver", solver(&self.solver));
        put("concretised", json!(self.figures.concretised));
        put("externals", json!(self.externals));
        object
    }
}

impl Whole<'_> {
    pub fn json(&self) -> Json {
        json!({
            "schema": SCHEMA,
            "command": self.command,
            "seed": self.seed,
            "seconds": json::float(self.seconds),
            "stopped": self.stopped.text(),
            "totals": self.totals.json(),
            "functions": self.functions.iter().map(function).collect::<Vec<_>>(),
            "tests": self.record.tests.iter().map(json::test).collect::<Vec<_>>(),
            "alarms": self.record.alarms.iter().map(json::alarm).collect::<Vec<_>>(),
        })
    }
}

fn function(part: &FunctionPart) -> Json {
    let mut object = Map::new();
    object.insert("name".into(), json!(part.name));
    object.insert("file".into(), json!(part.file));
    object.insert("line".into(), json!(part.line));
    object.insert("outcome".into(), json!(if part.failure.is_none() { "done" } else { "failed" }));
    object.insert("reason".into(), json!(part.failure));
    object.insert("stopped".into(), json!(part.stopped.map(Stopped::text)));
    object.insert("seconds".into(), json::float(part.seconds));
    object.extend(part.counters.json());
    Json::Object(object)
}

fn add_summary(sum: &mut Summary, other: Summary) {
    sum.statements += other.statements;
    sum.branches += other.branches;
}

fn count(count: Count) -> Json {
    json!({"covered": count.covered, "total": count.total})
}

fn official(summary: Summary) -> Json {
    json!({
        "tool": "llvm-cov",
        "statements": count(summary.statements),
        "branches": count(summary.branches),
        "mcdc": count(Count::default()),
    })
}

fn solver(statistics: &Statistics) -> Json {
    let tier = |(name, tier): (&covet_solve::TierName, &covet_solve::TierStatistics)| {
        let counts = json!({
            "asked": tier.asked, "answered": tier.answered(), "sat": tier.sat, "unsat": tier.unsat,
            "seconds": json::float(tier.seconds),
        });
        (name.text().to_string(), counts)
    };
    let tiers: Map<String, Json> = statistics.tiers.iter().map(tier).collect();
    json!({
        "calls": statistics.calls,
        "mean_constraints": json::float(statistics.mean_constraints()),
        "max_constraints": statistics.max_constraints,
        "sat": statistics.sat,
        "unsat": statistics.unsat,
        "unknown": statistics.unknown,
        "seconds": json::float(statistics.seconds),
        "smt_calls": statistics.smt_calls,
        "tiers": tiers,
    })
}
