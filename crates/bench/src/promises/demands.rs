//! What the head of a program says of it → the command that is run on it, and which of its own promises were broken.
//!
//! ```text
//! // promise: endless                      what it tries to break
//! // beside: 6                             busy threads beside it
//! // covet: run % --time 8                 the command; % stands for the sources
//! // check: branches 4; no alarm timeout   what must be so, besides what every command must keep
//! ```

use crate::command::Observed;
use serde_json::Value as Json;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demands {
    pub promise: String,
    pub beside: usize,
    command: Vec<String>,
    /// Seconds of its budget.
    pub time: Option<f64>,
    checks: Vec<Check>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Check {
    /// At least so many branches are covered.
    Branches(u64),
    /// Not more than so many are.
    AtMost(u64),
    /// It stopped for one of these reasons.
    Stopped(Vec<String>),
    NotStopped(Vec<String>),
    /// There is an alarm of the kind.
    Alarm(String),
    NoAlarm(String),
    /// Runs were cut at the cap of inputs, and that is said.
    Truncated,
    /// All processes together held at most so many megabytes.
    Peak(u64),
    /// Every function was begun.
    Begun,
}

impl Demands {
    pub fn of(text: &str) -> Result<Demands, String> {
        let mut demands = Demands::default();
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            match line.split_once(": ") {
                Some(("promise", name)) => demands.promise = name.to_owned(),
                Some(("beside", count)) => demands.beside = count.parse().map_err(|_| format!("beside {count}?"))?,
                Some(("covet", words)) => demands.command = words.split(' ').map(str::to_owned).collect(),
                Some(("check", all)) => demands.checks = all.split("; ").map(check).collect::<Result<_, _>>()?,
                Some(_) | None => {}
            }
        }
        if demands.promise.is_empty() || demands.command.is_empty() {
            return Err("its head names no promise or no command".to_owned());
        }
        let after = demands.command.iter().skip_while(|word| *word != "--time").nth(1);
        demands.time = after.and_then(|seconds| seconds.parse().ok());
        Ok(demands)
    }

    /// The command's arguments, with the source in place and the results in `out`.
    pub fn arguments(&self, source: &Path, out: &Path) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let words = self.command.iter().map(|word| if word == "%" { text(source) } else { word.clone() });
        words.chain(["--json".to_owned(), "--out".to_owned(), text(out)]).collect()
    }

    pub fn broken(&self, observed: &Observed) -> Vec<String> {
        self.checks.iter().filter_map(|check| check.broken(observed)).collect()
    }
}

fn check(text: &str) -> Result<Check, String> {
    let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
    let list = |text: &str| text.split(',').map(str::to_owned).collect();
    let words: Vec<&str> = text.split(' ').collect();
    match words.as_slice() {
        ["branches", count] => Ok(Check::Branches(number(count)?)),
        ["at", "most", count, "branches"] => Ok(Check::AtMost(number(count)?)),
        ["stopped", reasons] => Ok(Check::Stopped(list(reasons))),
        ["not", "stopped", reasons] => Ok(Check::NotStopped(list(reasons))),
        ["alarm", kind] => Ok(Check::Alarm((*kind).to_owned())),
        ["no", "alarm", kind] => Ok(Check::NoAlarm((*kind).to_owned())),
        ["truncated"] => Ok(Check::Truncated),
        ["peak", megabytes] => Ok(Check::Peak(number(megabytes)?)),
        ["begun"] => Ok(Check::Begun),
        _ => Err(format!("no such check: {text}")),
    }
}

impl Check {
    /// How it does not hold, if so.
    fn broken(&self, observed: &Observed) -> Option<String> {
        let summary = &observed.summary;
        let branches = summary["totals"]["branches"]["covered"].as_u64().unwrap_or(0);
        let stopped = summary["stopped"].as_str().unwrap_or("-");
        let is_there = |kind: &str| each(&summary["alarms"]).any(|alarm| alarm["kind"].as_str() == Some(kind));
        match self {
            Check::Branches(wanted) => (branches < *wanted).then(|| format!("{branches} branches, wanted {wanted}")),
            Check::AtMost(most) => (branches > *most).then(|| format!("{branches} branches, at most {most} can be")),
            Check::Stopped(reasons) => {
                (!reasons.iter().any(|one| one == stopped)).then(|| format!("stopped: {stopped}"))
            }
            Check::NotStopped(reasons) => {
                reasons.iter().any(|one| one == stopped).then(|| format!("stopped: {stopped}"))
            }
            Check::Alarm(kind) => (!is_there(kind)).then(|| format!("no alarm: {kind}")),
            Check::NoAlarm(kind) => is_there(kind).then(|| format!("false alarm: {kind}")),
            Check::Truncated => {
                let said = summary["totals"]["truncated"].as_u64().unwrap_or(0);
                (said == 0).then(|| "what was cut is not said".to_owned())
            }
            Check::Peak(most) => {
                let peak = observed.peak >> 20;
                (peak > *most).then(|| format!("held {peak} MB of {most}"))
            }
            Check::Begun => {
                let is_idle = |function: &&Json| function["executions"].as_u64().unwrap_or(0) == 0;
                let idle = each(&summary["functions"]).filter(is_idle).count();
                (idle > 0).then(|| format!("{idle} functions were not begun"))
            }
        }
    }
}

fn each(list: &Json) -> impl Iterator<Item = &Json> {
    list.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn heads_are_read_and_judged() {
        let head = "// Told.\n// promise: endless\n// covet: run % --time 4\n// check: branches 2; no alarm timeout; stopped time,covered; peak 3\nint x;\n";
        let demands = Demands::of(head).unwrap();
        assert_eq!(demands.time, Some(4.0));
        let arguments = demands.arguments(Path::new("a.c"), Path::new("out"));
        assert_eq!(arguments, ["run", "a.c", "--time", "4", "--json", "--out", "out"]);
        let summary = json!({
            "stopped": "exhausted", "totals": {"branches": {"covered": 1}}, "alarms": [{"kind": "timeout"}],
        });
        let observed = Observed { summary, peak: 4 << 20, ..Observed::default() };
        let wanted = ["1 branches, wanted 2", "false alarm: timeout", "stopped: exhausted", "held 4 MB of 3"];
        assert_eq!(demands.broken(&observed), wanted);
        assert!(Demands::of("// promise: time\n").is_err());
        assert!(Demands::of("// promise: time\n// covet: run %\n// check: nonsense\n").is_err());
    }
}
