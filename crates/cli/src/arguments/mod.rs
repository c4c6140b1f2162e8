//! The command line as it is typed becomes typed options. What is written in `docs/command-line.md` is decided here.

pub mod bench;
pub mod cache;
pub mod hunt;
pub mod input;
pub mod profile;
pub mod settle;
pub mod show;
pub mod told;
pub mod typed;
mod values;
mod walk;

use crate::arguments::bench::BenchArgs;
use crate::arguments::cache::CacheArgs;
use crate::arguments::hunt::HuntArgs;
use crate::arguments::input::InputArgs;
use crate::arguments::profile::{ProfileArgs, ProfileCompilerArgs};
use crate::arguments::show::ShowArgs;
use crate::arguments::told::ToldArgs;
use crate::arguments::values::{named_size, positive_seconds, symbolic_bytes};
use crate::failure::Failure;
use crate::view::progress::Progress;
use clap::{Args, Parser, Subcommand, ValueEnum};
use covet_abi::check::{Check, Checks};
use covet_budget::Memory;
use covet_campaign::{Config, Environment, RunConfig, SolverConfig};
use covet_coverage::Criterion;
use covet_explore::{StrategyName, Until};
use covet_solve::TierSet;
use std::path::PathBuf;

/// A concolic tester for C: runs your code natively while following every value symbolically, and makes each next run take a
/// path not taken before.
#[derive(Parser, Debug)]
#[command(name = "covet", version, propagate_version = true, max_term_width = 110)]
#[command(
    after_help = "Example:\n  covet cover sort.c --function is_sorted\n\nExit codes: 0 nothing needs attention, 1 crashes found or a \
    replayed test failed, 2 wrong input,\n3 a failure of covet itself, 130 interrupted (results so far are kept)."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make a small test suite that covers functions.
    #[command(
        after_help = "Examples:\n  covet cover sort.c --function is_sorted\n  covet cover src/ --time 60 -- -Iinclude -DNDEBUG"
    )]
    Cover(CoverArgs),
    /// Explore a whole program from `main` (or a fuzz harness).
    #[command(
        after_help = "Examples:\n  covet run calc.c --stdin 12\n  covet run tool.c --arg 3 --arg 8 --file config.ini:16\n  \
        covet run fuzz_target.c --size 32"
    )]
    Run(RunArgs),
    /// Look for crash bugs in all functions of a project, and say of each alarm how far it can be believed.
    #[command(
        after_help = "Examples:\n  covet hunt compile_commands.json --time 600\n  covet hunt src/ --function parse --show latent -- -Iinclude"
    )]
    Hunt(HuntArgs),
    /// Record who calls whom, with what, while a command runs: a test suite, an example. The command is yours and runs as it always does, in no
    /// sandbox; C programs that it compiles, or the one made of SOURCE, record their calls.
    #[command(
        after_help = "Examples:\n  covet profile -- sh -c 'make clean && make check'\n  covet profile tool.c -- ./tool input.txt\n  \
        covet profile src/ --program ./tool -- ./run-tests.sh\n\nThen: covet hunt --profile covet-profile"
    )]
    Profile(ProfileArgs),
    /// A compiler whose objects record their calls; `covet profile` puts it in place.
    #[command(hide = true, after_help = "Example:\n  covet profile -- make check")]
    ProfileCompiler(ProfileCompilerArgs),
    /// Run tests again on a plain build, in the sandbox, and say whether each behaves as recorded. (A tests.c that you run by hand confines
    /// itself as far as a program can, which is less: see docs/sandbox.md.)
    #[command(
        after_help = "Examples:\n  covet replay covet-out\n  covet replay covet-out is_sorted-002\n  covet replay covet-out out-of-bounds-1 --gdb"
    )]
    Replay(ReplayArgs),
    /// Print a stage of the pipeline as text.
    #[command(
        after_help = "Examples:\n  covet show sites sort.c\n  covet show path sort.c --function is_sorted --set arg.a=3\n  \
        covet show query sort.c --function is_sorted --flip 2"
    )]
    Show(ShowArgs),
    /// Where results of compiling are kept for the next time: how large, or empty it.
    #[command(
        after_help = "Examples:\n  covet cache info\n  covet cache clear\n\nIt is below XDG_CACHE_HOME or ~/.cache and takes at most 2048 \
        megabytes, or COVET_CACHE_SIZE."
    )]
    Cache(CacheArgs),
    /// Measure Covet itself.
    #[command(after_help = "Examples:\n  covet bench speed\n  covet bench semantics --count 300")]
    Bench(BenchArgs),
}

