//! Whose turn it is, and for how long: the functions of a project share the time for exploring.
//!
//! Everyone has a first, short turn, in the order of the list and so across all files. Later turns are longer, twice as long each time, and
//! go to those who had fewer of them; a turn in which nothing new was covered counts double, as do two when no goal is open.
//! Among equals the one that covered the most in a second is first. What somebody does not use is there for the others, because shares are
//! worked out anew for each turn. Nothing here looks at a clock.

use std::time::Duration;

/// The first turn, when there is time enough.
const FIRST: Duration = Duration::from_millis(500);
/// No turn is shorter: what it takes to start and stop a worker must be the smaller part.
const SHORTEST: Duration = Duration::from_millis(30);
/// Of the time there is, the part that first turns take at most, as a divisor.
const FOR_FIRST: u32 = 2;

/// Who has had how much.
pub struct Turns {
    jobs: Vec<Standing>,
    threads: usize,
}

#[derive(Clone, Copy, Default)]
struct Standing {
    state: State,
    turns: u32,
    /// Turns in a row that covered nothing new.
    vain: u32,
    /// Goals covered in a second of the last turn.
    rate: f64,
    open: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Waiting,
    Running,
    Over,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Go on with this job, for so long or to its end.
    Turn {
        job: usize,
        time: Option<Duration>,
    },
    /// Others are at work on all that is left; ask again when one of them pauses.
    Wait,
    Done,
}

/// What a turn brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Brought {
    pub goals: usize,
    /// Goals that are still open.
    pub open: usize,
    pub seconds: f64,
}

impl Turns {
    pub fn new(jobs: usize, threads: usize) -> Turns {
        Turns { jobs: vec![Standing::default(); jobs], threads: threads.max(1) }
    }

    /// The next turn, when so much time is left for all; to the end where time does not matter.
    pub fn next(&mut self, left: Option<Duration>) -> Choice {
        let waiting = |(_, standing): &(usize, &Standing)| standing.state == State::Waiting;
        let order = |(job, standing): &(usize, &Standing)| (standing.rank(), *job);
        let best = self.jobs.iter().enumerate().filter(waiting).min_by(|one, other| {
            let ((rank, job), (other_rank, other_job)) = (order(one), order(other));
            rank.cmp(&other_rank).then(other.1.rate.total_cmp(&one.1.rate)).then(job.cmp(&other_job))
        });
        let Some((job, standing)) = best else {
            let is_over = self.jobs.iter().all(|standing| standing.state == State::Over);
            return if is_over { Choice::Done } else { Choice::Wait };
        };
        let time = left.and_then(|left| self.time(standing.turns, left));
        self.jobs[job].state = State::Running;
        Choice::Turn { job, time }
    }

    /// How long a turn may be; none when nobody has to wait for its end.
    fn time(&self, turns: u32, left: Duration) -> Option<Duration> {
        let unfinished = self.unfinished();
        if unfinished <= self.threads {
            return None;
        }
        let share = left.mul_f64(self.threads as f64 / unfinished as f64);
        let share = if turns == 0 { share / FOR_FIRST } else { share };
        Some((FIRST * 2_u32.saturating_pow(turns.min(16))).min(share).max(SHORTEST))
    }

    /// A turn is over and the job is not.
    pub fn paused(&mut self, job: usize, brought: Brought) {
        let standing = &mut self.jobs[job];
        standing.state = State::Waiting;
        standing.turns += 1;
        standing.vain = if brought.goals == 0 { standing.vain + 1 } else { 0 };
        standing.rate = brought.goals as f64 / brought.seconds.max(1e-3);
        standing.open = brought.open;
    }

    /// The job is over.
    pub fn over(&mut self, job: usize) {
        self.jobs[job].state = State::Over;
    }

    /// Those that wait, the last in line first.
    pub fn waiting(&self) -> Vec<usize> {
        let is_waiting = |job: &usize| self.jobs[*job].state == State::Waiting && self.jobs[*job].turns > 0;
        let mut waiting: Vec<usize> = (0..self.jobs.len()).filter(is_waiting).collect();
        waiting.sort_by_key(|job| std::cmp::Reverse((self.jobs[*job].rank(), *job)));
        waiting
    }

    /// Jobs somebody is at work on.
    pub fn running(&self) -> usize {
        self.jobs.iter().filter(|standing| standing.state == State::Running).count()
    }

    /// Jobs that are not over.
    pub fn unfinished(&self) -> usize {
        self.jobs.iter().filter(|standing| standing.state != State::Over).count()
    }
}

impl Standing {
    /// The lowest is next.
    fn rank(&self) -> u32 {
        const NOTHING_OPEN: u32 = 2;
        let is_idle = self.turns > 0 && self.open == 0;
        self.turns + self.vain + if is_idle { NOTHING_OPEN } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn turn(turns: &mut Turns, left: Duration) -> (usize, Duration) {
        match turns.next(Some(left)) {
            Choice::Turn { job, time: Some(time) } => (job, time),
            other @ (Choice::Turn { .. } | Choice::Wait | Choice::Done) => panic!("{other:?}"),
        }
    }

    #[test]
    fn everyone_begins_before_anyone_goes_on() {
        let mut turns = Turns::new(1000, 1);
        let mut left = 45 * SECOND;
        for job in 0..1000 {
            let (chosen, time) = turn(&mut turns, left);
            assert_eq!(chosen, job);
            left = left.saturating_sub(time);
            turns.paused(job, Brought { goals: 1, open: 1, seconds: time.as_secs_f64() });
        }
        assert!(left > 10 * SECOND, "{left:?} are left for those who need more");
    }

    #[test]
    fn time_that_is_not_used_goes_to_those_who_can_use_it() {
        let mut turns = Turns::new(100, 1);
        let (_, first) = turn(&mut turns, 10 * SECOND);
        assert_eq!(first, SHORTEST.max(10 * SECOND / 100 / FOR_FIRST));
        (0..99).for_each(|job| turns.over(job));
        assert_eq!(turns.next(Some(9 * SECOND)), Choice::Turn { job: 99, time: None });
        assert_eq!(turns.next(Some(SECOND)), Choice::Wait);
        turns.over(99);
        assert_eq!(turns.next(Some(SECOND)), Choice::Done);
    }

    #[test]
    fn turns_grow_and_go_to_the_most_promising() {
        let mut turns = Turns::new(4, 1);
        let brought = [(0, 5), (2, 5), (1, 5), (1, 0)];
        for (job, (goals, open)) in brought.into_iter().enumerate() {
            assert_eq!(turn(&mut turns, 60 * SECOND), (job, FIRST));
            turns.paused(job, Brought { goals, open, seconds: 1.0 });
        }
        let again: Vec<usize> = (0..4)
            .map(|_| {
                let (job, time) = turn(&mut turns, 60 * SECOND);
                assert_eq!(time, 2 * FIRST);
                job
            })
            .collect();
        assert_eq!(again, [1, 2, 0, 3]);
    }

    #[test]
    fn without_a_deadline_there_are_no_turns() {
        let mut turns = Turns::new(2, 1);
        assert_eq!(turns.next(None), Choice::Turn { job: 0, time: None });
        assert_eq!(turns.next(None), Choice::Turn { job: 1, time: None });
    }
}
