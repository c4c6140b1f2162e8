//! What files may hold → inputs to begin with: the contents in every place that a program reads from, and the last argument naming a file.

use crate::job::Environment;
use covet_input::{Input, Variables};

/// The inputs of an environment's seeds; for files that arguments may name there is always one.
pub fn inputs(environment: &Environment, variables: &Variables) -> Vec<Input> {
    let named = naming(environment, variables);
    let seeds = environment.seeds.iter().map(|seed| with_contents(&named, seed, environment, variables));
    let mut inputs: Vec<Input> = Some(named.clone()).filter(|named| *named != Input::default()).into_iter().collect();
    for input in seeds {
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    inputs
}

/// The last argument is the name of the last file.
fn naming(environment: &Environment, variables: &Variables) -> Input {
    let mut input = Input::default();
    if let (Some((name, _)), Some(room)) = (environment.files.last(), environment.arguments.last())
        && name.len() as u64 <= *room
    {
        let last = environment.arguments.len();
        set(&mut input, variables, &format!("argv[{last}]"), name.as_bytes());
    }
    input
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
