//! Signals at random moments of a command → whether results survive, and nothing else does.

use super::HANGS;
use super::Row;
use crate::Error;
use crate::command::{Observed, Place};
use std::time::Duration;

/// What is sent, by the name of its row.
pub const KINDS: [(&str, &[i32]); 2] =
    [("interrupts", &[libc::SIGINT, libc::SIGTERM, libc::SIGHUP]), ("kills", &[libc::SIGKILL])];

/// Seconds of each command's budget; the moments lie within.
const BUDGET: f64 = 7.0;
/// Results are written so soon after an interrupt.
const WRITTEN: f64 = 2.0;
/// By then something was found, and what was found was kept.
const FOUND: f64 = 3.0;

/// A program that has something to explore for ever, in several functions.
const SOURCE: &str = include_str!("../../../../benchmarks/promises/moments/work.c");

/// Sends `signals` in turn at `count` moments.
pub fn judge(name: &str, signals: &[i32], place: &Place, count: usize) -> Result<Row, Error> {
    let source = place.write("work", SOURCE)?.to_string_lossy().into_owned();
    let (time, out) = (BUDGET.to_string(), place.out().to_string_lossy().into_owned());
    let arguments =
        ["cover", &source, "--time", &time, "--until", "exhausted", "--json", "--out", &out].map(str::to_owned);
    let mut row = Row { promise: "interrupt".to_owned(), program: format!("{count} {name}"), ..Row::default() };
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for number in 0..count {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // One in each part of the budget, so that every phase is met.
        let share = (number as f64 + (random >> 33) as f64 / f64::from(1u32 << 31)) / count as f64;
        let (signal, moment) = (signals[number % signals.len()], share * BUDGET);
        let (observed, late) = send(place, &arguments, signal, moment)?;
        let broken = broken(place, signal, moment, &observed, late);
        row.broken.extend(broken.into_iter().map(|what| format!("signal {signal} at {moment:.2} s: {what}")));
        row.seconds += observed.seconds;
        row.peak = row.peak.max(observed.peak >> 20);
    }
    // Whatever state the last one was left in, the next command works and clears up.
    let observed = place.run(&arguments, HANGS)?;
    row.broken.extend(super::always(&observed, Some(BUDGET * 1.1 + 2.0), place));
    let end = super::row("interrupt", name, &observed);
    (row.stopped, row.branches, row.tests) = (end.stopped, end.branches, end.tests);
    Ok(row)
}

/// What the command did, and how many seconds after the signal it ended.
fn send(place: &Place, arguments: &[String], signal: i32, moment: f64) -> Result<(Observed, f64), Error> {
    let _ = std::fs::remove_dir_all(place.out());
    let mut running = place.start(arguments)?;
    while running.began.elapsed().as_secs_f64() < moment && running.is_running() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = running.began.elapsed().as_secs_f64();
    running.signal(signal);
    let observed = running.finish(Duration::from_secs_f64(WRITTEN + 8.0))?;
    let late = observed.seconds - sent;
    Ok((observed, late))
}

fn broken(place: &Place, signal: i32, moment: f64, observed: &Observed, late: f64) -> Vec<String> {
    let mut broken = Vec::new();
    let ended_before = matches!(observed.exit, Some(0 | 1));
    let is_as_sent = match signal {
        libc::SIGKILL => observed.signal == Some(signal),
        _ => observed.exit == Some(130),
    };
    if !ended_before && !is_as_sent {
        broken.push(format!("{}: {}", observed.end(), observed.last_words()));
    }
    if !ended_before && late > WRITTEN {
        broken.push(format!("ended {late:.1} s later"));
    }
    match place.stored_tests() {
        Ok(stored) if moment > FOUND && stored.unwrap_or(0) == 0 => broken.push("nothing was kept".to_owned()),
        Ok(_) => {}
        Err(error) => broken.push(format!("the results cannot be read: {error}")),
    }
    // Temporary files of a killed command are swept by the next.
    let left = place.left_behind();
    broken.extend(left.into_iter().filter(|what| signal != libc::SIGKILL || what.starts_with("left running")));
    broken
}