impl Command {
    /// Seconds that the whole command may take.
    pub fn seconds(&self) -> Option<f64> {
        match self {
            Command::Cover(args) => args.common.time,
            Command::Run(args) => args.common.time,
            Command::Hunt(args) => args.common.time,
            Command::Profile(_) | Command::ProfileCompiler(_) => None,
            Command::Replay(_) | Command::Show(_) | Command::Bench(_) | Command::Cache(_) => None,
        }
    }
}

#[derive(Args, Debug)]
pub struct CoverArgs {
    /// C files, folders, a compile_commands.json, or FILE:LINE for the function around that line.
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,
    /// Function to cover (all functions of the sources if none is given). May be repeated.
    #[arg(long = "function", value_name = "F")]
    pub functions: Vec<String>,
    /// Only so many of the functions, spread evenly over all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// What is to be covered.
    #[arg(long, value_enum, default_value_t = CriterionArg::Branch)]
    pub criterion: CriterionArg,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Flags for clang.
    #[arg(last = true, value_name = "CLANG-FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CriterionArg {
    Statement,
    Branch,
}

impl From<CriterionArg> for Criterion {
    fn from(criterion: CriterionArg) -> Criterion {
        match criterion {
            CriterionArg::Statement => Criterion::Statement,
            CriterionArg::Branch => Criterion::Branch,
        }
    }
}

