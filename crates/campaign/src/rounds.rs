//! Jobs → what became of each: explored in turns by several threads, what they find written down as it is found.

use crate::event::{Event, Sink};
use crate::explore::Explorer;
use crate::job::Job;
use crate::journal::Journal;
use crate::outcome::Outcome;
use crate::turns::{Brought, Choice, Turns};
use crate::underway::Underway;
use covet_budget::Deadline;
use covet_explore::{Progress, Stopped};
use covet_project::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the end of exploring is worked out anew.
const STEP: Duration = Duration::from_millis(200);
/// Explorations that may keep their processes and solvers between turns.
const AWAKE: usize = 32;
/// How often those who wait for memory look whether there is some.
const LOOK: Duration = Duration::from_millis(10);
/// How often one that found no memory may come back.
const RETURNS: u32 = 6;

/// What became of one job.
pub enum Attempt {
    Done(Box<Outcome>),
    /// There was no time for it.
    NotBegun,
    Failed(Failure, f64),
}

/// What the threads share.
pub struct Rounds<'r> {
    pub explorer: &'r Explorer<'r>,
    pub jobs: &'r [Job],
    /// Where what they find is written down, if it is.
    pub journal: Option<&'r Journal>,
    /// When all of them are over, as things are.
    pub until: &'r (dyn Fn() -> Deadline + Sync),
    pub threads: usize,
    pub sink: &'r dyn Sink,
}

/// A job between its turns.
#[derive(Default)]
enum Seat<'r> {
    #[default]
    NotBegun,
    Paused(Box<Underway<'r>>),
    Over(Attempt),
}

struct Table<'r> {
    turns: Mutex<Turns>,
    /// Somebody paused or ended.
    changed: Condvar,
    seats: Vec<Mutex<Seat<'r>>>,
}

