//! A seed becomes a stream of numbers, and numbers become inputs: the only source of chance in exploring.
//!
//! SplitMix64: tiny, fast, the same everywhere. Nothing here is for secrets.

use covet_input::{Input, ValueKind, Variable, Variables};

#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// An input with a random value for every variable known so far, but those that are held.
pub fn random_input(random: &mut Random, variables: &Variables) -> Input {
    let mut input = Input::default();
    for (id, variable) in variables.iter().filter(|(id, _)| !variables.held().contains(id)) {
        input.set(id, random_value(random, variable));
    }
    input
}

/// `input` with about one variable in `one_in` replaced.
pub fn perturbed(random: &mut Random, variables: &Variables, input: &Input, one_in: usize) -> Input {
    let mut changed = input.clone();
    for (id, variable) in variables.iter().filter(|(id, _)| !variables.held().contains(id)) {
        if random.one_in(one_in) {
            changed.set(id, random_value(random, variable));
        }
    }
    changed
}

/// Mostly values programs care about: small numbers, edges of the range, powers of two, printable characters.
fn random_value(random: &mut Random, variable: &Variable) -> u128 {
    let mask = u128::MAX >> (128 - u32::from(variable.width.clamp(1, 128)));
    let bits = match variable.kind {
        ValueKind::Bool | ValueKind::Pointer => u128::from(random.draw() & 1),
        ValueKind::Function => u128::from(random.draw()),
        ValueKind::Growth => 0,
        ValueKind::Char | ValueKind::Byte => random_character(random),
        ValueKind::Float => random_float(random, variable.width),
        ValueKind::Signed | ValueKind::Unsigned => random_integer(random, variable.width),
    };
    bits & mask
}

fn random_character(random: &mut Random) -> u128 {
    if random.one_in(4) { u128::from(random.draw() & 0xff) } else { 0x20 + random.below(0x5f) as u128 }
}

fn random_integer(random: &mut Random, width: u16) -> u128 {
    let width = u32::from(width);
    match random.below(6) {
        0 | 1 => random.below(17) as u128,
        2 => (random.below(17) as u128).wrapping_neg(),
        3 => 1_u128.checked_shl(random.below(width as usize) as u32).unwrap_or(0),
        4 => {
            let top = 1_u128 << (width - 1);
            top.wrapping_sub(random.below(2) as u128)
        }
        _ => u128::from(random.draw()) << 64 | u128::from(random.draw()),
    }
}

fn random_float(random: &mut Random, width: u16) -> u128 {
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX];
    let number = match random.below(4) {
        0 => special[random.below(special.len())],
        1 => random.below(201) as f64 - 100.0,
        2 => (random.below(2_000_001) as f64 - 1_000_000.0) / 1000.0,
        _ => return u128::from(random.draw()),
    };
    match width {
        32 => u128::from((number as f32).to_bits()),
        64 => u128::from(number.to_bits()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs_within_their_widths() {
        let mut variables = Variables::default();
        for (name, width, kind) in [
            ("a", 32, ValueKind::Signed),
            ("b", 1, ValueKind::Bool),
            ("c", 8, ValueKind::Char),
            ("d", 64, ValueKind::Float),
            ("e", 128, ValueKind::Unsigned),
        ] {
            variables.intern(Variable { name: name.into(), width, kind, default: 0 });
        }
        let (mut one, mut two) = (Random::new(5), Random::new(5));
        for _ in 0..200 {
            let input = random_input(&mut one, &variables);
            assert_eq!(input, random_input(&mut two, &variables));
            for (id, variable) in variables.iter() {
                let bits = input.get(id).unwrap();
                assert!(variable.width == 128 || bits >> variable.width == 0);
            }
        }
    }
}
