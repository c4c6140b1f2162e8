//! Traces and path conditions as lines of text, for `show`.
//!
//! ```text
//!   0  branch   main.c:12      true   arg.x > 0
//!   1  switch   main.c:20      case 3 arg.kind == 3
//! ```

use crate::condition::{Condition, PathCondition};
use covet_abi::check::Check;
use covet_abi::event::{Concretization, Event, Kind};
use covet_expr::Pool;
use covet_expr::text::text;
use covet_input::Variables;
use covet_sites::SiteNumber;
use std::fmt::Write;

/// One line per event, as the worker left them. `site` names a site, usually as `file:line`.
pub fn trace(events: &[Event], site: impl Fn(SiteNumber) -> String) -> String {
    let mut out = String::new();
    for (i, event) in events.iter().enumerate() {
        let Some(kind) = Kind::from_u8(event.kind) else {
            let _ = writeln!(out, "{i:>5}  unknown kind {}", event.kind);
            continue;
        };
        let way = way(kind, event.taken != 0, event.detail, event.value);
        let _ = writeln!(
            out,
            "{i:>5}  {:<10} {:<24} {way:<20} node {}",
            name(kind),
            site(SiteNumber(event.site)),
            event.expr
        );
    }
    out
}

/// One line per condition.
pub fn path(pool: &Pool, variables: &Variables, path: &PathCondition, site: impl Fn(SiteNumber) -> String) -> String {
    let mut out = String::new();
    for (i, condition) in path.conditions.iter().enumerate() {
        let Condition { kind, taken, detail, value, .. } = *condition;
        let way = way(kind, taken, detail, value);
        let term = text(pool, variables, condition.term);
        let _ = writeln!(out, "{i:>5}  {:<10} {:<24} {way:<20} {term}", name(kind), site(condition.site));
    }
    if path.trivial > 0 {
        let _ = writeln!(out, "       ({} more hold for every input)", path.trivial);
    }
    for event in &path.contradictions {
        let _ = writeln!(out, "       event {event} contradicts its own run");
    }
    out
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Branch => "branch",
        Kind::Switch => "switch",
        Kind::Target => "target",
        Kind::Assume => "assume",
        Kind::Bounds => "bounds",
        Kind::Check => "check",
        Kind::Concretise => "concretise",
        Kind::Follow => "follow",
    }
}

/// Which way it went, in words.
fn way(kind: Kind, taken: bool, detail: u16, value: u64) -> String {
    match kind {
        Kind::Branch | Kind::Assume | Kind::Bounds => taken.to_string(),
        Kind::Switch => format!("on {}", value as i64),
        Kind::Target | Kind::Follow => format!("to {value:#x}"),
        Kind::Check => {
            let what = Check::from_u16(detail).map_or("unknown-check", Check::text);
            if taken { what.to_string() } else { format!("no {what}") }
        }
        Kind::Concretise => Concretization::from_u16(detail).map_or("unknown reason", Concretization::text).to_string(),
    }
}