impl<'r> Rounds<'r> {
    /// Explores all jobs; gives what became of them in their order.
    pub fn explore(&self) -> Vec<Attempt> {
        let table = Table {
            turns: Mutex::new(Turns::new(self.jobs.len(), self.threads)),
            changed: Condvar::new(),
            seats: self.jobs.iter().map(|_| Mutex::default()).collect(),
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| self.take_turns(&table));
            }
        });
        let attempt = |seat: Mutex<Seat<'r>>| match seat.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Seat::Over(attempt) => attempt,
            Seat::NotBegun | Seat::Paused(_) => Attempt::NotBegun,
        };
        table.seats.into_iter().map(attempt).collect()
    }

    fn take_turns(&self, table: &Table<'r>) {
        while let Some((job, time)) = self.next(table) {
            let began = Instant::now();
            let keeps_awake = lock(&table.turns).unfinished() <= AWAKE;
            let turn = Slice { job, time, keeps_awake, table };
            let brought = self.turn(turn, &mut lock(&table.seats[job]));
            let mut turns = lock(&table.turns);
            match brought {
                Some(brought) => {
                    turns.paused(job, Brought { seconds: began.elapsed().as_secs_f64(), ..brought });
                }
                None => turns.over(job),
            }
            table.changed.notify_all();
        }
    }

    fn next(&self, table: &Table<'r>) -> Option<(usize, Option<Duration>)> {
        let mut turns = lock(&table.turns);
        loop {
            match turns.next(self.end().left()) {
                Choice::Turn { job, time } => return Some((job, time)),
                Choice::Wait => turns = table.changed.wait(turns).unwrap_or_else(PoisonError::into_inner),
                Choice::Done => return None,
            }
        }
    }

    /// When exploring ends, as things are.
    fn end(&self) -> Deadline {
        (self.until)()
    }

    /// One turn of a job; none when that was its last.
    fn turn(&self, slice: Slice<'_, 'r>, seat: &mut Seat<'r>) -> Option<Brought> {
        let name = self.jobs[slice.job].entry.name.as_str();
        let began = Instant::now();
        let taken = std::mem::take(seat);
        // A failure of ours, be it a panic, is that of this job alone.
        let done = catch_unwind(AssertUnwindSafe(|| self.go_on(slice, taken)));
        let done =
            done.unwrap_or_else(|panic| Err(Failure::Tool(format!("the exploration broke down: {}", said(&*panic)))));
        let (next, brought) = match done {
            Ok(Turn::Paused(mut underway, brought)) => {
                if self.explorer.memory.is_tight() {
                    underway.shed();
                } else if !slice.keeps_awake {
                    underway.rest();
                }
                (Seat::Paused(underway), Some(brought))
            }
            Ok(Turn::Over(attempt)) => (Seat::Over(attempt), None),
            Err(failure) => (Seat::Over(Attempt::Failed(failure, began.elapsed().as_secs_f64())), None),
        };
        *seat = next;
        if brought.is_none() {
            self.sink.event(Event::Ended { name });
        }
        brought
    }

    /// Those who wait keep no more than the inputs of their runs when memory fills up, the last in line first, half of them at a time: the one whose
    /// turn it is must not suffer for what others hold.
    fn make_room(&self, table: &Table<'r>) {
        let memory = &self.explorer.memory;
        if !memory.is_filling() {
            return;
        }
        let holds = |job: &usize| {
            let seat = table.seats[*job].try_lock();
            seat.is_ok_and(|seat| matches!(&*seat, Seat::Paused(underway) if underway.holds_runs()))
        };
        let mut waiting = lock(&table.turns).waiting();
        waiting.retain(holds);
        while memory.is_filling() && !waiting.is_empty() {
            for job in waiting.drain(..waiting.len().div_ceil(2)) {
                // One whose turn has come meanwhile needs what it holds.
                if let Ok(mut seat) = table.seats[job].try_lock()
                    && let Seat::Paused(underway) = &mut *seat
                {
                    underway.shed();
                }
            }
            memory.give_back();
        }
    }

    /// Others who are at work may hold what there is, and will see that for themselves.
    fn wait_for_room(&self, underway: &mut Underway<'r>, table: &Table<'r>, turn: &Deadline) {
        let memory = &self.explorer.memory;
        let is_tight = || memory.is_tight() && lock(&table.turns).running() > 1;
        if is_tight() && underway.holds_runs() {
            underway.shed();
            memory.give_back();
        }
        let until = turn.within(STEP);
        while is_tight() && !until.is_over() {
            std::thread::sleep(LOOK);
        }
    }

    /// Whether one that had no memory is worth another turn: when those who hold it have ended, there is some.
    fn may_return(&self, underway: &mut Underway<'r>, table: &Table<'r>, end: &Deadline) -> bool {
        underway.starved += 1;
        underway.starved <= RETURNS && lock(&table.turns).unfinished() > 1 && !end.is_over()
    }

    fn go_on(&self, slice: Slice<'_, 'r>, seat: Seat<'r>) -> Result<Turn<'r>, Failure> {
        let (Slice { job, time, table, .. }, end) = (slice, self.end());
        let mut underway = match seat {
            Seat::NotBegun if end.is_over() => return Ok(Turn::Over(Attempt::NotBegun)),
            Seat::NotBegun => {
                self.sink.event(Event::Began { name: self.jobs[job].entry.name.as_str() });
                Box::new(self.explorer.begin(&self.jobs[job])?)
            }
            Seat::Paused(underway) => underway,
            Seat::Over(attempt) => return Ok(Turn::Over(attempt)),
        };
        let turn = time.map_or_else(|| end.clone(), |time| end.within(time));
        let before = underway.goals().covered;
        loop {
            self.make_room(table);
            self.wait_for_room(&mut underway, table, &turn);
            let mut keep = |news| {
                if let Some(journal) = self.journal {
                    journal.keep(job, news);
                }
            };
            let progress = underway.advance(&turn.within(STEP), &self.end(), &mut keep)?;
            match progress {
                Progress::Ended(Stopped::Time | Stopped::Interrupted) if underway.has_nothing() => {
                    return Ok(Turn::Over(Attempt::NotBegun));
                }
                Progress::Ended(Stopped::Incomplete) if self.may_return(&mut underway, table, &end) => {
                    return Ok(Turn::Paused(underway, Brought::default()));
                }
                Progress::Ended(stopped) => return underway.finish(stopped).map(Turn::done),
                Progress::Paused if turn.is_over() => {
                    let goals = underway.goals();
                    let (goals, open) = (goals.covered - before, goals.total - goals.covered);
                    return Ok(Turn::Paused(underway, Brought { goals, open, seconds: 0.0 }));
                }
                Progress::Paused => {}
            }
        }
    }
}

/// Whose turn it is, and for how long.
#[derive(Clone, Copy)]
struct Slice<'t, 'r> {
    job: usize,
    time: Option<Duration>,
    keeps_awake: bool,
    table: &'t Table<'r>,
}

/// How a turn ended.
enum Turn<'r> {
    Paused(Box<Underway<'r>>, Brought),
    Over(Attempt),
}

impl Turn<'_> {
    fn done(outcome: Outcome) -> Self {
        Turn::Over(Attempt::Done(Box::new(outcome)))
    }
}

/// The message of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
