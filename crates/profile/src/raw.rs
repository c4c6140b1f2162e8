//! What one process left behind → its profile: one run.
//!
//! A recorded process writes into a file that it has mapped, so what it has done is there however it ends: returned, killed, replaced by
//! another program. Forked children share the file. All numbers are little endian, all places count from the start of the file:
//!
//! ```text
//! "covetPR1"  used u64  flags u64  40 bytes of nothing        flags: 1 a record did not fit
//! record*                                                      from 64 to `used`, each a multiple of 8 bytes
//!
//! function    1 u32  size u32  address u64  calls u64  parameters u32  is_static u32  pairings u32  texts u32
//!             parameters × (kind u64  a b c d e u64)           number: times, least, most, least and most unsigned
//!                                                              pointer: times, null, known, least and most bytes
//!             pairings × (pointer u32  number u32  times u64  least u64  most u64)
//!             name 0  file 0  unit 0                           `texts` bytes behind the start of the record
//! edge        2 u32  size u32  caller u64  callee u64  times u64    places of functions; caller 0: nobody
//! state       3 u32  size u32  function u64  arguments u32  regions u32
//!             arguments × u64   regions × (address u64  bytes u32  is_whole u32)   the bytes of all regions
//! global      4 u32  size u32  address u64  bytes u64  name 0
//! ```
//!
//! A record of kind 0 was begun, and its process died over it. Nothing in the file is trusted.

use crate::profile::{Argument, Numbers, Pairing, Pointers, Profile, Run};
use crate::state::{Global, Region, State};
use covet_sites::FunctionId;
use std::collections::BTreeMap;

const MAGIC: &[u8; 8] = b"covetPR1";
const START: usize = 64;
const FULL: u64 = 1;
/// More than any function has.
const MOST_PARAMETERS: u32 = 256;
const MOST_REGIONS: u32 = 4096;

/// What a process left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// With one run, if it called anything.
    pub profile: Profile,
    pub left_out: LeftOut,
}

/// Why a profile may lack something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// There was no room for all records.
    pub is_full: bool,
    /// The process died over a record, or something wrote into the file.
    pub is_broken: bool,
}

/// The bytes are not what a recorded process leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the record of a process")]
pub struct BadRecord;

/// Reads the file of a process. Files of functions are named from `root`.
pub fn read_process(bytes: &[u8], root: &str) -> Result<Process, BadRecord> {
    if bytes.get(..8) != Some(&MAGIC[..]) {
        return Err(BadRecord);
    }
    let header = Reader { bytes, at: 8 };
    let (used, flags) = (header.number(0).ok_or(BadRecord)?, header.number(8).ok_or(BadRecord)?);
    let mut process =
        Process { left_out: LeftOut { is_full: flags & FULL != 0, is_broken: false }, ..Process::default() };
    let end = usize::try_from(used).unwrap_or(usize::MAX).min(bytes.len());
    process.left_out.is_broken = (end as u64) < used && flags & FULL == 0;
    let mut records = Records::default();
    let mut at = START;
    while at < end {
        let record = Reader { bytes: &bytes[..end], at };
        let size = record.half(4).unwrap_or(0) as usize;
        if size < 8 || !size.is_multiple_of(8) || at.checked_add(size).is_none_or(|next| next > end) {
            process.left_out.is_broken = true;
            break;
        }
        let record = Reader { bytes: &bytes[..at + size], at };
        if records.take(record, root).is_none() {
            process.left_out.is_broken = true;
        }
        at += size;
    }
    process.profile = records.profile();
    Ok(process)
}

/// Little-endian numbers at places of the file, from `at` on.
#[derive(Clone, Copy)]
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn number(self, offset: usize) -> Option<u64> {
        let at = self.at.checked_add(offset)?;
        Some(u64::from_le_bytes(self.bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
    }

    fn half(self, offset: usize) -> Option<u32> {
        let at = self.at.checked_add(offset)?;
        Some(u32::from_le_bytes(self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
    }

    fn slice(self, offset: usize, count: usize) -> Option<&'b [u8]> {
        let at = self.at.checked_add(offset)?;
        self.bytes.get(at..at.checked_add(count)?)
    }

    /// Texts, each ended by a zero, from an offset on.
    fn texts(self, offset: usize) -> Option<impl Iterator<Item = String> + use<'b>> {
        let rest = self.bytes.get(self.at.checked_add(offset)?..)?;
        Some(rest.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()))
    }
}

/// A function as it was recorded.
struct Function {
    id: FunctionId,
    address: u64,
    calls: u64,
    arguments: Vec<Argument>,
    pairings: Vec<Pairing>,
}