#[derive(Args, Debug)]
pub struct RunArgs {
    /// C files, folders, or a compile_commands.json.
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<PathBuf>,
    /// Of sources that hold several programs, the one whose `main` is in FILE. Example: `covet run build/ --program tools/dump.c`
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub common: CommonArgs,
    /// Flags for clang.
    #[arg(last = true, value_name = "CLANG-FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Args, Debug, Clone, Default)]
pub struct EnvironmentArgs {
    /// So many symbolic bytes on standard input.
    #[arg(long, value_name = "N", value_parser = symbolic_bytes)]
    pub stdin: Option<u64>,
    /// A symbolic argument of N bytes. May be repeated.
    #[arg(long = "arg", value_name = "N", value_parser = symbolic_bytes)]
    pub arguments: Vec<u64>,
    /// A symbolic file of N bytes. May be repeated.
    #[arg(long = "file", value_name = "NAME:N", value_parser = named_size)]
    pub files: Vec<(String, u64)>,
    /// Symbolic bytes for `LLVMFuzzerTestOneInput`.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = symbolic_bytes)]
    pub size: u64,
    /// A file that standard input, the files or the harness's bytes hold at first, or a folder of such files (the corpus of a fuzzer).
    /// The last argument names the last `--file`. May be repeated. Example: `--arg 4 --file A:600 --seeds tests/data`
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
}

impl EnvironmentArgs {
    pub fn environment(&self) -> Result<Environment, Failure> {
        let EnvironmentArgs { stdin, arguments, files, size, seeds } = self.clone();
        let mut environment = Environment { stdin, arguments, files, size, ..Environment::default() };
        for path in &seeds {
            environment.seeds.extend(covet_project::seeds(path)?);
        }
        Ok(environment)
    }
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntilArg {
    Covered,
    Exhausted,
}

/// Options of every command that explores.
#[derive(Args, Debug, Clone)]
pub struct CommonArgs {
    /// Folder for the results.
    #[arg(long, value_name = "DIR", default_value = "covet-out")]
    pub out: PathBuf,
    /// Seconds that the whole command may take: compiling, exploring, checking, measuring, writing [default: as long as it takes, with 60 for
    /// exploring one function or program, 10 for each of several].
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub time: Option<f64>,
    /// Seconds that the exploration of one function may take [default: no limit of its own when `--time` is given].
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub time_each: Option<f64>,
    /// Stop after so many iterations (runs of the first and of solved inputs) of each function.
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// When `auto` has enough: all branches covered, or no path left.
    #[arg(long, value_enum, value_name = "covered|exhausted", default_value = "covered")]
    pub until: UntilArg,
    /// Do not flip decisions deeper than this in a path [default for bounded-dfs: 100].
    #[arg(long, value_name = "N")]
    pub max_depth: Option<usize>,
    /// The same seed gives the same suite (with the same -j).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The first input: zeros, random, or the id of a test in the results folder.
    #[arg(long, value_name = "zeros|random|TEST", default_value = "zeros")]
    pub first: String,
    /// Functions explored at a time; workers of a single one.
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// In which order paths are tried.
    #[arg(long, value_name = "NAME", default_value_t = StrategyName::Auto)]
    pub strategy: StrategyName,
    /// How path constraints are put to the solver.
    #[arg(long, value_enum, default_value_t = SolveMode::Auto)]
    pub solve: SolveMode,
    /// Ways to an answer that the solver may use: `nearest,smt` means these alone, `-linear,-smt` all but these.
    /// [default: nearest, linear, smt for `--solve full` and `ippc`, all for `auto`]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub solver_tiers: Option<TierSet>,
    /// An SMT-LIB 2 solver to ask in place of the one built in, for example "cvc5 --incremental".
    #[arg(long, value_name = "COMMAND")]
    pub smt_command: Option<String>,
    /// Put every answer to `--smt-command` as well, and stop with a failure when the two disagree.
    #[arg(long, requires = "smt_command")]
    pub cross_check: bool,
    #[command(flatten)]
    pub walk: crate::arguments::walk::WalkArgs,
    /// How runs are isolated from each other.
    #[arg(long, value_enum, default_value_t = RunMode::Auto)]
    pub mode: RunMode,
    /// Milliseconds one run may take [default: 500, or a fortieth of a short time].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub run_time: Option<u64>,
    /// Inputs that the program may ask for in one run; runs that ask for more end there and are counted as truncated.
    #[arg(long, value_name = "N", default_value_t = covet_campaign::MOST_INPUTS, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    pub max_inputs: u32,
    /// Megabytes that the whole command may use: what can be made again is forgotten first [default: half of the machine]. Example: `--memory 2048`.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=(1 << 32)))]
    pub memory: Option<u64>,
    /// Look for these kinds of mistakes too: signed-overflow, uninitialised, or what `--no-check` has excluded; a list, or `all`.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = check_kind)]
    pub check: Vec<Kinds>,
    /// Do not look for these kinds of mistakes (out-of-bounds, shift-out-of-range, ...); a list, or `all`.
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = check_kind)]
    pub no_check: Vec<Kinds>,
    /// Megabytes of heap one run may hold.
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub run_memory: u64,
    #[command(flatten)]
    pub told: ToldArgs,
    /// Print one summary object on standard output; everything else goes to standard error.
    #[arg(long)]
    pub json: bool,
    /// No progress, no table.
    #[arg(short, long)]
    pub quiet: bool,
    /// How progress is shown on standard error: `bar`, `plain` (a line every two seconds), `none`, or `auto`: a bar on a terminal, a
    /// line every ten seconds elsewhere. Example: `--progress plain 2>log`
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressArg::Auto)]
    pub progress: ProgressArg,
    /// Run the program without the sandbox. It can then do whatever you can.
    #[arg(long)]
    pub no_sandbox: bool,
    /// Do not measure official coverage with llvm-cov.
    #[arg(long)]
    pub no_official: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProgressArg {
    Auto,
    Plain,
    None,
    Bar,
}

/// Kinds of mistakes as named on the command line: one, or all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(Checks);

fn check_kind(text: &str) -> Result<Kinds, String> {
    let named = |check: &&Check| text == "all" || check.text() == text;
    let found = Check::ALL.iter().filter(named).fold(Checks::NONE, |all, check| all.with(*check));
    if found != Checks::NONE {
        return Ok(Kinds(found));
    }
    let known: Vec<&str> = Check::ALL.iter().map(|check| check.text()).collect();
    Err(format!("there is no such kind; choose among {}, or all", known.join(", ")))
}

impl CommonArgs {
    pub fn progress(&self) -> Progress {
        match self.progress {
            _ if self.quiet => Progress::Nothing,
            ProgressArg::Auto => Progress::fitting(),
            ProgressArg::Plain => Progress::LINES,
            ProgressArg::None => Progress::Nothing,
            ProgressArg::Bar => Progress::Bar,
        }
    }

