//! Memory as it was when a call began becomes an input: the blueprint says what is where, the memory what it was.
//!
//! Blueprint and memory are gone through side by side. An argument is a word of the state; a pointer in it leads from an object of the
//! blueprint to bytes of the state; what the blueprint has a variable for is read from there. Pointers to one address become one object. What
//! was not kept, or has no place in the blueprint, stays as in any first input.

use crate::blueprint::{Blueprint, Candidate, Length, Object, ObjectNumber, Part, Pointer, Reading};
use covet_abi::plan::{Place, Step};
use covet_input::{Input, VarId, Variables};
use covet_profile::State;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Pointers that lead to each other at most.
const ROUNDS: usize = 64;

impl Blueprint<'_> {
    /// The input that a state is, and whether it is all of it: every pointer led to memory that was kept, and no object is shorter than it
    /// was. None when its arguments are not those of the entry. `address_of` says where a global of the program, by its number, was.
    pub fn carved(
        &mut self,
        variables: &mut Variables,
        state: &State,
        address_of: &dyn Fn(u32) -> Option<u64>,
    ) -> Option<(Input, bool)> {
        let arguments = self.root.steps.iter().filter(|step| matches!(step, Step::Argument { .. })).count();
        if arguments != state.arguments.len() {
            return None;
        }
        let (mut input, mut is_exact) = (Input::default(), false);
        for _ in 0..ROUNDS {
            // What the pointers so far lead to is laid out before it is looked at.
            self.steps(variables, &input);
            let mut carving = Carving::new(self, variables, state);
            carving.root(address_of);
            let is_settled = carving.input == input;
            is_exact = is_settled && carving.is_exact && carving.has_all_elements();
            input = carving.input;
            if is_settled {
                break;
            }
        }
        Some((input, is_exact))
    }
}

/// What a slot of the plan was in the state.
#[derive(Clone, Copy)]
enum Base {
    Word(u64),
    At(u64),
}

struct Carving<'c, 'a> {
    blueprint: &'c Blueprint<'a>,
    variables: &'c Variables,
    state: &'c State,
    bases: BTreeMap<u32, Base>,
    /// Objects by the addresses they had.
    known: BTreeMap<u64, ObjectNumber>,
    input: Input,
    /// Whatever the blueprint asked for was there.
    is_exact: bool,
}

impl<'c, 'a> Carving<'c, 'a> {
    fn new(blueprint: &'c Blueprint<'a>, variables: &'c Variables, state: &'c State) -> Carving<'c, 'a> {
        let (bases, known) = Default::default();
        Carving { blueprint, variables, state, bases, known, input: Input::default(), is_exact: true }
    }

    fn root(&mut self, address_of: &dyn Fn(u32) -> Option<u64>) {
        for step in &self.blueprint.root.steps {
            match *step {
                Step::Argument { number, slot } => {
                    let word = self.state.arguments.get(number as usize).copied();
                    self.bases.extend(word.map(|word| (slot, Base::Word(word))));
                }
                Step::Global { slot, global } => {
                    self.bases.extend(address_of(global).map(|address| (slot, Base::At(address))));
                }
                _ => {}
            }
        }
        self.part(&self.blueprint.root);
    }

    fn part(&mut self, part: &'c Part) {
        for pointer in &part.pointers {
            self.pointer(pointer);
        }
        for step in &part.steps {
            if let Step::Variable { at, variable, bit } | Step::Keep { at, variable, bit } = *step {
                self.value(at, VarId(variable), bit);
            } else if let Step::Reached { at, variable, .. } = *step {
                self.value(at, VarId(variable), 0);
            }
        }
        for inside in &part.insides {
            let Some(word) = self.word(inside.place) else { continue };
            let object = &self.blueprint.objects[inside.object.0];
            if let Some(Base::At(start)) = self.bases.get(&object.slot).copied()
                && let Some(distance) = word.checked_sub(start)
            {
                self.input.set(inside.at, u128::from(distance / object.size.max(1)));
            }
        }
    }

    fn value(&mut self, at: Place, variable: VarId, bit: u8) {
        let width = u32::from(self.variables.get(variable).width);
        let count = (u32::from(bit) + width).div_ceil(8) as usize;
        let Some(bytes) = self.bytes(at, count).filter(|bytes| bytes.len() <= 16) else {
            self.is_exact = false;
            return;
        };
        let mut word = [0; 16];
        word[..bytes.len()].copy_from_slice(&bytes);
        let mask = u128::MAX >> (128 - width.clamp(1, 128));
        self.input.set(variable, u128::from_le_bytes(word) >> bit & mask);
    }

