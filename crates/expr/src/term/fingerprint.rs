//! Terms as numbers that mean the same in every pool and every run: hashes over operators, the names of variables, and the names and
//! declarations of functions.

use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;

/// Fingerprints of the terms of one pool, each computed once.
#[derive(Clone, Debug, Default)]
pub struct Fingerprints {
    /// By term; 0 is not known yet.
    known: Vec<u128>,
    stack: Vec<Term>,
}

/// Of a term that contains a variable without a name: such terms have no fingerprint.
const NAMELESS: u128 = 1;

impl Fingerprints {
    /// The fingerprint of a term; nothing when a variable in it has no name.
    pub fn of(&mut self, pool: &Pool, root: Term) -> Option<u128> {
        if self.known.len() < pool.len() {
            self.known.resize(pool.len(), 0);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&t) = stack.last() {
            if self.known[t.index()] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.children(t).iter().filter(|child| self.known[child.index()] == 0));
            if let Some(table) = pool.table_of(t) {
                stack.extend(pool.entries(table).iter().filter(|entry| self.known[entry.index()] == 0));
            }
            if stack.len() == before {
                self.known[t.index()] = self.compute(pool, t);
                stack.pop();
            }
        }
        self.stack = stack;
        Some(self.known[root.index()]).filter(|print| *print != NAMELESS)
    }

    fn compute(&self, pool: &Pool, t: Term) -> u128 {
        let shape = u128::from(pool.op(t) as u8) | u128::from(pool.aux(t)) << 8 | u128::from(pool.width(t)) << 16;
        let detail = match pool.op(t) {
            // A number means a function only among the declarations of one program.
            Op::Call => pool.library().identity(pool.immediate(t)),
            _ => u128::from(pool.immediate(t)),
        };
        let mut print = mix(shape, detail);
        if let Some(value) = pool.constant(t) {
            return settled(mix(print, value));
        }
        if let Some(id) = pool.variable(t) {
            return pool.name_of(id).map_or(NAMELESS, |name| settled(mix(print, name)));
        }
        let entries = pool.table_of(t).map_or(&[][..], |table| pool.entries(table));
        for part in pool.children(t).iter().chain(entries) {
            match self.known[part.index()] {
                NAMELESS => return NAMELESS,
                known => print = mix(print, known),
            }
        }
        settled(print)
    }
}

/// The two numbers with a meaning of their own are no fingerprints.
fn settled(print: u128) -> u128 {
    if print <= NAMELESS { print + 2 } else { print }
}

pub(crate) fn hash_name(name: &str) -> u128 {
    name.bytes().fold(name.len() as u128, |hash, byte| mix(hash, u128::from(byte)))
}

/// Every bit of either number changes about half the bits of the result.
pub fn mix(a: u128, b: u128) -> u128 {
    const P: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const Q: u128 = 0xc2b2_ae3d_27d4_eb4f_1656_67b1_9e37_79f9;
    let mut h = (a ^ b.rotate_left(61)).wrapping_add(Q).wrapping_mul(P);
    h ^= h >> 67;
    h = (h ^ b).wrapping_mul(Q);
    h ^ h >> 59
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::{ValueKind, VarId, Variable, Variables};

    fn variables(names: &[&str]) -> Variables {
        let mut variables = Variables::default();
        for name in names {
            variables.intern(Variable { name: (*name).into(), width: 32, default: 0, kind: ValueKind::Signed });
        }
        variables
    }

    #[test]
    fn the_same_in_every_pool_whatever_the_numbers() {
        let (here, there) = (variables(&["x", "y"]), variables(&["other", "y", "x"]));
        let (mut a, mut b) = (Pool::new(), Pool::new());
        let (ax, ay) = (a.var(&here, VarId(0)), a.var(&here, VarId(1)));
        let (by, bx) = (b.var(&there, VarId(1)), b.var(&there, VarId(2)));
        let (first, second) = (a.slt(ax, ay), b.slt(bx, by));
        let swapped = b.slt(by, bx);
        let (mut prints, mut others) = (Fingerprints::default(), Fingerprints::default());
        assert_eq!(prints.of(&a, first), others.of(&b, second));
        assert_ne!(others.of(&b, swapped), others.of(&b, second));
        let nameless = b.var_with(VarId(9), 32, 0);
        let sum = b.add(nameless, bx);
        assert_eq!(others.of(&b, sum), None);
    }
}
