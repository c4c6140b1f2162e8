//! How the phases of a command share its time. Moments are counted from the start of the command; nothing here looks at a clock.
//!
//! ```text
//! 0 ──compile, instrument──┬────────── explore ──────────┬── replay ──┬─ hangs ─┬─ measure ─┬─ confirm ─┬ write ┤ time
//!                         used                    all but the reserve   half of   most of  three quarters of all but a little
//!                                                                     what is left each time
//! ```
//!
//! Exploring gets most; of a hunt, the last part of it goes to those who call the functions that raised alarms.  What comes after it keeps a reserve, which grows with what there is to replay and to measure. What a phase does not
//! use is there for the next.

use std::time::Duration;

/// What there is to do after exploring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Source files whose tests are to be built.
    pub files: usize,
    /// Builds of each: plain, and where wanted with sanitizers and for coverage.
    pub builds: usize,
    pub tests: usize,
    /// Values of inputs in them.
    pub values: usize,
    /// Alarms: each is asked about with sanitizers.
    pub alarms: usize,
    /// Alarms of runs that were over their time: whether they hang is a matter of waiting.
    pub hangs: usize,
}

/// The reserve as a part of the time that is left after instrumentation, at least and at most.
const RESERVE: (f64, f64) = (0.15, 0.45);
/// Of the time for exploring, the part for asking callers about what was found.
const JUDGE: f64 = 0.35;
/// What building the tests of one file takes, about.
const BUILD: Duration = Duration::from_secs(1);
/// What running one test takes, plain, recorded and for the official numbers: on six projects 4 to 12 ms; of those kept while exploring, a third to a
/// half is in the minimal suite.
const TEST: Duration = Duration::from_millis(6);
/// What showing one alarm to the sanitizers takes: 100 to 150 ms there.
const ALARM: Duration = Duration::from_millis(130);
/// What writing one value takes, wherever it is written.
const VALUE: Duration = Duration::from_micros(8);
/// Hangs that are waited for.
const MOST_HANGS: usize = 4;
/// What writing takes, as a part of the whole, at least and at most.
const WRITE: f64 = 0.04;
const WRITES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));

/// The time of a command and what of it is used.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Of the whole command.
    pub time: Duration,
    /// When exploring began.
    pub began: Duration,
    /// What compiling one file of the program took: of a slow or busy machine more must be kept back.
    pub compiled: Duration,
    /// What it takes to call one run a hang.
    pub hang: Duration,
    /// How many things are done at a time.
    pub threads: usize,
}

impl Shares {
    /// When exploring ends.
    pub fn explore(self, load: Load) -> Duration {
        let there_is = self.time.saturating_sub(self.began);
        let build = BUILD.max(self.compiled / 2);
        let hangs = load.hangs.min(MOST_HANGS);
        let builds = (load.files * load.builds + hangs) as u32;
        let waits = hangs.div_ceil(self.threads.max(1)) as u32;
        let tests = TEST * load.tests as u32 + VALUE * load.values.min(u32::MAX as usize) as u32;
        let alarms = ALARM * load.alarms as u32;
        let needed = (build * builds + tests + alarms + self.hang * waits + self.write()).as_secs_f64();
        let reserve = needed.clamp(there_is.as_secs_f64() * RESERVE.0, there_is.as_secs_f64() * RESERVE.1);
        self.time.saturating_sub(Duration::from_secs_f64(reserve))
    }

    /// When exploring ends where what it finds is put to callers, which is exploring too.
    pub fn found(self, load: Load) -> Duration {
        let end = self.explore(load);
        end.saturating_sub(end.saturating_sub(self.began).mul_f64(JUDGE))
    }

    /// When waiting for hangs that began `now` is cut short: two can be waited for if that is possible at all.
    pub fn most(self, now: Duration) -> Duration {
        let left = self.measure().saturating_sub(now);
        now + (left / 4 * 3).min((left / 4).max(self.hang * 5 / 2))
    }

    /// When a phase that began `now` and is followed by others is cut short.
    pub fn half(self, now: Duration) -> Duration {
        now + self.measure().saturating_sub(now) / 2
    }

    /// When official numbers that were begun `now` are cut short: what the sanitizers say of alarms can wait more easily.
    pub fn official(self, now: Duration) -> Duration {
        now + self.measure().saturating_sub(now) / 4 * 3
    }

    /// When measuring, and all before it, is cut short: writing must still be possible.
    pub fn measure(self) -> Duration {
        self.time.saturating_sub(self.write())
    }

    fn write(self) -> Duration {
        self.time.mul_f64(WRITE).clamp(WRITES.0, WRITES.1).min(self.time / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn exploring_gets_most_and_the_reserve_grows_with_the_load() {
        let shares =
            Shares { time: 60 * SECOND, began: 10 * SECOND, compiled: Duration::ZERO, hang: SECOND, threads: 1 };
        let nothing = shares.explore(Load::default());
        let some = shares.explore(Load { files: 4, builds: 2, tests: 100, ..Load::default() });
        let much = shares.explore(Load { files: 500, builds: 3, tests: 100_000, ..Load::default() });
        assert_eq!(nothing.as_secs_f64(), 52.5);
        assert!(some < nothing && much < some);
        assert!(much > 37 * SECOND, "{much:?}");
        let load = Load { files: 4, builds: 2, tests: 100, ..Load::default() };
        let slow = Shares { compiled: 4 * SECOND, ..shares }.explore(load);
        assert!(slow < some);
        assert!(shares.explore(Load { values: 500_000, ..load }) < some);
        assert!(shares.explore(Load { alarms: 40, ..load }) < some);
        assert!(shares.explore(Load { hangs: 2, ..load }) < some - 2 * SECOND);
    }

    #[test]
    fn every_phase_ends_before_the_next_must_and_writing_has_its_time() {
        for (time, began) in [(1, 0), (1, 1), (2, 1), (10, 3), (600, 599), (3600, 20)] {
            let shares =
                Shares { time: time * SECOND, began: began * SECOND, compiled: SECOND, hang: SECOND, threads: 2 };
            for load in [Load::default(), Load { files: 3, builds: 3, tests: 40, values: 90, alarms: 2, hangs: 1 }] {
                let explored = shares.explore(load);
                let replayed = shares.half(explored);
                assert!(explored <= shares.time && explored <= replayed.max(shares.measure()));
                assert!(replayed <= shares.measure().max(explored));
                assert!(shares.measure() < shares.time);
            }
        }
    }
}
