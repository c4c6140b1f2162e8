//! What is known to be impossible, from function to function and from run to run: read from the results database, given to the
//! solvers, written back.

use covet_results::Database;
use covet_solve::{Nogood, Nogoods};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub struct Memory {
    known: Mutex<Arc<Nogoods>>,
    found: Mutex<Nogoods>,
    /// Functions are explored one after the other, so that what one found may serve the next whatever the timing.
    in_turn: bool,
}

impl Memory {
    /// What the runs before left in `folder`; nothing when it cannot be read.
    pub fn open(folder: &Path, in_turn: bool) -> Memory {
        let mut known = Nogoods::default();
        let stored = Database::open(folder).map(|database| database.refusals()).unwrap_or_default();
        stored.into_iter().for_each(|(goal, part)| known.add(Nogood { goal, conditions: part.into() }));
        Memory { known: Mutex::new(Arc::new(known)), found: Mutex::default(), in_turn }
    }

    pub fn recall(&self) -> Arc<Nogoods> {
        Arc::clone(&self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn add(&self, new: &Nogoods) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        new.iter().for_each(|nogood| found.add(nogood));
        if self.in_turn {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = Arc::make_mut(&mut known);
            new.iter().for_each(|nogood| known.add(nogood));
        }
    }

    pub fn save(&self, database: &mut Database) -> Result<(), covet_results::database::Error> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        database.add_refusals(found.iter().map(|nogood| (nogood.goal, nogood.conditions.into_vec())))
    }
}
