//! Runs that reached much → the same inputs with long texts.
//!
//! Texts grow by one character at a time as flips ask for it, far enough for what decides anything. What overflows does not: a buffer of
//! 100 or 1,024 bytes takes as many characters. So texts are made long at a stroke, up to the sizes of the arrays in the code and
//! to powers of two, late, when flips have found the way to where texts are copied. A run that brings nothing is forgotten: it offers no flips.

use crate::engine::{Exploration, Until};
use crate::execution::Execution;
use crate::merge::Attempt;
use crate::state::Explored;
use crate::strategy::StrategyName;
use covet_abi::node::Op;
use covet_abi::termination::Termination;
use covet_expr::{Pool, Term};
use covet_input::{Input, ValueKind, VarId, Variable};
use covet_path::PathCondition;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the texts that an input may have.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// Characters that a text has at first.
    pub first: u64,
    /// Sizes of the arrays of characters in the code, and of what it allocates.
    pub rooms: Vec<u64>,
}

/// How often texts were made long, and from what: outcomes that a run had reached, variables that were known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lengthened {
    times: u32,
    from: (u32, usize),
}

const MOST_TIMES: u32 = 4;
/// Runs before long texts are tried for the first time; four times as many each time after that.
const LATE: u64 = 400;
/// Inputs of one time, and what they are made from.
const MOST_INPUTS: usize = 400;
const MOST_BASES: usize = 4;
const MOST_TEXTS: usize = 6;
const MOST_ROOMS: usize = 10;
/// Lengths that are tried whatever the code says, the longest first: it overflows most.
const LENGTHS: [u64; 5] = [1024, 512, 256, 128, 64];
/// Rooms beyond these that are tried, the largest first. Runs with such texts are slow: there are few of them, which come last.
const MOST_LARGE: usize = 3;
const MOST_LARGE_BASES: usize = 2;
/// Characters that an environment variable has as input, whatever it is set to.
const SET: u64 = 64;
/// Characters to fill with that a run compares something with, and terms that are looked through for them.
const MOST_COMPARED: usize = 3;
const MOST_NODES: usize = 20_000;
pub(crate) const FILLER: u128 = b'a' as u128;

/// A text behind a pointer of the input.
pub(crate) struct Text {
    /// The pointer, if it is a choice; whether it is set.
    pub pointer: Option<VarId>,
    /// Characters beyond the first ones, and how many that can be.
    pub more: VarId,
    pub most: u64,
    /// Characters that are there whatever `more` says.
    least: u64,
    pub name: String,
    pub kind: ValueKind,
}

/// What a text goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filler {
    Letter,
    /// Its last character: what accepts one digit takes a hundred.
    Last,
    /// All of it again: one item of a list, and many.
    Again,
    /// One that the run compares something with.
    Compared(u8),
}

/// A run whose input gets long texts.
pub(crate) struct Base {
    pub input: Input,
    /// Characters that the run compares something with.
    pub compared: Vec<u8>,
}

impl Base {
    fn fillers(&self) -> impl Iterator<Item = Filler> + '_ {
        let compared = self.compared.iter().take(MOST_COMPARED).copied().map(Filler::Compared);
        [Filler::Letter, Filler::Last, Filler::Again].into_iter().chain(compared)
    }
}

impl Exploration {
    /// Queues inputs with long texts when it is time for them. `is_over`: there is nothing else left. Whether there are any.
    pub(crate) fn lengthen(&mut self, is_over: bool) -> bool {
        let is_due = is_over || self.figures.executions >= LATE << (2 * self.lengthened.times);
        if self.config.strategy != StrategyName::Auto || self.config.until == Until::Reached || !is_due {
            return false;
        }
        let from = (self.state.runs().map(|run| run.reached).max().unwrap_or(0), self.state.variables.len());
        if self.lengthened.from == from || self.lengthened.times >= MOST_TIMES {
            return false;
        }
        let attempts = self.long_inputs();
        self.lengthened = Lengthened { times: self.lengthened.times + 1, from: (from.0, self.state.variables.len()) };
        let are_any = !attempts.is_empty();
        self.waiting.extend(attempts);
        are_any
    }