    fn pointer(&mut self, pointer: &'c Pointer) {
        match self.word(pointer.place).and_then(|word| self.choice(pointer, word)) {
            Some(chosen) => self.input.set(pointer.choice, chosen as u128),
            None => self.is_exact = false,
        }
    }

    /// The value of a pointer's choice that makes it point where `word` did.
    fn choice(&mut self, pointer: &'c Pointer, word: u64) -> Option<usize> {
        let own = pointer.candidates.iter().position(|candidate| matches!(candidate, Candidate::Object(_)));
        let at = match (word, self.function(word), own) {
            (0, _, _) => return Some(0),
            (_, Some(name), _) => {
                let is_it = |candidate: &Candidate| matches!(candidate, Candidate::Function { name: other, .. } if other == name);
                pointer.candidates.iter().position(is_it)?
            }
            (_, None, Some(own)) => self.object(pointer, own, word)?,
            (_, None, None) => return None,
        };
        Some(at + 1)
    }

    /// The candidate that the object at `address` is: one that is there already, or the pointer's own.
    fn object(&mut self, pointer: &'c Pointer, own: usize, address: u64) -> Option<usize> {
        self.state.region(address)?;
        if let Some(known) = self.known.get(&address) {
            let is_it = |candidate: &Candidate| matches!(candidate, Candidate::Object(number) if number == known);
            if let Some(at) = pointer.candidates.iter().position(is_it) {
                return Some(at);
            }
        }
        let Candidate::Object(number) = pointer.candidates[own] else { return None };
        let object = &self.blueprint.objects[number.0];
        if let Entry::Vacant(new) = self.bases.entry(object.slot) {
            new.insert(Base::At(address));
            self.known.entry(address).or_insert(number);
            self.length(object, address);
            // Depth first, as objects are offered to later pointers: what two lead to stays one.
            object.parts.iter().for_each(|part| self.part(part));
        }
        Some(own)
    }

    /// How many elements the object has: as far as its memory goes, and a text to its end.
    fn length(&mut self, object: &Object, address: u64) {
        let Some(region) = self.state.region(address) else { return };
        let bytes = &region.bytes[(address - region.address) as usize..];
        let size = object.size.max(1);
        let mut count = bytes.len() as u64 / size;
        if object.zeros > 0 {
            let ends = bytes.chunks_exact(size as usize).position(|element| element.iter().all(|byte| *byte == 0));
            count = ends.map_or(count.saturating_sub(object.zeros), |at| at as u64);
        }
        match object.length {
            Length::Grown { first, variable, most } => {
                self.input.set(variable, u128::from(count.min(most).saturating_sub(first)));
            }
            Length::Span { variable, most } => self.input.set(variable, u128::from(count.min(most))),
            Length::Fixed(_) | Length::Input { .. } => {}
        }
    }

    /// Whether every object that was found has as many elements as its memory, all of them with their values.
    fn has_all_elements(&self) -> bool {
        let reading = Reading { variables: self.variables, input: &self.input };
        self.blueprint.objects.iter().all(|object| {
            let Some(Base::At(address)) = self.bases.get(&object.slot).copied() else { return true };
            let Some(region) = self.state.region(address) else { return false };
            let bytes = region.bytes.len() as u64 - (address - region.address);
            let (count, more) = (object.elements(&reading), object.more(&reading));
            let has_values = object.parts.len() as u64 >= count;
            region.is_whole && has_values && object.size.saturating_mul(count + more) >= bytes
        })
    }

