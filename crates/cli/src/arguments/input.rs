//! Options that say what a function's input is made of, and the limits that follow from them.

use clap::{Args, ValueEnum};
use covet_campaign::{Allocations, Globals, Inputs};
use covet_unit::{Limits, Start};
use std::path::PathBuf;

#[derive(Args, Debug, Clone, Default)]
pub struct InputArgs {
    /// Settings of the project [default: the nearest covet.toml at or above the sources]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Trust the project's files: a covet.toml found beside the sources may then turn off the sandbox, name commands and output folders
    /// and load libraries, and flags of compile_commands.json are all taken. Example: covet cover src --trust-project
    #[arg(long)]
    pub trust_project: bool,
    /// Replace a function by a stub although it has a body: each call gives fresh inputs. `*` stands for any characters. May be repeated.
    #[arg(long = "stub", value_name = "NAME")]
    pub stubs: Vec<String>,
    /// Make a global variable symbolic too. May be repeated.
    #[arg(long = "symbolic-global", value_name = "NAME")]
    pub symbolic_globals: Vec<String>,
    /// What global variables are that a function, or what it calls, names: `initial` as the program starts with them, `auto` that
    /// at first and inputs where decisions depend on them, `symbolic` inputs with any value. Example: `--globals initial`
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = GlobalsArg::Auto)]
    pub globals: GlobalsArg,
    /// The same as `--globals symbolic`.
    #[arg(long = "symbolic-globals", conflicts_with = "globals")]
    pub all_globals: bool,
    /// Whether calls of `malloc`, `calloc` and `realloc` may fail: `succeed` never, `auto` not at first, and then where goals are open (in a hunt: in any case),
    /// `fail` from the start, in whole programs too. Example: `--allocations fail`
    #[arg(long, value_enum, value_name = "HOW", default_value_t = AllocationsArg::Auto)]
    pub allocations: AllocationsArg,
    /// What pointers are at first: NULL, with memory that grows as the program asks for it, or fresh memory.
    #[arg(long, value_enum, default_value_t = Pointers::Alloc)]
    pub pointers: Pointers,
    /// How deep a recursive structure may become; a list may become twice as long.
    #[arg(long, value_name = "N", default_value_t = Limits::default().recursion)]
    pub pointer_depth: u32,
    /// Elements of an array behind a pointer, where nothing says how many there are [default: 4, and 8 for bytes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub array_size: Option<u64>,
    /// Elements that such an array may grow to, about, as runs reach beyond it; bytes may grow to 16 times as many.
    #[arg(long, value_name = "N", default_value_t = Limits::default().most_elements)]
    pub array_limit: u64,
    /// Bytes of the file behind a `FILE *` at most.
    #[arg(long, value_name = "N", default_value_t = Limits::default().stream)]
    pub stream_size: u64,
    /// Only the first N elements of an array are symbolic; the others are zero.
    #[arg(long, value_name = "N", default_value_t = Limits::default().symbolic_elements)]
    pub symbolic_elements: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum GlobalsArg {
    Initial,
    #[default]
    Auto,
    Symbolic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AllocationsArg {
    Succeed,
    #[default]
    Auto,
    Fail,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Pointers {
    Graph,
    #[default]
    Alloc,
}

impl InputArgs {
    pub fn inputs(&self) -> Inputs {
        Inputs {
            symbolic_globals: self.symbolic_globals.clone(),
            globals: match self.globals {
                _ if self.all_globals => Globals::Symbolic,
                GlobalsArg::Initial => Globals::Initial,
                GlobalsArg::Auto => Globals::Auto,
                GlobalsArg::Symbolic => Globals::Symbolic,
            },
            allocations: match self.allocations {
                AllocationsArg::Succeed => Allocations::Succeed,
                AllocationsArg::Auto => Allocations::Auto,
                AllocationsArg::Fail => Allocations::MayFail,
            },
            limits: self.limits(),
            ..Inputs::default()
        }
    }

    fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            start: match self.pointers {
                Pointers::Graph => Start::Graph,
                Pointers::Alloc => Start::Alloc,
            },
            recursion: self.pointer_depth,
            elements: self.array_size.unwrap_or(usual.elements),
            bytes: self.array_size.unwrap_or(usual.bytes),
            most_elements: self.array_limit,
            stream: self.stream_size,
            symbolic_elements: self.symbolic_elements,
            ..usual
        }
    }
}
