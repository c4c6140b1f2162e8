//! Arrays in order: ascending, descending, all the same. Sorting, searching and merging turn on how elements stand to each other all
//! at once, which flips bring about one pair at a time.

use crate::state::State;
use covet_input::{Input, ValueKind, VarId, Variables};
use std::collections::BTreeMap;

/// Elements below which flips do as well, and those that are set.
const FEWEST: usize = 3;
const MOST: usize = 4_096;

#[derive(Clone, Copy, Debug)]
enum Order {
    Descending,
    Ascending,
    Same,
}

#[derive(Debug, Default)]
pub struct Arranged {
    /// Variables known when arrays were last looked for.
    known: usize,
    /// Elements of each array when it was last queued, by its name with the index left out.
    sizes: BTreeMap<String, usize>,
    queue: Vec<(Vec<VarId>, Order)>,
}

impl Arranged {
    /// The input of the longest run with one array in another order.
    pub fn next(&mut self, state: &State) -> Option<Input> {
        if self.known < state.variables.len() {
            self.known = state.variables.len();
            self.find(&state.variables);
        }
        if self.queue.is_empty() {
            return None;
        }
        let longest = state.runs().max_by_key(|run| run.decisions.len())?;
        let (elements, order) = self.queue.pop()?;
        let mut input = longest.input.clone();
        for (at, id) in elements.iter().enumerate() {
            let rank = match order {
                Order::Descending => elements.len() - 1 - at,
                Order::Ascending => at,
                Order::Same => 1,
            };
            let variable = state.variables.get(*id);
            input.set(*id, number(rank, variable.kind, variable.width));
        }
        Some(input)
    }

    /// Queues arrays that are new, or longer than they were.
    fn find(&mut self, variables: &Variables) {
        let mut arrays: BTreeMap<String, Vec<(usize, VarId)>> = BTreeMap::new();
        for (id, variable) in variables.iter().filter(|(id, _)| !variables.held().contains(id)) {
            if let (true, Some((array, index))) = (is_number(variable.kind), element(&variable.name)) {
                arrays.entry(array).or_default().push((index, id));
            }
        }
        for (array, mut elements) in arrays {
            let known = self.sizes.entry(array).or_default();
            if elements.len() < FEWEST || elements.len() <= *known {
                continue;
            }
            *known = elements.len();
            elements.sort_unstable();
            let ids: Vec<VarId> = elements.into_iter().take(MOST).map(|(_, id)| id).collect();
            let orders = [Order::Same, Order::Ascending, Order::Descending];
            self.queue.extend(orders.map(|order| (ids.clone(), order)));
        }
    }
}

/// The name without its last index, and the index.
fn element(name: &str) -> Option<(String, usize)> {
    let open = name.rfind('[')?;
    let close = open + name[open..].find(']')?;
    let index = name[open + 1..close].parse().ok()?;
    Some((format!("{}[]{}", &name[..open], &name[close + 1..]), index))
}

fn is_number(kind: ValueKind) -> bool {
    match kind {
        ValueKind::Signed | ValueKind::Unsigned | ValueKind::Float => true,
        // Text is no list of numbers.
        ValueKind::Char | ValueKind::Byte => false,
        ValueKind::Bool | ValueKind::Pointer | ValueKind::Function | ValueKind::Growth => false,
    }
}

/// A small number as bits of a kind.
fn number(rank: usize, kind: ValueKind, width: u16) -> u128 {
    let bits = match (kind, width) {
        (ValueKind::Float, 32) => u128::from((rank as f32).to_bits()),
        (ValueKind::Float, 64) => u128::from((rank as f64).to_bits()),
        _ => rank as u128,
    };
    bits & u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_by_their_last_index() {
        assert_eq!(element("arg.rows[2][7]"), Some(("arg.rows[2][]".into(), 7)));
        assert_eq!(element("*arg.list[3].key"), Some(("*arg.list[].key".into(), 3)));
        assert_eq!(element("arg.x"), None);
        assert_eq!(element("arg.odd[x]"), None);
    }

    #[test]
    fn numbers_stay_within_their_width() {
        assert_eq!(number(300, ValueKind::Unsigned, 8), 44);
        assert_eq!(number(2, ValueKind::Float, 64), u128::from(2.0_f64.to_bits()));
    }
}