#[derive(Default)]
struct Records {
    functions: BTreeMap<u64, Function>,
    edges: Vec<(u64, u64)>,
    states: Vec<(u64, State)>,
    globals: BTreeMap<u64, String>,
}

impl Records {
    fn take(&mut self, record: Reader<'_>, root: &str) -> Option<()> {
        match record.half(0)? {
            1 => drop(self.functions.insert(record.at as u64, function(record, root)?)),
            2 => self.edges.push((record.number(8)?, record.number(16)?)),
            3 => self.states.push((record.number(8)?, state(record)?)),
            4 => drop(self.globals.insert(record.number(8)?, record.texts(24)?.next()?)),
            _ => return None,
        }
        Some(())
    }

    fn profile(mut self) -> Profile {
        let mut profile = Profile::default();
        let mut run = Run::default();
        let mut places = BTreeMap::new();
        for (at, function) in self.functions.iter().filter(|(_, function)| function.calls > 0) {
            let place = profile.place(&function.id);
            places.insert(*at, place);
            let own = &mut profile.functions[place as usize];
            own.calls += function.calls;
            own.arguments.clone_from(&function.arguments);
            own.pairings.clone_from(&function.pairings);
        }
        for (caller, callee) in &self.edges {
            match (places.get(caller), places.get(callee)) {
                (Some(caller), Some(callee)) => run.edges.push((*caller, *callee)),
                (None, Some(callee)) if *caller == 0 => run.roots.push(*callee),
                (_, _) => {}
            }
        }
        for (at, mut state) in std::mem::take(&mut self.states) {
            if let Some(place) = places.get(&at) {
                self.name(&mut state);
                profile.functions[*place as usize].keep_state(state);
            }
        }
        run.settle();
        profile.keep_run(run, 1);
        profile
    }

    /// Says which regions are variables and which words are functions.
    fn name(&self, state: &mut State) {
        let named = |region: &Region| {
            let name = self.globals.get(&region.address)?.clone();
            Some(Global { name, address: region.address })
        };
        state.globals = state.memory.iter().filter_map(named).collect();
        let by_address: BTreeMap<u64, &str> =
            self.functions.values().map(|function| (function.address, function.id.name.as_str())).collect();
        let words = state.memory.iter().flat_map(|region| region.bytes.chunks_exact(8));
        let words = words.filter_map(|word| Some(u64::from_le_bytes(word.try_into().ok()?)));
        let mut functions: Vec<(u64, String)> = Vec::new();
        for word in words.chain(state.arguments.iter().copied()).filter(|word| *word != 0) {
            if let Some(name) = by_address.get(&word)
                && !functions.iter().any(|(known, _)| *known == word)
            {
                functions.push((word, name.to_string()));
            }
        }
        functions.sort_unstable();
        state.functions = functions;
    }
}

fn function(record: Reader<'_>, root: &str) -> Option<Function> {
    let (address, calls) = (record.number(8)?, record.number(16)?);
    let parameters = record.half(24).filter(|count| *count <= MOST_PARAMETERS)? as usize;
    let is_static = record.half(28)? != 0;
    let count = record.half(32).filter(|count| *count <= MOST_PARAMETERS)? as usize;
    let mut texts = record.texts(record.half(36)? as usize)?;
    let (name, file, unit) = (texts.next()?, texts.next()?, texts.next()?);
    let file = if is_static { unit } else { file };
    let arguments = (0..parameters).map(|at| argument(record, 40 + at * 48)).collect::<Option<Vec<_>>>()?;
    let first = 40 + parameters * 48;
    let pairings = (0..count).map(|at| pairing(record, first + at * 32)).collect::<Option<Vec<_>>>()?;
    let pairings = pairings.into_iter().filter(|pairing| pairing.times > 0).collect();
    Some(Function { id: FunctionId::from_root(&file, &name, root), address, calls, arguments, pairings })
}

fn argument(record: Reader<'_>, at: usize) -> Option<Argument> {
    let [kind, a, b, c, d, e] = [0, 8, 16, 24, 32, 40].map(|offset| record.number(at + offset));
    let (a, b, c, d, e) = (a?, b?, c?, d?, e?);
    Some(match kind? {
        1 if a > 0 => {
            Argument::Number(Numbers { least: b as i64, most: c as i64, least_unsigned: d, most_unsigned: e })
        }
        2 => Argument::Pointer(Pointers { times: a, null: b, known: c, least_bytes: d, most_bytes: e }),
        _ => Argument::Other,
    })
}

fn pairing(record: Reader<'_>, at: usize) -> Option<Pairing> {
    Some(Pairing {
        pointer: record.half(at)?,
        number: record.half(at + 4)?,
        times: record.number(at + 8)?,
        least_each: record.number(at + 16)?,
        most_each: record.number(at + 24)?,
    })
}

