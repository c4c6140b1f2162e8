//! A condition as a tree of comparisons: what can be measured, and how its parts combine.
//!
//! `a < b && !(c || d)` is "all of: a below b, not c, not d". A comparison knows its two sides as numbers; anything else is a
//! condition that holds or does not.

use covet_expr::{Op, Pool, Term};

/// How a term's bits are read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum View {
    Float,
    Signed,
    Unsigned,
}

/// A term read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Measure {
    pub term: Term,
    pub view: View,
    pub width: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    Different,
    Below,
    AtMost,
    /// Nothing to measure.
    Unguided,
}

/// A comparison that must come out as `positive`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    pub condition: Term,
    pub positive: bool,
    pub relation: Relation,
    /// The sides as written.
    pub sides: (usize, usize),
    /// The same, with `a - b ~ 0` read as `a ~ b`: how far apart in representable values.
    pub apart: (usize, usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Atom(usize),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

/// A condition taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub atoms: Vec<Atom>,
    pub measures: Vec<Measure>,
}

/// Comparisons beyond this many are taken as one condition without parts.
const MOST_ATOMS: usize = 256;
const DEEPEST: usize = 40;

impl Parts {
    pub fn take(&mut self, pool: &Pool, condition: Term) -> Tree {
        self.tree(pool, condition, true, 0)
    }

    fn tree(&mut self, pool: &Pool, t: Term, positive: bool, depth: usize) -> Tree {
        if depth > DEEPEST || self.atoms.len() > MOST_ATOMS {
            return self.unguided(t, positive);
        }
        let children = pool.children(t);
        let boolean = |t: Term| pool.width(t) == 1;
        let mut part = |t: Term, positive: bool| self.tree(pool, t, positive, depth + 1);
        match pool.op(t) {
            Op::Not => part(children[0], !positive),
            Op::And | Op::Or => {
                let parts = vec![part(children[0], positive), part(children[1], positive)];
                if (pool.op(t) == Op::And) == positive { Tree::All(parts) } else { Tree::Any(parts) }
            }
            Op::Xor => {
                let (a, b) = (children[0], children[1]);
                let one = Tree::All(vec![part(a, true), part(b, !positive)]);
                let other = Tree::All(vec![part(a, false), part(b, positive)]);
                Tree::Any(vec![one, other])
            }
            Op::Eq if boolean(children[0]) => {
                let (a, b) = (children[0], children[1]);
                let one = Tree::All(vec![part(a, true), part(b, positive)]);
                let other = Tree::All(vec![part(a, false), part(b, !positive)]);
                Tree::Any(vec![one, other])
            }
            Op::Ite => {
                let yes = Tree::All(vec![part(children[0], true), part(children[1], positive)]);
                let no = Tree::All(vec![part(children[0], false), part(children[2], positive)]);
                Tree::Any(vec![yes, no])
            }
            Op::Eq => self.comparison(pool, t, positive, View::Signed),
            Op::Slt | Op::Sle => self.comparison(pool, t, positive, View::Signed),
            Op::Ult | Op::Ule => self.comparison(pool, t, positive, View::Unsigned),
            Op::FEq | Op::FLt | Op::FLe => self.comparison(pool, t, positive, View::Float),
            _ => self.unguided(t, positive),
        }
    }

    fn comparison(&mut self, pool: &Pool, t: Term, positive: bool, view: View) -> Tree {
        let children = pool.children(t);
        let (left, right) = (children[0], children[1]);
        let equality = matches!(pool.op(t), Op::Eq | Op::FEq);
        let strict = matches!(pool.op(t), Op::Slt | Op::Ult | Op::FLt);
        // "Not below" is "at most" the other way round.
        let swap = !equality && !positive;
        let (left, right) = if swap { (right, left) } else { (left, right) };
        let relation = match (equality, positive) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Different,
            (false, _) if strict == positive => Relation::Below,
            (false, _) => Relation::AtMost,
        };
        let width = pool.width(left);
        let mut measure = |term: Term| self.measure(Measure { term, view, width });
        let sides = (measure(left), measure(right));
        let apart = match difference(pool, left, right, view) {
            Some((a, b)) => (measure(a), measure(b)),
            None => sides,
        };
        self.atoms.push(Atom { condition: t, positive, relation, sides, apart });
        Tree::Atom(self.atoms.len() - 1)
    }

    fn unguided(&mut self, condition: Term, positive: bool) -> Tree {
        self.atoms.push(Atom { condition, positive, relation: Relation::Unguided, sides: (0, 0), apart: (0, 0) });
        Tree::Atom(self.atoms.len() - 1)
    }

    fn measure(&mut self, measure: Measure) -> usize {
        self.measures.iter().position(|known| *known == measure).unwrap_or_else(|| {
            self.measures.push(measure);
            self.measures.len() - 1
        })
    }
}

/// `a` and `b` when the comparison is of `a - b` with zero, on either side.
fn difference(pool: &Pool, left: Term, right: Term, view: View) -> Option<(Term, Term)> {
    let is_zero = |t: Term| pool.constant(t) == Some(0);
    let minus = |t: Term| {
        let children = pool.children(t);
        let op = if view == View::Float { Op::FSub } else { Op::Sub };
        (pool.op(t) == op).then(|| (children[0], children[1]))
    };
    if is_zero(right) {
        minus(left)
    } else if is_zero(left) {
        minus(right).map(|(a, b)| (b, a))
    } else {
        None
    }
}

impl Measure {
    /// The number that the term's bits stand for.
    pub fn number(self, bits: u128) -> f64 {
        match (self.view, self.width) {
            (View::Float, 32) => f64::from(f32::from_bits(bits as u32)),
            (View::Float, _) => f64::from_bits(bits as u64),
            (View::Signed, width) => covet_expr::bits::signed(bits, width) as f64,
            (View::Unsigned, _) => bits as f64,
        }
    }
}
