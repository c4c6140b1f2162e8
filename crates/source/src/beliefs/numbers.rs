//! What is stored in a number, and what it is compared with → which values it may have.

use super::{Beliefs, Body, DEEPEST};
use crate::facts::{Compared, Spot, Store};
use crate::given::Given;

impl Beliefs<'_> {
    /// Whether a member may have a value that nobody on the way has looked at: why it may, nothing where it is not the program that sets it, or as an error
    /// what may keep it from that.
    pub fn range(&self, spot: &Spot, value: i64) -> Result<Option<String>, String> {
        let stores = self.stores.get(spot).map_or(&[][..], Vec::as_slice);
        let Some((body, store)) = stores.first() else { return Ok(None) };
        if let Some((body, store)) = stores.iter().find(|(_, store)| store.value == Given::Number(value)) {
            return Ok(Some(format!("{} sets it", body.place(store.line))));
        }
        let is_constant = |store: &Store| matches!(store.value, Given::Number(_));
        if stores.iter().all(|(_, store)| is_constant(store)) {
            return Err(format!("what sets it gives it other values ({})", body.place(store.line)));
        }
        let compared = self.compared.get(spot).map_or(&[][..], Vec::as_slice);
        // Who asks for a value keeps it away from where it does harm.
        if let Some((body, asked)) = compared.iter().find(|(_, compared)| compared.equal_to == Some(value)) {
            return Err(format!("it is checked elsewhere ({})", body.place(asked.mark.line)));
        }
        if let Some((body, check)) = checked(compared) {
            return Err(format!("it is checked elsewhere ({})", body.place(check.mark.line)));
        }
        let is_step = |store: &Store| store.value == Given::Step;
        if stores.iter().all(|(_, store)| is_constant(store) || is_step(store)) {
            return Err(format!("it only goes on from where it was ({})", body.place(store.line)));
        }
        let Some(free) = stores.iter().find(|(body, store)| body.is_from_elsewhere(&store.value, DEEPEST)) else {
            return Err(format!("it is computed where it is set ({})", body.place(store.line)));
        };
        Ok(Some(free).map(|(body, store)| format!("{} sets it, and nothing checks it", body.place(store.line))))
    }

    /// Whether something is stored in a spot that the program has from elsewhere: what it read, or what a call gave.
    pub fn is_set(&self, spot: &Spot) -> bool {
        let stores = self.stores.get(spot).map_or(&[][..], Vec::as_slice);
        stores.iter().any(|(body, store)| body.is_from_elsewhere(&store.value, DEEPEST))
    }

    /// Whether a value may be such, and nothing keeps it within bounds. A constant that is stored belongs to a state of its own.
    pub fn is_free(&self, spot: &Spot, value: i64) -> bool {
        let stores = self.stores.get(spot).map_or(&[][..], Vec::as_slice);
        let is_constant = stores.iter().any(|(_, store)| store.value == Given::Number(value));
        !is_constant && self.is_set(spot) && checked(self.compared.get(spot).map_or(&[][..], Vec::as_slice)).is_none()
    }
}

impl Body<'_> {
    /// Whether a value comes from outside of the body's own reckoning: from a call, a caller, an element of something. What counts in a loop does not.
    fn is_from_elsewhere(self, value: &Given, depth: u32) -> bool {
        match value {
            Given::Number(_) | Given::Step | Given::Computed => false,
            Given::Null | Given::Address | Given::Array(_) | Given::Inside(_) => false,
            Given::From(local @ Spot::Local(_)) if depth > 0 => {
                let mut stores = self.facts().stores.iter().filter(|store| store.to == *local).peekable();
                stores.peek().is_none() || stores.any(|store| self.is_from_elsewhere(&store.value, depth - 1))
            }
            Given::From(_) | Given::Result(_) | Given::Unknown => true,
        }
    }
}

/// The comparison that keeps a number within bounds: one with anything but constants, or with the only constant that it may be. Where one of
/// several constants is asked for, others are other cases.
fn checked<'c, 'p>(compared: &'c [(Body<'p>, &'p Compared)]) -> Option<&'c (Body<'p>, &'p Compared)> {
    let is_bound = |(_, compared): &&(Body<'p>, &'p Compared)| compared.equal_to.is_none();
    let is_value = |(_, compared): &&(Body<'p>, &'p Compared)| compared.equal_to.is_some_and(|value| value != 0);
    let mut values = compared.iter().filter(is_value);
    let first = values.next();
    let is_only = values.all(|(_, other)| Some(other.equal_to) == first.map(|(_, first)| first.equal_to));
    compared.iter().find(is_bound).or(first.filter(|_| is_only))
}
