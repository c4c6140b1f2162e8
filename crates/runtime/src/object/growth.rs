//! Input objects whose length nobody tells: a run that reaches beyond one ends there, and says how long it should have been.
//!
//! Such an object has so many elements at first, and as many more as a variable of its own says, up to what that variable can say.
//! Invariant: what is asked for depends only on the element that was missing, not on how long the object is in this run.

use covet_abi::event::growth_site;
use covet_abi::termination::Termination;

use crate::object::placed;
use crate::shadow::access;
use crate::sys::state::Static;
use crate::term::build;
#[cfg(test)]
use crate::tests::end_run;
use crate::trace::{events, tracking, values, variables};
#[cfg(not(test))]
use crate::worker::signals::end_run;

#[derive(Clone, Copy)]
pub struct Growth {
    start: u64,
    variable: u32,
    first: u64,
    /// Bytes of one.
    element: u64,
    /// Elements after the last that are zero.
    zeros: u64,
}

/// Objects of one run that may become longer.
const ROOM: usize = 1 << 12;

static ALL: Static<[Growth; ROOM]> =
    Static::new([Growth { start: 0, variable: 0, first: 0, element: 1, zeros: 0 }; ROOM]);
static COUNT: Static<usize> = Static::new(0);

pub fn reset() {
    COUNT.write(0);
}

/// The object at `start` may become longer; too many of them stay as they are.
pub fn add(start: u64, variable: u32, first: u64, element: u64, zeros: u64) -> Option<()> {
    variables::get(variable)?;
    let count = COUNT.read();
    if count < ROOM && element > 0 {
        ALL.get()[count] = Growth { start, variable, first, element, zeros };
        COUNT.write(count + 1);
        placed::set_growth(start, count as u64);
    }
    Some(())
}

/// How the object around, or before, an address may become longer.
pub fn of(address: u64) -> Option<&'static Growth> {
    let number = placed::growth(address)? as usize;
    ALL.get()[..COUNT.read()].get(number)
}

impl Growth {
    /// Elements at most.
    fn most(&self) -> u64 {
        let width = variables::get(self.variable).map_or(0, |variable| variable.width.min(32));
        self.first + (1 << width) - 1
    }

    /// Bytes at most.
    pub fn capacity(&self) -> u64 {
        (self.most() + self.zeros) * self.element
    }

    /// Elements beyond the first ones that a byte asks for, and how often the length is doubled until it is enough.
    fn wanted(&self, address: u64) -> (u64, u32) {
        let needed = ((address - self.start) / self.element + 1).saturating_sub(self.zeros);
        let (mut length, mut doubled) = (self.first.max(1), 0);
        while length < needed {
            length *= 2;
            doubled += 1;
        }
        (length.min(self.most()) - self.first.min(length), doubled)
    }

    /// Whether the object can become so long that it holds this byte.
    pub fn may_hold(&self, address: u64) -> bool {
        address >= self.start && address - self.start < self.capacity()
    }

    /// The run needs the byte at `address`, which it can have in an object that is longer: it ends.
    pub fn reach(&self, address: u64) -> ! {
        if tracking::active() {
            let more = variables::variable_node(self.variable);
            let (wanted, doubled) = self.wanted(address);
            let short = build::at_most(more, u128::from(wanted.saturating_sub(1)));
            events::too_short(growth_site(self.start, doubled), build::not(short));
        }
        end_run(Termination::AssumptionFailed, 0)
    }
}

/// Fills a place of an object that ends with zeros: `variable` when the object has more than `beyond` elements beyond its first ones.
///
/// # Safety
/// The bytes of the variable at `address` must be writable.
pub unsafe fn fill(start: u64, address: u64, variable: u32, beyond: u64) -> Option<()> {
    let growth = of(start)?;
    let width = u32::from(variables::get(variable)?.width);
    let is_reached = values::value(growth.variable) > u128::from(beyond);
    let value = if is_reached { values::value(variable) } else { 0 };
    let mut id = 0;
    if tracking::active() {
        let reached = build::not(build::at_most(variables::variable_node(growth.variable), u128::from(beyond)));
        let zero = crate::term::arena::constant(width, 0);
        id = build::ite(reached, variables::variable_node(variable), zero);
    }
    // SAFETY: as the caller vouches.
    unsafe {
        access::put(address, width / 8, value);
        access::write(address, width / 8, id, value);
    }
    Some(())
}
