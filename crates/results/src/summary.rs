//! A record becomes the one summary object of `--json`, schema `covet/summary/1`.
//!
//! Totals are sums over the functions; the same counters stand in each function's entry.

use crate::json;
use crate::record::{FunctionResult, Record, Stopped};
use serde_json::{Map, Value as Json, json};

pub const SCHEMA: &str = "covet/summary/1";

pub fn summary(record: &Record) -> Json {
    let mut totals = json!(record.totals());
    totals["phases"] = json!(record.phases);
    json!({
        "schema": SCHEMA,
        "command": record.meta.command,
        "seed": record.meta.seed,
        "seconds": json::float(record.seconds),
        "stopped": record.stopped.unwrap_or(Stopped::Incomplete).text(),
        "totals": totals,
        "functions": record.functions.iter().map(function).collect::<Vec<_>>(),
        "tests": record.tests.iter().map(json::test).collect::<Vec<_>>(),
        "alarms": record.alarms.iter().map(json::alarm).collect::<Vec<_>>(),
        "notes": record.notes,
    })
}

fn function(function: &FunctionResult) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| drop(object.insert(key.to_string(), value));
    put("name", json!(function.name));
    put("file", json!(function.file));
    put("line", json!(function.line));
    put("outcome", json!(if function.failure.is_none() { "done" } else { "failed" }));
    put("reason", json!(function.failure));
    put("stopped", json!(function.stopped));
    put("seconds", json::float(function.seconds));
    if let Ok(Json::Object(counters)) = serde_json::to_value(&function.counters) {
        object.extend(counters);
    }
    Json::Object(object)
}