fn state(record: Reader<'_>) -> Option<State> {
    let count = record.half(16).filter(|count| *count <= MOST_PARAMETERS)? as usize;
    let regions = record.half(20).filter(|count| *count <= MOST_REGIONS)? as usize;
    let arguments = (0..count).map(|at| record.number(24 + at * 8)).collect::<Option<Vec<_>>>()?;
    let table = 24 + count * 8;
    let mut at = table + regions * 16;
    let mut memory = Vec::new();
    for region in 0..regions {
        let about = table + region * 16;
        let bytes = record.slice(at, record.half(about + 8)? as usize)?.to_vec();
        at += bytes.len();
        memory.push(Region { address: record.number(about)?, bytes, is_whole: record.half(about + 12)? != 0 });
    }
    memory.sort_by_key(|region| region.address);
    Some(State { arguments, memory, ..State::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn halves(low: u64, high: u64) -> u64 {
        low | high << 32
    }

    fn record(kind: u64, body: &[u8]) -> Vec<u8> {
        let mut body = body.to_vec();
        body.resize(body.len().next_multiple_of(8), 0);
        [words(&[halves(kind, body.len() as u64 + 8)]), body].concat()
    }

    fn file(records: &[Vec<u8>]) -> Vec<u8> {
        let records = records.concat();
        let mut header = [MAGIC.to_vec(), words(&[START as u64 + records.len() as u64, 0])].concat();
        header.resize(START, 0);
        [header, records].concat()
    }

    /// `f(char *p, int n)` of two calls, called by `main`; one state.
    fn example() -> Vec<u8> {
        let main = record(1, &[words(&[0x100, 1, 0, halves(0, 40)]), b"main\0/p/m.c\0/p/m.c\0".to_vec()].concat());
        let at_f = (START + main.len()) as u64;
        let parameters = words(&[2, 2, 1, 1, 12, 12, 1, 2, -1_i64 as u64, 4, 4, u64::MAX]);
        let pairing = words(&[halves(0, 1), 1, 3, 3]);
        let texts = b"f\0/p/inc/f.h\0/p/f.c\0".to_vec();
        let head = words(&[0x200, 2, halves(2, 1), halves(1, 40 + 96 + 32)]);
        let f = record(1, &[head, parameters, pairing, texts].concat());
        let edges = [record(2, &words(&[0, START as u64, 1])), record(2, &words(&[START as u64, at_f, 2]))];
        let state =
            [words(&[at_f, halves(2, 2), 0x7000, 4, 0x7000, halves(16, 1), 0x9000, halves(3, 0)]), words(&[0x200, 7])];
        let state = record(3, &[state.concat(), b"abc".to_vec()].concat());
        let global = record(4, &[words(&[0x9000, 3]), b"text\0".to_vec()].concat());
        file(&[vec![main, f], edges.to_vec(), vec![state, global]].concat())
    }

    #[test]
    fn a_process_is_one_run() {
        let process = read_process(&example(), "/p").unwrap();
        assert_eq!(process.left_out, LeftOut::default());
        let profile = process.profile;
        let f = profile.function(&"f.c:f".parse().unwrap()).unwrap();
        assert_eq!((f.calls, profile.run_count()), (2, 1));
        let pointers = Pointers { times: 2, null: 1, known: 1, least_bytes: 12, most_bytes: 12 };
        let numbers = Numbers { least: -1, most: 4, least_unsigned: 4, most_unsigned: u64::MAX };
        assert_eq!(f.arguments, [Argument::Pointer(pointers), Argument::Number(numbers)]);
        assert_eq!((f.pairings[0].times, f.pairings[0].least_each), (1, 3));
        let state = &f.states[0];
        assert_eq!((&state.arguments[..], state.read(0x9000, 3)), (&[0x7000, 4][..], Some(&b"abc"[..])));
        assert_eq!(state.functions, [(0x200, "f".to_string())]);
        assert_eq!(state.globals, [Global { name: "text".into(), address: 0x9000 }]);
        let run = profile.runs().next().unwrap().0;
        assert_eq!((&run.roots[..], &run.edges[..]), (&[0][..], &[(0, 1)][..]));
    }

    #[test]
    fn whatever_the_bytes_it_is_read_or_refused() {
        let whole = example();
        assert_eq!(read_process(b"", "/p"), Err(BadRecord));
        for end in START..whole.len() {
            let process = read_process(&whole[..end], "/p").unwrap();
            assert!(process.left_out.is_broken, "cut at {end}");
        }
        for at in START..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _ = read_process(&bytes, "/p");
            }
        }
    }
}
