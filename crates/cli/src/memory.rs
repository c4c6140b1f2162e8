//! What is known to be impossible, from function to function and from run to run: read from the results database, given to the
//! solvers, written back.

use covet_results::Database;
use covet_solve::{Refusal, Refusals};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub struct Memory {
    known: Mutex<Arc<Refusals>>,
    found: Mutex<Refusals>,
    /// Functions are explored one after the other, so that what one found may serve the next whatever the timing.
    in_turn: bool,
}

impl Memory {
    /// What the runs before left in `folder`; nothing when it cannot be read.
    pub fn open(folder: &Path, in_turn: bool) -> Memory {
        let mut known = Refusals::default();
        let stored = Database::open(folder).map(|database| database.refusals()).unwrap_or_default();
        stored.into_iter().for_each(|(goal, part)| known.add(Refusal { goal, part: part.into() }));
        Memory { known: Mutex::new(Arc::new(known)), found: Mutex::default(), in_turn }
    }

    pub fn recall(&self) -> Arc<Refusals> {
        Arc::clone(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn add(&self, new: &Refusals) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        new.iter().for_each(|refusal| found.add(refusal));
        if self.in_turn {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = Arc::make_mut(&mut known);
            new.iter().for_each(|refusal| known.add(refusal));
        }
    }

    pub fn save(&self, database: &mut Database) -> Result<(), covet_results::database::Error> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        database.add_refusals(found.iter().map(|refusal| (refusal.goal, refusal.part.into_vec())))
    }
}
