//! Sums of integer atoms with known bounds: the linear forms behind the integer translation.

use crate::backends::z3::context::{Ast, Context};
use z3_sys::*;

/// An integer expression that is no sum: a variable, a choice, a quotient. Numbered in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Atom(u32);

/// Every atom of a context.
#[derive(Debug, Default)]
pub(crate) struct Atoms(Vec<Ast>);

impl Atoms {
    pub fn add(&mut self, ast: Ast) -> Atom {
        self.0.push(ast);
        Atom(self.0.len() as u32 - 1)
    }
}

/// `sum of factor * atom + constant`, with bounds on its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Linear {
    /// In ascending order, no factor 0.
    parts: Vec<(Atom, i128)>,
    constant: i128,
    pub least: i128,
    pub most: i128,
    /// Equal to the term it stands for, modulo 2^width, for every value of the variables.
    pub exact: bool,
}

/// Bounds and factors beyond this are no longer followed.
const FAR: i128 = 1 << 120;
/// Sums of more atoms than this become an atom themselves.
const MAX_PARTS: usize = 12;

impl Linear {
    pub fn constant(value: i128) -> Linear {
        Linear { parts: Vec::new(), constant: value, least: value, most: value, exact: true }
    }

    pub fn atom(atom: Atom, least: i128, most: i128, exact: bool) -> Linear {
        Linear { parts: vec![(atom, 1)], constant: 0, least, most, exact }
    }

    /// `self + factor * other`; nothing when the numbers grow too large.
    pub fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut i, mut j) = (0, 0);
        while i < self.parts.len() || j < other.parts.len() {
            let from_self = j == other.parts.len() || (i < self.parts.len() && self.parts[i].0 < other.parts[j].0);
            let both = i < self.parts.len() && j < other.parts.len() && self.parts[i].0 == other.parts[j].0;
            let (atom, value) = if both {
                (self.parts[i].0, self.parts[i].1.checked_add(other.parts[j].1.checked_mul(factor)?)?)
            } else if from_self {
                self.parts[i]
            } else {
                (other.parts[j].0, other.parts[j].1.checked_mul(factor)?)
            };
            i += usize::from(from_self || both);
            j += usize::from(!from_self || both);
            if value != 0 {
                parts.push((atom, value));
            }
        }
        let (x, y) = (other.least.checked_mul(factor)?, other.most.checked_mul(factor)?);
        let sum = Linear {
            parts,
            constant: self.constant.checked_add(other.constant.checked_mul(factor)?)?,
            least: self.least.checked_add(x.min(y))?,
            most: self.most.checked_add(x.max(y))?,
            exact: self.exact && other.exact,
        };
        let near = |value: i128| value > -FAR && value < FAR;
        (near(sum.least) && near(sum.most) && near(sum.constant)).then_some(sum)
    }

    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::constant(0).plus(factor, self)
    }

    /// The same sum as one atom when it has many parts.
    pub fn folded(self, context: &Context, atoms: &mut Atoms) -> Linear {
        if self.parts.len() <= MAX_PARTS {
            return self;
        }
        let atom = atoms.add(self.ast(context, atoms));
        Linear::atom(atom, self.least, self.most, self.exact)
    }

    /// The expression of the sum.
    pub fn ast(&self, context: &Context, atoms: &Atoms) -> Ast {
        let mut parts: Vec<Ast> = Vec::with_capacity(self.parts.len() + 1);
        for &(atom, factor) in &self.parts {
            let ast = atoms.0[atom.0 as usize];
            if factor == 1 {
                parts.push(ast);
            } else {
                let pair = [context.integer(factor), ast];
                parts.push(context.many(Z3_mk_mul, &pair));
            }
        }
        if self.constant != 0 || parts.is_empty() {
            parts.push(context.integer(self.constant));
        }
        if let [only] = parts[..] {
            return only;
        }
        context.many(Z3_mk_add, &parts)
    }

    /// The value read as signed: itself when it fits, and assumed to fit otherwise.
    pub fn signed(mut self, width: u16) -> Linear {
        let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        if self.least < least || self.most > most {
            (self.least, self.most) = (self.least.max(least), self.most.min(most));
            self.exact = false;
        }
        self
    }

    /// The value read as unsigned: negative values go up by 2^width; anything farther out is assumed away.
    pub fn unsigned(mut self, context: &Context, atoms: &mut Atoms, width: u16) -> Linear {
        let modulus = 1i128 << width;
        if self.least >= 0 {
            self.exact &= self.most < modulus;
            self.most = self.most.min(modulus - 1);
            return self;
        }
        let fits = self.least >= -modulus && self.most < modulus;
        let plain = self.ast(context, atoms);
        self.constant += modulus;
        let raised = self.ast(context, atoms);
        let zero = context.integer(0);
        let negative = context.binary(Z3_mk_lt, plain, zero);
        let atom = atoms.add(context.ite(negative, raised, plain));
        Linear::atom(atom, 0, modulus - 1, self.exact && fits)
    }
}
