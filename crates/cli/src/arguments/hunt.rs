//! What `covet hunt` can be told.

use crate::arguments::CommonArgs;
use crate::arguments::input::InputArgs;
use clap::{Args, ValueEnum};
use covet_campaign::{Hunt, TAU, UnitChoice};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct HuntArgs {
    /// C files, folders, a compile_commands.json, or FILE:LINE for the function around that line.
    #[arg(value_name = "SOURCE", default_value = ".")]
    pub sources: Vec<PathBuf>,
    /// Function to look at (all functions of the sources if none is given). May be repeated.
    #[arg(long = "function", value_name = "F")]
    pub functions: Vec<String>,
    /// Which functions are explored with the one under test: `sut` (itself alone), `distance:K` (all it calls, K calls away), `conbrio`
    /// (those it depends on), or `auto` (all it calls).
    #[arg(long, value_name = "UNIT", default_value = "auto", value_parser = unit)]
    pub unit: UnitChoice,
    /// `--unit conbrio`: dependency from which on a function belongs to the extended unit or to the calling context (`covet show unit` shows both).
    #[arg(long, value_name = "P", default_value_t = TAU)]
    pub tau: f64,
    /// Whether alarms that no calling context allows are dropped.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub filter: Switch,
    /// A call profile that `covet profile` has recorded. May be repeated.
    #[arg(long = "profile", value_name = "P")]
    pub profiles: Vec<PathBuf>,
    /// Only what the change brought: look at the functions that changed since this revision of git and at their callers, and tell the alarms
    /// that the earlier version does not show. Example: `--since main`
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Whether only what the code gives reason for is taken for possible (a pointer is NULL, a number is no length); without, all that is made up is an
    /// assumption.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub beliefs: Switch,
    /// Whether structures are taken to keep what all their writers keep.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub invariants: Switch,
    /// Whether small files in the project's folders that are no sources are what its programs read at first.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub examples: Switch,
    /// What the library exports: a linker's version script, a .def file, or a list of names (default: what its headers declare).
    #[arg(long, value_name = "FILE")]
    pub exports: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Flags for clang.
    #[arg(last = true, value_name = "CLANG-FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl HuntArgs {
    pub fn hunt(&self) -> Hunt {
        Hunt {
            unit: self.unit,
            tau: self.tau,
            filter: self.filter == Switch::On,
            profiles: self.profiles.clone(),
            beliefs: self.beliefs == Switch::On,
            invariants: self.invariants == Switch::On,
            examples: self.examples == Switch::On,
            exports: self.exports.clone(),
        }
    }
}

fn unit(text: &str) -> Result<UnitChoice, String> {
    match (text, text.strip_prefix("distance:").map(str::parse)) {
        ("sut", _) => Ok(UnitChoice::Sut),
        ("conbrio", _) => Ok(UnitChoice::Conbrio),
        ("auto", _) => Ok(UnitChoice::Auto),
        (_, Some(Ok(calls))) => Ok(UnitChoice::Distance(calls)),
        (_, None | Some(Err(_))) => Err("expected sut, distance:K (for example distance:3), conbrio or auto".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_named_as_in_the_papers() {
        assert_eq!(unit("sut"), Ok(UnitChoice::Sut));
        assert_eq!(unit("distance:3"), Ok(UnitChoice::Distance(3)));
        assert!(unit("distance:").is_err() && unit("near").is_err());
    }
}