    /// Whether a run with long texts is one to go on from: it ended well, and no other that did has been where it was.
    pub(crate) fn brings_something(&self, execution: &Execution) -> bool {
        let has_ended_well = matches!(execution.termination, Termination::Returned | Termination::Exited);
        has_ended_well && !execution.is_truncated && !execution.is_cut && self.state.is_farther(&execution.covered)
    }

    fn long_inputs(&mut self) -> Vec<Attempt> {
        let texts = self.texts();
        let bases = self.bases();
        let mut chosen: Vec<Vec<usize>> = (0..texts.len()).map(|at| vec![at]).collect();
        if texts.len() > 1 {
            chosen.push((0..texts.len()).collect());
        }
        let lengths = self.lengths();
        let mut made = self.stretched_inputs(&bases, &texts, &in_turn(&lengths));
        let most = made.len() + MOST_INPUTS;
        let mut seen = BTreeSet::new();
        for length in lengths {
            for (base, filler) in bases.iter().flat_map(|base| base.fillers().map(move |filler| (base, filler))) {
                let filled = self.filled(base, &texts, &chosen, length, filler);
                made.extend(filled.into_iter().filter(|attempt| seen.insert(attempt.input.clone())));
                made.truncate(most);
            }
        }
        for length in self.large_lengths() {
            for base in bases.iter().take(MOST_LARGE_BASES) {
                made.extend(self.filled(base, &texts, &chosen, length, Filler::Letter));
            }
        }
        made
    }

    /// The input of a run with one group of its texts made as long as that, for each group.
    fn filled(
        &mut self,
        base: &Base,
        texts: &[Text],
        groups: &[Vec<usize>],
        length: u64,
        filler: Filler,
    ) -> Vec<Attempt> {
        let mut made = Vec::new();
        for group in groups {
            let mut input = base.input.clone();
            let changed = group.iter().filter(|at| self.fill(&mut input, &texts[**at], length, filler)).count();
            if changed > 0 && !self.is_tried(&input) {
                made.push(Attempt { lengthens: true, ..Attempt::seed(input) });
            }
        }
        made
    }

    /// The runs that reached most, one for each number of outcomes.
    fn bases(&self) -> Vec<Base> {
        let mut runs: Vec<&Explored> = self.state.runs().collect();
        // Of equals the first.
        runs.sort_by_key(|run| (std::cmp::Reverse(run.reached), run.number));
        runs.dedup_by_key(|run| run.reached);
        let base = |run: &Explored| {
            let compared = self.paths.get(&run.number).map_or_else(Vec::new, |path| compared(&self.pool, path));
            Base { input: run.input.clone(), compared }
        };
        runs.into_iter().take(MOST_BASES).map(base).collect()
    }

    /// Lengths to try: room for all but the end, room for that too, and none for the last of it where the end is not copied.
    fn lengths(&self) -> Vec<u64> {
        let mut rooms = self.config.texts.rooms.clone();
        rooms.sort_unstable_by(|a, b| b.cmp(a));
        let around = rooms.into_iter().filter(|room| (2..=LENGTHS[0]).contains(room)).take(MOST_ROOMS);
        let mut lengths = LENGTHS.to_vec();
        for length in around.flat_map(|room| [room, room - 1, room + 1]) {
            if !lengths.contains(&length) {
                lengths.push(length);
            }
        }
        lengths
    }

    /// Lengths beyond those that are always tried, each more than its room.
    fn large_lengths(&self) -> Vec<u64> {
        let mut rooms: Vec<u64> = self.config.texts.rooms.iter().copied().filter(|room| *room > LENGTHS[0]).collect();
        rooms.sort_unstable_by(|a, b| b.cmp(a));
        rooms.into_iter().take(MOST_LARGE).collect()
    }