    fn function(&self, word: u64) -> Option<&'c str> {
        self.state.functions.iter().find(|(address, _)| *address == word).map(|(_, name)| name.as_str())
    }

    fn word(&self, at: Place) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(at, 8)?.try_into().ok()?))
    }

    fn bytes(&self, at: Place, count: usize) -> Option<Vec<u8>> {
        match *self.bases.get(&at.slot)? {
            Base::Word(word) => {
                let start = usize::try_from(at.offset).ok()?;
                word.to_le_bytes().get(start..start.checked_add(count)?).map(<[u8]>::to_vec)
            }
            Base::At(address) => self.state.read(address.checked_add(at.offset)?, count).map(<[u8]>::to_vec),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan_function;
    use crate::testing::{environment, parse};
    use covet_input::{Pointee, Variables};
    use covet_profile::{Region, State};

    fn words(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn region(address: u64, bytes: Vec<u8>) -> Region {
        Region { address, bytes, is_whole: true }
    }

    #[test]
    fn what_memory_holds_is_what_the_input_has() {
        let source = "struct node { int val; unsigned low : 3, high : 5; struct node *next; const char *text; };
            int f(struct node *p, struct node *q, short mode, struct node *none) { return p == q; }";
        let (types, unit) = parse(source);
        let mut variables = Variables::default();
        let mut blueprint = plan_function(environment(&types), unit.function("f").unwrap(), &mut variables);
        // Two nodes in a circle: val and bit-fields, next, text.
        let first = words(&[7 | 0b1011_0101 << 32, 0x2000, 0x3000]);
        let second = words(&[9, 0x1000, 0]);
        let state = State {
            arguments: vec![0x1000, 0x2000, 0xffff_ffff_ffff_fffe, 0],
            memory: vec![region(0x1000, first), region(0x2000, second), region(0x3000, b"hello\0rest".to_vec())],
            ..State::default()
        };
        let (input, is_exact) = blueprint.carved(&mut variables, &state, &|_| None).unwrap();
        assert!(!is_exact, "there is more behind the text");
        let value = |name: &str| variables.find(name).and_then(|id| input.get(id));
        assert_eq!((value("arg.p->val"), value("arg.p->low"), value("arg.p->high")), (Some(7), Some(5), Some(22)));
        assert_eq!((value("arg.mode"), value("arg.p->next->val")), (Some(0xfffe), Some(9)));
        let letters: Vec<u128> = (0..5).filter_map(|at| value(&format!("arg.p->text[{at}]"))).collect();
        assert_eq!(letters, b"hello".map(u128::from));
        let shape = blueprint.shape(&variables, &input);
        assert_eq!(shape.pointers["arg.none"], Pointee::Null);
        // One object, named by the first pointer that leads to it.
        assert_eq!(shape.pointers["arg.p->next"], Pointee::Alias("arg.q".into()));
        assert_eq!(shape.pointers["arg.q->next"], Pointee::Alias("arg.p".into()));
        assert_eq!(shape.pointers["arg.q->text"], Pointee::Null);
        assert!(matches!(shape.pointers["arg.p->text"], Pointee::Object { elements: 8.., .. }), "{shape:?}");
        let fewer = State { arguments: vec![0], ..State::default() };
        assert_eq!(blueprint.carved(&mut variables, &fewer, &|_| None), None);
        let nowhere = State { arguments: vec![0x5000, 0x6000, 1, 2], ..State::default() };
        assert!(blueprint.carved(&mut variables, &nowhere, &|_| None).is_some_and(|(_, is_exact)| !is_exact));
        let memory = vec![region(0x1000, words(&[7, 0, 0])), region(0x2000, words(&[9, 0x1000, 0]))];
        let whole = State { arguments: vec![0x1000, 0x2000, 1, 0], memory, ..State::default() };
        assert!(blueprint.carved(&mut variables, &whole, &|_| None).is_some_and(|(_, is_exact)| is_exact));
    }

    #[test]
    fn buffers_are_as_long_as_they_were() {
        let (types, unit) = parse("int f(int *a, int n, char *b, char *end) { return a[n] + *b; }");
        let mut variables = Variables::default();
        let mut blueprint = plan_function(environment(&types), unit.function("f").unwrap(), &mut variables);
        let state = State {
            arguments: vec![0x1000, 3, 0x2002, 0x2006],
            memory: vec![region(0x1000, words(&[1 | 2 << 32, 3])), region(0x2000, b"0123456789".to_vec())],
            ..State::default()
        };
        let (input, is_exact) = blueprint.carved(&mut variables, &state, &|_| None).unwrap();
        assert!(!is_exact, "there are four numbers, and more behind the end");
        let value = |name: &str| variables.find(name).and_then(|id| input.get(id));
        assert_eq!((value("arg.n"), value("arg.a[2]"), value("arg.b[0]")), (Some(3), Some(3), Some(u128::from(b'2'))));
    }
}
