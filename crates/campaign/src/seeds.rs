//! What files may hold → inputs to begin with: the contents in every place that a program reads from, and the last argument, or the first, naming a file.

use crate::explore::Explorer;
use crate::job::{Budget, Environment, Job};
use covet_input::{Input, Variables};
use covet_project::Failure;
use covet_results::Test;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Seeds that are worth going on from, at most: the runs of a program take as long as what it reads.
const MOST: usize = 4;
/// Of the time of a job, what it may take to find them.
const PART: u32 = 4;
/// Iterations after which all of them have been run.
const A_FEW: u64 = 3;

/// The inputs of an environment's seeds; where arguments may name a file, one that does so without them.
pub fn inputs(environment: &Environment, variables: &Variables) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for named in naming(environment, variables) {
        let seeds = environment.seeds.iter().map(|seed| with_contents(&named, seed, environment, variables));
        for input in std::iter::once(named.clone()).chain(seeds) {
            if input != Input::default() && !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }
    inputs
}

/// The last argument is the name of the last file, or the first is.
fn naming(environment: &Environment, variables: &Variables) -> Vec<Input> {
    let mut inputs = Vec::new();
    if let (Some((name, _)), Some(room)) = (environment.files.last(), environment.arguments.iter().min())
        && name.len() as u64 <= *room
    {
        for argument in BTreeSet::from([environment.arguments.len(), 1]).into_iter().rev() {
            let mut input = Input::default();
            set(&mut input, variables, &format!("argv[{argument}]"), name.as_bytes());
            inputs.push(input);
        }
    }
    if inputs.is_empty() { vec![Input::default()] } else { inputs }
}

fn with_contents(named: &Input, seed: &[u8], environment: &Environment, variables: &Variables) -> Input {
    let mut input = named.clone();
    let files = environment.files.iter().map(|(name, _)| format!("file.{name}"));
    for place in files.chain(["stdin".to_owned(), "arg.data".to_owned()]) {
        let kept = set(&mut input, variables, &place, seed);
        let size = if place == "arg.data" { "arg.size".to_owned() } else { format!("{place}.size") };
        if let Some(size) = variables.find(&size) {
            input.set(size, kept as u128);
        }
    }
    input
}

/// The bytes that there is room for; gives how many.
fn set(input: &mut Input, variables: &Variables, place: &str, bytes: &[u8]) -> usize {
    for (at, byte) in bytes.iter().enumerate() {
        let Some(id) = variables.find(&format!("{place}[{at}]")) else { return at };
        input.set(id, u128::from(*byte));
    }
    bytes.len()
}

/// The seeds of a job that get farthest into its program, each to somewhere else: what they are worth is seen by running them.
pub fn worth(explorer: &Explorer<'_>, job: &Job) -> Result<Vec<Vec<u8>>, Failure> {
    let seeds = &job.environment.seeds;
    if seeds.is_empty() {
        return Ok(Vec::new());
    }
    let budget = Budget { time: job.budget.time / PART, iterations: Some(A_FEW) };
    // One argument is the name of a file more often than the first or the last of two.
    let arguments = job.environment.arguments.first().copied().into_iter().collect();
    let environment = Environment { arguments, ..job.environment.holding(seeds) };
    let outcome = explorer.explore(&Job { sought: Vec::new(), budget, environment, ..job.clone() })?;
    let mut far: Vec<(Reverse<usize>, usize)> = Vec::new();
    for test in &outcome.tests {
        let own = (0..seeds.len()).max_by_key(|seed| (kept(test, &seeds[*seed]), Reverse(*seed)));
        let own = own.filter(|seed| kept(test, &seeds[*seed]).is_some());
        far.extend(own.map(|seed| (Reverse(test.covers.len()), seed)));
    }
    far.sort_unstable();
    let mut known = BTreeSet::new();
    far.retain(|(_, seed)| known.insert(*seed));
    tracing::info!(seeds = seeds.len(), far = ?far.iter().take(MOST).collect::<Vec<_>>(), "seeds were tried");
    Ok(far.into_iter().take(MOST).map(|(_, seed)| seeds[seed].clone()).collect())
}

/// How many bytes of what a test read are those of a seed, where that is most of them: bytes that nothing hangs on may be others in the test.
fn kept(test: &Test, seed: &[u8]) -> Option<usize> {
    let is_long = test.inputs.iter().any(|(name, value)| name.ends_with(".size") && value.bits == seed.len() as u128);
    let read = test.inputs.iter().filter_map(|(name, value)| {
        let (place, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let is_read = place == "stdin" || place == "arg.data" || place.starts_with("file.");
        Some((index.parse::<usize>().ok().filter(|_| is_read)?, value.bits))
    });
    let own = read.filter(|(at, bits)| seed.get(*at).is_some_and(|byte| u128::from(*byte) == *bits)).count();
    Some(own).filter(|own| is_long && own * 2 >= seed.len())
}
