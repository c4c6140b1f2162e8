//! What is known to be impossible, from unit to unit and from run to run: read from the results, given to the solvers, written back.

use covet_results::Store;
use covet_results::store::Error;
use covet_solve::{Nogood, Nogoods};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
pub struct NogoodStore {
    known: Mutex<Arc<Nogoods>>,
    found: Mutex<Nogoods>,
    /// Units are explored one after the other, so that what one found may serve the next whatever the timing.
    in_turn: bool,
}

impl NogoodStore {
    /// What the runs before left in `store`; nothing when it cannot be read.
    pub fn open(store: &Store, in_turn: bool) -> NogoodStore {
        let mut known = Nogoods::default();
        let stored = store.nogoods().unwrap_or_default();
        stored.into_iter().for_each(|(goal, part)| known.add(Nogood { goal, conditions: part.into() }));
        NogoodStore { known: Mutex::new(Arc::new(known)), found: Mutex::default(), in_turn }
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

    pub fn save(&self, store: &mut Store) -> Result<(), Error> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        store.add_nogoods(found.iter().map(|nogood| (nogood.goal, nogood.conditions.into_vec())))
    }
}
