//! Progress of a campaign on a terminal: of one unit its runs per second, coverage, open branches and the solver's share; of several how
//! many are done. Silent when standard error is not a terminal, or on request.

use covet_campaign::{Event, Phase, Ran, Sink};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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

/// What is shown of a campaign.
pub struct Display {
    bar: Option<ProgressBar>,
    /// Of a single unit the runs are shown, of several their number.
    is_single: bool,
    unit: Mutex<Shown>,
}

/// The unit that is being explored.
struct Shown {
    started: Instant,
    shown: Instant,
    solving: Duration,
}

impl Display {
    pub fn new(is_wanted: bool, units: usize) -> Display {
        let is_single = units == 1;
        let bar = match is_single {
            true => spinner(is_wanted, "{spinner} {prefix}  {msg}"),
            false => spinner(is_wanted, "{elapsed_precise} {pos}/{len} functions  {msg}"),
        };
        if let Some(bar) = bar.as_ref().filter(|_| !is_single) {
            bar.set_length(units as u64);
        }
        let now = Instant::now();
        Display { bar, is_single, unit: Mutex::new(Shown { started: now, shown: now, solving: Duration::ZERO }) }
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn ran(&self, bar: &ProgressBar, ran: Ran) {
        let mut unit = self.unit.lock().unwrap_or_else(PoisonError::into_inner);
        if unit.shown.elapsed() < REFRESH {
            return;
        }
        unit.shown = Instant::now();
        let seconds = unit.started.elapsed().as_secs_f64().max(1e-3);
        let share = 100.0 * unit.solving.as_secs_f64() / seconds;
        bar.set_message(format!(
            "{:.0} runs/s  {} of {} branches, {} open  solver {share:.0} %",
            ran.executions as f64 / seconds,
            ran.covered_goals,
            ran.all_goals,
            ran.all_goals - ran.covered_goals,
        ));
        bar.tick();
    }
}

impl Sink for Display {
    fn event(&self, event: Event<'_>) {
        let Some(bar) = &self.bar else { return };
        match event {
            Event::Phase(Phase::Explore | Phase::Write) => {}
            Event::Phase(Phase::Confirm) => {
                bar.set_message("running the tests on a plain build");
                bar.enable_steady_tick(REFRESH);
            }
            Event::Phase(Phase::Measure) => bar.set_message("measuring coverage with llvm-cov"),
            Event::Began { name } if self.is_single => {
                let now = Instant::now();
                let mut unit = self.unit.lock().unwrap_or_else(PoisonError::into_inner);
                *unit = Shown { started: now, shown: now, solving: Duration::ZERO };
                bar.set_prefix(name.to_string());
                bar.set_message("preparing");
            }
            Event::Began { name } => bar.set_message(name.to_string()),
            Event::Ran(ran) if self.is_single => self.ran(bar, ran),
            Event::Asked { solving } if self.is_single => {
                self.unit.lock().unwrap_or_else(PoisonError::into_inner).solving += solving;
            }
            Event::Ran(_) | Event::Asked { .. } => {}
            Event::Ended { .. } => bar.inc(1),
        }
    }
}