    /// The texts of the input, those that come first in it.
    fn texts(&self) -> Vec<Text> {
        let variables = &self.state.variables;
        let text = |(id, variable): (VarId, &Variable)| {
            let pointer = variable.name.strip_suffix(".more")?;
            // What an environment variable is set to is no pointer of the input, but grows like the text behind one.
            let is_set = pointer.starts_with("env.");
            let name = if is_set { format!("{pointer}.text") } else { pointer.to_string() };
            let first = variables.get(variables.find(&format!("{name}[0]"))?);
            let is_text = first.width == 8 && (is_set || variable.kind == ValueKind::Growth);
            let most = self.config.texts.first + (1 << variable.width.min(32)) - 1;
            let pointer = variables.find(pointer);
            let least = if is_set { SET } else { self.config.texts.first };
            is_text.then_some(Text { pointer, more: id, most, least, name, kind: first.kind })
        };
        variables.iter().filter_map(text).take(MOST_TEXTS).collect()
    }

    /// Makes a text of an input longer; false when that is no longer text, or none.
    fn fill(&mut self, input: &mut Input, text: &Text, length: u64, filler: Filler) -> bool {
        let variables = &self.state.variables;
        let value = |id: VarId| input.get(id).unwrap_or_else(|| u128::from(variables.get(id).default));
        let is_null = text.pointer.is_some_and(|pointer| value(pointer) == 0);
        let first = self.config.texts.first;
        if is_null || length > text.most || length <= first {
            return false;
        }
        let now = text.least.max(first + value(text.more) as u64);
        let at = |index: u64| variables.find(&format!("{}[{index}]", text.name));
        let old: Vec<u128> =
            (0..now).map(|index| at(index).map_or(0, value)).take_while(|character| *character != 0).collect();
        let again = match (filler, &old[..]) {
            (Filler::Letter, _) => vec![FILLER],
            (Filler::Compared(character), _) => vec![u128::from(character)],
            (Filler::Last, [.., last]) => vec![*last],
            (Filler::Again, [_, _, ..]) => old.clone(),
            (Filler::Last | Filler::Again, _) => return false,
        };
        if old.len() as u64 >= length {
            return false;
        }
        for index in old.len() as u64..length {
            let name = format!("{}[{index}]", text.name);
            let id = self.state.variables.intern(Variable { name, width: 8, kind: text.kind, default: 0 });
            input.set(id, again[(index as usize - old.len()) % again.len()]);
        }
        input.set(text.more, u128::from(length - first));
        true
    }
}

/// Those of the code and those that are always tried, one of each in turn.
fn in_turn(lengths: &[u64]) -> Vec<u64> {
    let (usual, own) = lengths.split_at(LENGTHS.len().min(lengths.len()));
    let pairs = (0..usual.len().max(own.len())).flat_map(|at| [own.get(at), usual.get(at)]);
    pairs.flatten().copied().collect()
}

/// Characters that conditions compare something with, those that most of them do first.
fn compared(pool: &Pool, path: &PathCondition) -> Vec<u8> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    let mut open: Vec<Term> = path.conditions.iter().map(|condition| condition.term).collect();
    while let Some(term) = open.pop().filter(|_| seen.len() < MOST_NODES) {
        if !seen.insert(term) {
            continue;
        }
        let children: Vec<Term> = pool.children(term).iter().copied().collect();
        if pool.op(term) == Op::Eq {
            let constants = children.iter().filter_map(|child| pool.constant(*child));
            let characters = constants.filter_map(|bits| u8::try_from(bits).ok());
            characters.filter(|c| (b' '..=b'~').contains(c)).for_each(|c| *counts.entry(c).or_default() += 1);
        }
        open.extend(children);
    }
    let mut found: Vec<(usize, u8)> = counts.into_iter().map(|(character, count)| (count, character)).collect();
    found.sort_by_key(|(count, character)| (std::cmp::Reverse(*count), *character));
    found.into_iter().map(|(_, character)| character).collect()
}
