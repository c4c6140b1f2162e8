//! Slots: stack places that stand for registers until `mem2reg`, and the shadow slots beside them.

use crate::function::Rewriter;
use crate::ir::Value;
use crate::tracking::shadow::{Shadow, leaves};

/// The slot that a load or store is about, if it is one.
pub fn of(address: Value) -> Option<Value> {
    (address.is_alloca() && address.name().contains(".reg2mem")).then_some(address)
}

impl Rewriter<'_> {
    /// The shadow slots beside `slot`, one per leaf; 0 on entry.
    pub fn shadow_slots(&mut self, slot: Value) -> Shadow {
        if let Some(known) = self.beside.get(&slot) {
            return known.clone();
        }
        let count = leaves(slot.allocated_type(), self.layout).len();
        let fresh = self.fresh_slots(count);
        self.beside.insert(slot, fresh.clone());
        fresh
    }

    /// New shadow slots in the entry block, holding 0.
    pub fn fresh_slots(&mut self, count: usize) -> Shadow {
        (0..count)
            .map(|_| {
                let slot = self.slot_emit.alloca(self.slot_emit.i32);
                self.slot_emit.store(self.concrete(), slot);
                slot
            })
            .collect()
    }

    /// Shadows from shadow slots, at the current position.
    pub fn load_slots(&self, slots: &[Value]) -> Shadow {
        slots.iter().map(|slot| self.emit.load(self.emit.i32, *slot)).collect()
    }

    pub fn store_slots(&self, shadow: &[Value], slots: &[Value]) {
        for (leaf, slot) in shadow.iter().zip(slots) {
            self.emit.store(*leaf, *slot);
        }
    }
}
