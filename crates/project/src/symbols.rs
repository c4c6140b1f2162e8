//! Addresses of the tested program become call stacks, through its debug information.
//!
//! Frames of the runtime and of library models are left out, so the first frame is the user's. One llvm-symbolizer serves all
//! explorations, and each address is asked about once: starting it takes longer than many a function is explored.

use crate::Prepared;
use covet_results::Frame;

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, PoisonError};

pub struct Symbols {
    tool: PathBuf,
    executable: PathBuf,
    /// Functions of the user, by symbol.
    users: BTreeSet<String>,
    asked: Mutex<Asked>,
}

#[derive(Default)]
struct Asked {
    known: BTreeMap<u64, Vec<Frame>>,
    process: Option<Process>,
}

impl Symbols {
    pub fn of(prepared: &Prepared) -> Symbols {
        let users =
            prepared.map.functions.iter().filter(|function| !function.is_model).map(|function| function.symbol.clone());
        Symbols {
            tool: prepared.config.toolchain.program("llvm-symbolizer"),
            executable: prepared.executable.clone(),
            users: users.collect(),
            asked: Mutex::default(),
        }
    }

    /// The call stack of a run, innermost user function first.
    pub fn stack(&self, addresses: &[u64]) -> Vec<Frame> {
        // A return address is the one after the call, which may be the next line or function; that of a fault is told as if it were one.
        let places = addresses.iter().take(MAX_FRAMES).map(|address| address.saturating_sub(1));
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stack = Vec::new();
        for place in places {
            if !asked.known.contains_key(&place) {
                let frames = self.placed(&mut asked.process, place);
                asked.known.insert(place, frames);
            }
            stack.extend(asked.known[&place].iter().cloned());
        }
        stack
    }

    /// The frames at an address. One without a line (an instruction that stands for several) gets that of the nearest
    /// instruction of its function.
    fn placed(&self, process: &mut Option<Process>, address: u64) -> Vec<Frame> {
        let mut frames = self.frames(process, address).unwrap_or_default();
        for frame in frames.iter_mut().filter(|frame| frame.line == 0) {
            let near = (1..NEIGHBOURHOOD).flat_map(|distance| [address.saturating_sub(distance), address + distance]);
            let mut neighbours = near.filter_map(|place| self.frames(process, place)).flatten();
            let is_same = |other: &Frame| other.function == frame.function && other.line != 0;
            if let Some(neighbour) = neighbours.find(is_same) {
                *frame = neighbour;
            }
        }
        frames
    }

    /// The user's frames at an address; none when the tool does not answer.
    fn frames(&self, process: &mut Option<Process>, address: u64) -> Option<Vec<Frame>> {
        if process.is_none() {
            *process = Process::start(&self.tool, &self.executable);
        }
        let answer = process.as_mut()?.ask(address)?;
        Some(answer["Symbol"].as_array()?.iter().filter_map(|symbol| self.frame(symbol)).collect())
    }

    fn frame(&self, symbol: &Json) -> Option<Frame> {
        let name = symbol["FunctionName"].as_str()?;
        let name = Some(name.strip_prefix(covet_abi::symbols::OWN).unwrap_or(name))
            .filter(|name| self.users.contains(*name))?;
        Some(Frame {
            function: source_name(name),
            file: symbol["FileName"].as_str().unwrap_or_default().to_string(),
            line: symbol["Line"].as_u64().unwrap_or(0) as u32,
            column: symbol["Column"].as_u64().unwrap_or(0) as u32,
        })
    }
}

/// How far around an instruction without a line one with a line is looked for, in bytes.
const NEIGHBOURHOOD: u64 = 200;
const MAX_FRAMES: usize = 64;

/// The name in the source: `main` was renamed to leave room for ours.
fn source_name(symbol: &str) -> String {
    if symbol == covet_abi::symbols::USER_MAIN { "main".to_string() } else { symbol.to_string() }
}

/// A running symbolizer: an address in, a line of JSON out.
struct Process {
    /// Ends with us.
    _tool: covet_launch::Kept,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Process {
    fn start(tool: &Path, executable: &Path) -> Option<Process> {
        let mut command = Command::new(tool);
        command.args(["--output-style=JSON", "--no-demangle", "--obj"]).arg(executable);
        let mut tool = covet_launch::keep(command).ok()?;
        let (questions, answers) = tool.pipes()?;
        Some(Process { _tool: tool, questions, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, address: u64) -> Option<Json> {
        writeln!(self.questions, "{address:#x}").ok()?;
        self.questions.flush().ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }
}
