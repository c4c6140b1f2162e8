//! Two profiles → one: runs beside runs, ranges around ranges, states as far as there is room.

use crate::profile::{Argument, FunctionProfile, Numbers, Pairing, Pointers, Profile, Run};
use crate::state::State;

/// Different runs that are kept: what more would tell about dependencies is little.
const MOST_RUNS: usize = 4096;
/// States that are kept of a function, and bytes of all of them.
const MOST_STATES: usize = 8;
const MOST_BYTES: usize = 256 << 10;

impl Profile {
    /// Adds what another one has seen.
    pub fn merge(&mut self, other: &Profile) {
        let places: Vec<u32> = other.functions.iter().map(|function| self.place(&function.id)).collect();
        for (function, place) in other.functions.iter().zip(&places) {
            self.functions[*place as usize].merge(function);
        }
        let place = |old: u32| places.get(old as usize).copied();
        for (run, times) in &other.runs {
            let mut moved = Run {
                roots: run.roots.iter().filter_map(|root| place(*root)).collect(),
                edges: run.edges.iter().filter_map(|(from, to)| Some((place(*from)?, place(*to)?))).collect(),
            };
            moved.settle();
            self.keep_run(moved, *times);
        }
        self.runs_left_out += other.runs_left_out;
    }

    pub(crate) fn keep_run(&mut self, run: Run, times: u64) {
        if run == Run::default() {
            return;
        }
        if self.runs.len() >= MOST_RUNS && !self.runs.contains_key(&run) {
            self.runs_left_out += times;
            return;
        }
        *self.runs.entry(run).or_default() += times;
    }
}

impl FunctionProfile {
    fn merge(&mut self, other: &FunctionProfile) {
        self.calls += other.calls;
        if self.arguments.is_empty() {
            self.arguments.clone_from(&other.arguments);
        } else if self.arguments.len() == other.arguments.len() {
            self.arguments.iter_mut().zip(&other.arguments).for_each(|(own, other)| *own = own.joined(*other));
        }
        for pairing in &other.pairings {
            let same = |known: &&mut Pairing| known.pointer == pairing.pointer && known.number == pairing.number;
            match self.pairings.iter_mut().find(same) {
                Some(known) => known.join(*pairing),
                None => self.pairings.push(*pairing),
            }
        }
        self.pairings.sort_by_key(|pairing| (pairing.pointer, pairing.number));
        other.states.iter().for_each(|state| self.keep_state(state.clone()));
    }

    /// Keeps a state while there is room, and no other is the same.
    pub(crate) fn keep_state(&mut self, state: State) {
        let bytes: usize = self.states.iter().map(State::bytes).sum();
        let has_room = self.states.len() < MOST_STATES && bytes + state.bytes() <= MOST_BYTES;
        if has_room && !self.states.contains(&state) {
            self.states.push(state);
        }
    }
}

impl Argument {
    /// What both have seen. An argument that is a number here and a pointer there is another function's.
    fn joined(self, other: Argument) -> Argument {
        match (self, other) {
            (Argument::Number(own), Argument::Number(other)) => Argument::Number(Numbers {
                least: own.least.min(other.least),
                most: own.most.max(other.most),
                least_unsigned: own.least_unsigned.min(other.least_unsigned),
                most_unsigned: own.most_unsigned.max(other.most_unsigned),
            }),
            (Argument::Pointer(own), Argument::Pointer(other)) => Argument::Pointer(own.joined(other)),
            (_, _) => Argument::Other,
        }
    }
}

impl Pointers {
    fn joined(self, other: Pointers) -> Pointers {
        let (least_bytes, most_bytes) = match (self.known, other.known) {
            (0, _) => (other.least_bytes, other.most_bytes),
            (_, 0) => (self.least_bytes, self.most_bytes),
            (_, _) => (self.least_bytes.min(other.least_bytes), self.most_bytes.max(other.most_bytes)),
        };
        Pointers {
            times: self.times + other.times,
            null: self.null + other.null,
            known: self.known + other.known,
            least_bytes,
            most_bytes,
        }
    }
}

impl Pairing {
    fn join(&mut self, other: Pairing) {
        self.times += other.times;
        self.least_each = self.least_each.min(other.least_each);
        self.most_each = self.most_each.max(other.most_each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;
    use covet_sites::FunctionId;

    fn id(name: &str) -> FunctionId {
        FunctionId { file: "a.c".into(), name: name.into() }
    }

    fn recorded(calls: &[(Option<&str>, &str)]) -> Profile {
        let ids: Vec<_> = calls.iter().map(|(from, to)| (from.map(id), id(to))).collect();
        let mut profile = Profile::default();
        profile.add_run(ids.iter().map(|(from, to)| (from.as_ref(), to)));
        profile
    }

    #[test]
    fn runs_that_called_the_same_are_one_whatever_the_order_of_functions() {
        let mut all = recorded(&[(None, "main"), (Some("main"), "f"), (Some("f"), "g")]);
        all.merge(&recorded(&[(Some("f"), "g"), (Some("main"), "f"), (None, "main"), (Some("f"), "g")]));
        all.merge(&recorded(&[(None, "main")]));
        let times: Vec<u64> = all.runs().map(|(_, times)| times).collect();
        assert_eq!((times.iter().sum::<u64>(), times.len(), all.run_count()), (3, 2, 3));
        assert_eq!(all.function(&id("g")).unwrap().calls, 3);
    }

    #[test]
    fn ranges_grow_and_states_are_bounded() {
        let number = |least, most| Numbers { least, most, least_unsigned: 0, most_unsigned: 9 };
        let pointer = |null, known| Pointers { times: 2, null, known, least_bytes: 8 * known, most_bytes: 16 * known };
        let state = |value| State { arguments: vec![value], ..State::default() };
        let mut function = FunctionProfile {
            arguments: vec![Argument::Number(number(1, 2)), Argument::Pointer(pointer(1, 1))],
            states: (0..MOST_STATES as u64).map(state).collect(),
            pairings: vec![Pairing { pointer: 0, number: 1, times: 1, least_each: 4, most_each: 4 }],
            ..FunctionProfile::new(id("f"))
        };
        let other = FunctionProfile {
            arguments: vec![Argument::Number(number(-5, 1)), Argument::Pointer(pointer(0, 0))],
            states: vec![state(0), state(99)],
            pairings: vec![Pairing { pointer: 0, number: 1, times: 2, least_each: 1, most_each: 5 }],
            ..FunctionProfile::new(id("f"))
        };
        function.merge(&other);
        let joined = Pointers { times: 4, null: 1, known: 1, least_bytes: 8, most_bytes: 16 };
        assert_eq!(function.arguments, [Argument::Number(number(-5, 2)), Argument::Pointer(joined)]);
        assert_eq!(function.states.len(), MOST_STATES);
        assert_eq!(function.pairings, [Pairing { pointer: 0, number: 1, times: 3, least_each: 1, most_each: 5 }]);
        let mut empty = FunctionProfile::new(id("f"));
        let with = |count, value| State {
            memory: vec![Region { address: 0, bytes: vec![0; count], is_whole: true }],
            ..state(value)
        };
        empty.keep_state(with(MOST_BYTES, 1));
        empty.keep_state(with(1, 2));
        assert_eq!(empty.states.len(), 1, "what there is room for");
    }
}
