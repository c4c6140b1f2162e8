//! Progress of an exploration on a terminal: runs per second, coverage, open branches, the solver's share. Silent when standard
//! error is not a terminal, or on request.

use covet_explore::Ran;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

pub struct Progress {
    bar: Option<ProgressBar>,
    started: Cell<Instant>,
    shown: Cell<Instant>,
    solving: Cell<Duration>,
}

const REFRESH: Duration = Duration::from_millis(100);

/// A line that says what is being waited for, as long as it lives.
pub struct Waiting(Option<ProgressBar>);

impl Waiting {
    pub fn on(what: &'static str, is_wanted: bool) -> Waiting {
        let bar = spinner(is_wanted, "{spinner} {msg}");
        if let Some(bar) = &bar {
            bar.set_message(what);
            bar.enable_steady_tick(REFRESH);
        }
        Waiting(bar)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Only on a terminal.
fn spinner(is_wanted: bool, template: &str) -> Option<ProgressBar> {
    (is_wanted && std::io::stderr().is_terminal()).then(|| {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar
    })
}

impl Progress {
    pub fn new(is_wanted: bool) -> Progress {
        let bar = spinner(is_wanted, "{spinner} {prefix}  {msg}");
        let now = Instant::now();
        Progress { bar, started: Cell::new(now), shown: Cell::new(now), solving: Cell::new(Duration::ZERO) }
    }

    /// A new function is begun.
    pub fn begin(&self, name: &str) {
        self.started.set(Instant::now());
        self.solving.set(Duration::ZERO);
        if let Some(bar) = &self.bar {
            bar.set_prefix(name.to_string());
            bar.set_message("preparing");
        }
    }

    pub fn ran(&self, ran: &Ran<'_>) {
        let Some(bar) = &self.bar else { return };
        if self.shown.get().elapsed() < REFRESH {
            return;
        }
        self.shown.set(Instant::now());
        let seconds = self.started.get().elapsed().as_secs_f64().max(1e-3);
        let share = 100.0 * self.solving.get().as_secs_f64() / seconds;
        bar.set_message(format!(
            "{:.0} runs/s  {} of {} branches, {} open  solver {share:.0} %",
            ran.figures.executions as f64 / seconds,
            ran.covered_goals,
            ran.all_goals,
            ran.all_goals - ran.covered_goals,
        ));
        bar.tick();
    }

    pub fn solved(&self, solving: Duration) {
        self.solving.set(self.solving.get() + solving);
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Progress of many functions on a terminal: how many are done, and which one was begun last.
pub struct Crowd {
    bar: Option<ProgressBar>,
}

impl Crowd {
    pub fn new(is_wanted: bool, functions: usize) -> Crowd {
        let bar = (is_wanted && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(functions as u64);
            if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {pos}/{len} functions  {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Crowd { bar }
    }

    pub fn begin(&self, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_string());
        }
    }

    pub fn ended(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
