//! What is found goes to disk as it is found: tests and alarms of explorations that go on → the store. A command that is killed leaves all of
//! it but the last moment.

use crate::alarms;
use crate::phases::Load;
use covet_results::store::Unit;
use covet_results::{Alarm, AlarmKind, FunctionResult, Store, Test};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an exploration has found since it was last asked.
pub struct News {
    pub function: FunctionResult,
    pub tests: Vec<Test>,
    /// All of this exploration, also those told before; [`Test::alarm`] counts them.
    pub alarms: Vec<Alarm>,
}

pub struct Journal {
    kept: Mutex<Kept>,
}

struct Kept {
    store: Store,
    alarms: Vec<Alarm>,
    files: BTreeSet<String>,
    tests: usize,
    values: usize,
    /// Why something could not be written: said once, at the end.
    unwritable: Option<String>,
}

impl Journal {
    pub fn new(store: Store) -> Journal {
        let (alarms, files) = (Vec::new(), BTreeSet::new());
        Journal { kept: Mutex::new(Kept { store, alarms, files, tests: 0, values: 0, unwritable: None }) }
    }

    /// Writes news of unit `number`.
    pub fn keep(&self, number: usize, news: News) {
        let News { function, mut tests, alarms } = news;
        let mut kept = self.lock();
        let kept = &mut *kept;
        let places = alarms::add(&mut kept.alarms, alarms);
        for test in &mut tests {
            test.alarm = test.alarm.map(|alarm| places[alarm]);
        }
        kept.tests += tests.len();
        kept.values += tests.iter().map(|test| test.inputs.len()).sum::<usize>();
        kept.files.insert(function.file.clone());
        let unit = Unit { number, function: &function, tests: &tests, alarms: &kept.alarms };
        let written = kept.store.append(unit);
        kept.unwritable = kept.unwritable.take().or(written.err().map(|error| error.to_string()));
    }

    /// What there is to do with what was found so far.
    pub fn load(&self, official: bool) -> Load {
        let kept = self.lock();
        let builds = 1 + usize::from(official) + usize::from(!kept.alarms.is_empty());
        let hangs = kept.alarms.iter().filter(|alarm| alarm.kind == AlarmKind::Timeout).count();
        Load {
            files: kept.files.len(),
            builds,
            tests: kept.tests,
            values: kept.values,
            alarms: kept.alarms.len(),
            hangs,
        }
    }

    /// The store, for the final record, and why something could not be written.
    pub fn close(self) -> (Store, Option<String>) {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        (kept.store, kept.unwritable)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