    /// How each job is explored; the first input and the workers are said elsewhere.
    pub fn config(&self) -> Config {
        Config {
            strategy: self.strategy,
            until: match self.until {
                UntilArg::Covered => Until::Covered,
                UntilArg::Exhausted => Until::Exhausted,
            },
            max_depth: self.max_depth,
            solver: SolverConfig {
                mode: match self.solve {
                    SolveMode::Full => covet_solve::Mode::Full,
                    SolveMode::Ippc => covet_solve::Mode::Ippc,
                    SolveMode::Auto => covet_solve::Mode::Auto,
                },
                tiers: self.solver_tiers,
                smt_command: self.smt_command.clone(),
                cross_check: self.cross_check,
                walk: self.walk.config(),
            },
            runs: RunConfig {
                mode: match self.mode {
                    RunMode::Reset => covet_execute::Mode::Reset,
                    RunMode::Fork => covet_execute::Mode::Fork,
                    RunMode::Auto => covet_execute::Mode::Auto,
                },
                milliseconds: self.run_time(),
                memory: self.run_memory,
                max_inputs: self.max_inputs,
                checks: self.checks().0,
                sandbox: !self.no_sandbox,
            },
            ..Config::default()
        }
    }

    /// Milliseconds that one run may take: to tell a hang, ten times as much must be left when exploring has ended.
    fn run_time(&self) -> u64 {
        const USUAL: u64 = 500;
        const LEAST: u64 = 100;
        let short = self.time.map_or(USUAL, |seconds| (seconds * 1000.0 / 40.0) as u64);
        self.run_time.unwrap_or(short.clamp(LEAST, USUAL))
    }

    /// What the command may use.
    pub fn memory(&self) -> Memory {
        self.memory.map_or_else(Memory::default, |megabytes| Memory::of(megabytes << 20))
    }

    /// The mistakes to look for: the usual ones, without those not wanted, with those asked for.
    pub fn checks(&self) -> Checks {
        let fewer = self.no_check.iter().fold(Checks::usual().0, |all, kinds| all & !kinds.0.0);
        Checks(self.check.iter().fold(fewer, |all, kinds| all | kinds.0.0))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SolveMode {
    /// The whole path constraint at once.
    Full,
    /// Incremental partial path constraints.
    Ippc,
    /// Whatever is quickest.
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RunMode {
    /// In one process, restored between runs.
    Reset,
    /// A process for each run.
    Fork,
    /// Reset, and fork for a program that does not repeat itself.
    Auto,
}

#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// A results folder.
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Tests to run, by their ids or by those of the alarms that they show (all if none is given).
    #[arg(value_name = "TEST|ALARM")]
    pub tests: Vec<String>,
    /// Run the one test or alarm that is named under gdb, stopped at the alarm's place: on a terminal you go on from there, elsewhere the
    /// call stack is printed. gdb runs outside of the sandbox.
    #[arg(long, conflicts_with = "json")]
    pub gdb: bool,
    /// Print one summary object on standard output.
    #[arg(long)]
    pub json: bool,
    /// No table.
    #[arg(short, long)]
    pub quiet: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent_and_every_command_has_an_example() {
        Cli::command().debug_assert();
        for command in Cli::command().get_subcommands() {
            assert!(command.get_after_help().is_some(), "{} has no example", command.get_name());
        }
    }

    #[test]
    fn checks_are_switched_by_name() {
        let checks = |words: &[&str]| {
            let cli = Cli::try_parse_from(["covet", "run", "a.c"].iter().chain(words));
            let Command::Run(args) = cli.unwrap().command else { panic!("not run") };
            args.common.checks()
        };
        assert_eq!(checks(&[]), Checks::usual());
        assert!(checks(&["--check", "signed-overflow"]).contains(Check::SignedOverflow));
        assert!(!checks(&["--no-check", "unreachable,double-free"]).contains(Check::DoubleFree));
        let only = checks(&["--no-check", "all", "--check", "out-of-bounds"]);
        assert_eq!(only, Checks::NONE.with(Check::OutOfBounds));
        assert!(Cli::try_parse_from(["covet", "run", "a.c", "--no-check", "nonsense"]).is_err());
    }

    #[test]
    fn flags_after_two_dashes_are_clangs() {
        let cli = Cli::try_parse_from(["covet", "cover", "a.c", "--function", "f", "--", "-I.", "-DX"]).unwrap();
        let Command::Cover(args) = cli.command else { panic!("not cover") };
        assert_eq!((args.flags.len(), args.functions.len(), args.common.jobs), (2, 1, 1));
    }
}
