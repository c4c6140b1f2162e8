//! Progress of a campaign: of one unit its runs per second, coverage, open branches and the solver's share; of several how many are
//! done. A bar on a terminal, a line now and then elsewhere, nothing on request.

use covet_campaign::{Event, Phase, Ran, Sink};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const REFRESH: Duration = Duration::from_millis(100);

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    Nothing,
    Bar,
    /// A line each time so much has passed.
    Lines(Duration),
}

impl Progress {
    /// Lines that somebody asked for, and lines that only long commands need.
    pub const LINES: Progress = Progress::Lines(Duration::from_secs(2));
    pub const FEW_LINES: Progress = Progress::Lines(Duration::from_secs(10));

    /// What suits standard error.
    pub fn fitting() -> Progress {
        if std::io::stderr().is_terminal() { Progress::Bar } else { Progress::FEW_LINES }
    }
}

/// A line that says what is being waited for, as long as it lives.
pub struct Waiting(Option<ProgressBar>);

impl Waiting {
    pub fn on(what: &'static str, progress: Progress) -> Waiting {
        let bar = spinner(progress, "{spinner} {msg}");
        if progress == Progress::LINES {
            tell!("progress: {what}");
        }
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

fn spinner(progress: Progress, template: &str) -> Option<ProgressBar> {
    (progress == Progress::Bar).then(|| {
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
    lines: Option<Lines>,
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
    pub fn new(progress: Progress, units: usize) -> Display {
        let is_single = units == 1;
        let bar = match is_single {
            true => spinner(progress, "{spinner} {prefix}  {msg}"),
            false => spinner(progress, "{elapsed_precise} {pos}/{len} functions  {msg}"),
        };
        let lines = match progress {
            Progress::Lines(every) => Some(Lines::new(every, units)),
            Progress::Bar | Progress::Nothing => None,
        };
        if let Some(bar) = bar.as_ref().filter(|_| !is_single) {
            bar.set_length(units as u64);
        }
        let now = Instant::now();
        Display { bar, lines, is_single, unit: Mutex::new(Shown { started: now, shown: now, solving: Duration::ZERO }) }
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
        if let Some(lines) = &self.lines {
            lines.event(&event);
        }
        let Some(bar) = &self.bar else { return };
        match event {
            Event::Phase(Phase::Explore | Phase::Write) => {}
            Event::Phase(Phase::Judge) => {
                bar.set_message("asking callers about alarms");
                bar.enable_steady_tick(REFRESH);
            }
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

/// Progress as lines of text.
struct Lines {
    every: Duration,
    started: Instant,
    units: usize,
    now: Mutex<Now>,
}

/// What the next line says.
struct Now {
    told: Instant,
    done: usize,
    name: String,
    executions: u64,
}

impl Lines {
    fn new(every: Duration, units: usize) -> Lines {
        let started = Instant::now();
        let now = Now { told: started, done: 0, name: String::new(), executions: 0 };
        Lines { every, started, units, now: Mutex::new(now) }
    }

    fn event(&self, event: &Event<'_>) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let goals = match event {
            Event::Began { name } => {
                now.name = name.to_string();
                None
            }
            Event::Ran(ran) => {
                now.executions += 1;
                Some(format!(", {} of {} branches", ran.covered_goals, ran.all_goals)).filter(|_| self.units == 1)
            }
            Event::Ended { .. } => {
                now.done += 1;
                None
            }
            Event::Phase(_) | Event::Asked { .. } => None,
        };
        if now.told.elapsed() < self.every {
            return;
        }
        now.told = Instant::now();
        let (seconds, done, runs) = (self.started.elapsed().as_secs(), now.done, now.executions);
        let what = match event {
            Event::Phase(Phase::Judge) => "asking callers about alarms".to_string(),
            Event::Phase(Phase::Confirm) => "running the tests on a plain build".to_string(),
            Event::Phase(Phase::Measure) => "measuring coverage with llvm-cov".to_string(),
            Event::Phase(Phase::Write) => "writing".to_string(),
            Event::Phase(Phase::Explore)
            | Event::Began { .. }
            | Event::Ran(_)
            | Event::Asked { .. }
            | Event::Ended { .. } => {
                format!("{}{}", now.name, goals.unwrap_or_default())
            }
        };
        tell!("progress: {seconds} s, {done} of {} done, {runs} runs; {what}", self.units);
    }
}
