//! What `covet bench` can be told.

use crate::arguments::values::positive_seconds;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub name: BenchName,
}

#[derive(Subcommand, Debug)]
pub enum BenchName {
    /// Random C programs: instrumented against plain, and every recorded condition against its own input.
    #[command(after_help = "Example:\n  covet bench semantics --count 300 --seed 1")]
    Semantics(SemanticsArgs),
    /// Runs per second, slowdown of concrete code, cost of symbolic operations, memory.
    #[command(after_help = "Example:\n  covet bench speed --json")]
    Speed(SpeedArgs),
    /// How long builds of generated programs take that are hard on a compiler, beside `clang -O1`.
    #[command(after_help = "Examples:\n  covet bench build --quick\n  covet bench build nested sum --json")]
    Build(BuildArgs),
    /// Every function of real projects (Debian source packages, downloaded and built): driven, covered, time, memory, and their tests.
    #[command(after_help = "Examples:\n  covet bench projects --quick\n  covet bench projects zlib bzip2 --json")]
    Projects(ProjectsArgs),
    /// Small edits of functions that have tests (examples, Debian source packages): how many the suites notice.
    #[command(
        after_help = "Examples:\n  covet bench mutants --quick --survivors\n  covet bench mutants zlib cjson --json"
    )]
    Mutants(MutantsArgs),
    /// Real bugs that Debian packages carry patches for: hunted before the patch and with it; found, and alarms on code that is right.
    #[command(
        after_help = "Examples:\n  covet bench bugs --quick\n  covet bench bugs --only cjson --markdown\n  covet bench bugs --all-ways --ablate \
        --jobs 2"
    )]
    Bugs(BugsArgs),
    /// Programs that try to break what Covet promises: time, memory, endless runs, late assumptions, giants, signals at any moment.
    #[command(after_help = "Examples:\n  covet bench promises --quick\n  covet bench promises controller kills --json")]
    Promises(PromisesArgs),
    /// The IPPC paper's experiment: eight programs, five techniques, its Tables 2 and 4 beside ours.
    #[command(after_help = "Examples:\n  covet bench ippc --quick\n  covet bench ippc --seeds 10 --plot ippc.svg")]
    Ippc(IppcArgs),
    /// Hard arithmetic: the Concolic Walk's eleven programs by six ways of solving.
    #[command(after_help = "Examples:\n  covet bench walk --quick\n  covet bench walk --seeds 7 --out walk-results")]
    Walk(WalkBenchArgs),
}

#[derive(Args, Debug)]
pub struct ProjectsArgs {
    /// Projects to measure (all if none is given).
    #[arg(value_name = "PROJECT")]
    pub names: Vec<String>,
    /// A sample of 20 functions of each project, in 60 seconds.
    #[arg(long)]
    pub quick: bool,
    /// Seconds for each project, the whole command [default: 240].
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub time: Option<f64>,
    /// Megabytes for each command.
    #[arg(long, value_name = "MB", default_value_t = 2000)]
    pub memory: u64,
    /// Functions explored at a time.
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub jobs: u64,
    /// Folder for downloads and results [default: in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BugsArgs {
    /// Only the bugs of this source package. May be repeated.
    #[arg(long = "only", value_name = "PACKAGE")]
    pub packages: Vec<String>,
    /// Only the bug of this row of the table, from 1. May be repeated.
    #[arg(long = "row", value_name = "N")]
    pub rows: Vec<usize>,
    /// Three bugs of small packages.
    #[arg(long)]
    pub quick: bool,
    /// Every third bug also by the published ways: `--unit sut`, `distance:3`, `distance:6`, `distance:9` and `conbrio`.
    #[arg(long)]
    pub all_ways: bool,
    /// Every third bug also with one thing switched off: the filter, beliefs, invariants; and with other thresholds.
    #[arg(long)]
    pub ablate: bool,
    /// Seconds for each function.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = positive_seconds)]
    pub time: f64,
    /// Bugs at a time.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Hunt again what results are kept of.
    #[arg(long)]
    pub again: bool,
    /// Folder for downloads, trees and results [default: in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The table as Markdown.
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct MutantsArgs {
    /// Examples and projects to take (all if none is given).
    #[arg(value_name = "SUBJECT")]
    pub names: Vec<String>,
    /// The examples alone, 40 edits.
    #[arg(long)]
    pub quick: bool,
    /// Seconds for the suite of each subject.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive_seconds)]
    pub time: f64,
    /// Take the suites of the projects that `covet bench projects` has left in the folder.
    #[arg(long)]
    pub kept: bool,
    /// Edits of all subjects together [default: 200, with `--quick` 40].
    #[arg(long, value_name = "N")]
    pub edits: Option<usize>,
    /// Which edits are chosen.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Tell the edits that were not noticed.
    #[arg(long)]
    pub survivors: bool,
    /// Folder for downloads and results [default: in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct PromisesArgs {
    /// Programs to try (all if none is given).
    #[arg(value_name = "PROGRAM")]
    pub names: Vec<String>,
    /// A few programs of each promise, two moments for signals.
    #[arg(long)]
    pub quick: bool,
    /// Keep sources and results in this folder.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WalkBenchArgs {
    /// Runs of each program and way, with seeds from 1.
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub seeds: u64,
    /// Two seeds, half the time.
    #[arg(long)]
    pub quick: bool,
    /// Only these programs; `integers` are those that show what the walk costs code without floats. May be repeated.
    #[arg(long = "program", value_name = "NAME")]
    pub programs: Vec<String>,
    /// Only these ways: simplification, mixed, smt, paper, ours, auto, and the variations of the paper's Table 3. May be repeated.
    #[arg(long = "way", value_name = "NAME")]
    pub ways: Vec<String>,
    /// Add the variations of the published parameters.
    #[arg(long)]
    pub variations: bool,
    /// Folder for results.json and results.svg.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SemanticsArgs {
    /// Programs to compare.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub count: u64,
    /// Seed of the first program; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Programs compared at once.
    #[arg(short, long, value_name = "N", default_value_t = 2)]
    pub jobs: usize,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BuildArgs {
    /// Programs to build (all if none is given).
    #[arg(value_name = "PROGRAM")]
    pub names: Vec<String>,
    /// Programs of a tenth of the size.
    #[arg(long)]
    pub quick: bool,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SpeedArgs {
    /// A tenth of the runs.
    #[arg(long)]
    pub quick: bool,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct IppcArgs {
    /// One seed, and the smallest bound on iterations only.
    #[arg(long)]
    pub quick: bool,
    /// Seeds, each with another random first input.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub seeds: u64,
    /// How many of the paper's three bounds on iterations, smallest first.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3))]
    pub bounds: u64,
    /// Only this program. May be repeated.
    #[arg(long = "program", value_name = "NAME")]
    pub programs: Vec<String>,
    /// Seconds one run may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = positive_seconds)]
    pub limit: f64,
    /// Runs of the paper's techniques at the same time; more take less time and measure it less well.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    pub jobs: u64,
    /// Write a plot.
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// One object on standard output.
    #[arg(long)]
    pub json: bool,
}
