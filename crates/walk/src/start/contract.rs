//! Starting boxes: the ranges of the variables that the constraints leave, by interval contraction.
//!
//! Each comparison is read over the reals: up from the variables (which values can a term have?) and down again (which of them can
//! the comparison use?), a few times over. Rounding and wrap-around are left out of account: a box says where to start, not where to
//! stay.

use crate::problem::atom::{Relation, Tree, View};
use crate::problem::schedule::Step;
use crate::problem::space::Kind;
use crate::problem::{Constraint, Problem};
use crate::start::interval::Interval;
use covet_abi::library::LIBRARY;
use covet_expr::bits::signed;
use covet_expr::{Op, Pool, Term};

/// Times that all constraints are read, and terms of a constraint that is read at all.
const ROUNDS: usize = 4;
const LARGEST: usize = 2_000;

/// The box of each variable.
pub(crate) fn boxes(problem: &Problem<'_>) -> Vec<Interval> {
    let mut boxes: Vec<Interval> =
        problem.variables.iter().map(|v| v.range()).map(|(low, high)| Interval::new(low, high)).collect();
    for _ in 0..ROUNDS {
        let before = boxes.clone();
        for constraint in problem.constraints.iter().filter(|c| c.schedule.steps.len() <= LARGEST) {
            for atom in needed(&constraint.tree) {
                Reading::up(problem, constraint, &boxes).compare(atom).down(&mut boxes);
            }
        }
        if boxes == before {
            break;
        }
    }
    boxes
}

/// The atoms that must hold, whatever else does.
fn needed(tree: &Tree) -> Vec<usize> {
    match tree {
        Tree::Atom(at) => vec![*at],
        Tree::All(parts) => parts.iter().flat_map(needed).collect(),
        Tree::Any(_) => Vec::new(),
    }
}

/// The values that the terms of a schedule can have.
struct Reading<'a> {
    problem: &'a Problem<'a>,
    constraint: &'a Constraint,
    values: Vec<Interval>,
}

impl<'a> Reading<'a> {
    fn up(problem: &'a Problem<'a>, constraint: &'a Constraint, boxes: &[Interval]) -> Reading<'a> {
        let mut reading = Reading { problem, constraint, values: Vec::with_capacity(constraint.schedule.steps.len()) };
        for (step, &t) in constraint.schedule.steps.iter().zip(&constraint.schedule.terms) {
            let value = match step {
                Step::Variable(x) => boxes[*x],
                Step::Operator(operands) => reading.result(t, operands),
                // What a constant means depends on who reads it.
                Step::Constant(_) | Step::Choice { .. } => Interval::ALL,
            };
            reading.values.push(value);
        }
        reading
    }

    fn pool(&self) -> &'a Pool {
        self.problem.pool
    }

    /// What stands at a place, read as a float or as an integer.
    fn get(&self, place: u32, float: bool) -> Interval {
        let at = place as usize;
        let t = self.constraint.schedule.terms[at];
        let width = self.pool().width(t);
        match &self.constraint.schedule.steps[at] {
            Step::Constant(bits) => match (float, width) {
                (true, 32) => Interval::at(f64::from(f32::from_bits(*bits as u32))),
                (true, _) => Interval::at(f64::from_bits(*bits as u64)),
                (false, _) => Interval::at(signed(*bits, width) as f64),
            },
            _ if self.is_float(at) == float => self.values[at],
            _ => Interval::ALL,
        }
    }

    fn is_float(&self, at: usize) -> bool {
        match &self.constraint.schedule.steps[at] {
            Step::Variable(x) => self.problem.variables[*x].kind == Kind::Float,
            _ => takes_floats(self.pool().op(self.constraint.schedule.terms[at])).1,
        }
    }

    /// The values of a term by those of its operands.
    fn result(&self, t: Term, operands: &[u32; 3]) -> Interval {
        let op = self.pool().op(t);
        let (takes, _) = takes_floats(op);
        let (a, b) = (|| self.get(operands[0], takes), || self.get(operands[1], takes));
        match op {
            Op::FAdd => a().plus(b()),
            Op::FSub => a().minus(b()),
            // A square is no product of two numbers.
            Op::FMul | Op::Mul if operands[0] == operands[1] => {
                let magnitude = a().magnitude();
                self.unless_wrapped(t, magnitude.times(magnitude))
            }
            Op::FMul => a().times(b()),
            Op::FDiv => a().over(b()),
            Op::FNeg => a().negated(),
            Op::FAbs => a().magnitude(),
            Op::FSqrt => a().meet(Interval::at_least(0.0)).through(f64::sqrt),
            Op::FToF | Op::SToF | Op::SExt => a(),
            Op::FRound => Interval::new(a().low.floor(), a().high.ceil()),
            Op::FToS => self.unless_wrapped(t, a().through(f64::trunc)),
            Op::Add => self.unless_wrapped(t, a().plus(b())),
            Op::Sub => self.unless_wrapped(t, a().minus(b())),
            Op::Mul => self.unless_wrapped(t, a().times(b())),
            Op::Call => match rising(self.pool().immediate(t)) {
                Some(function) => a().meet(function.domain).through(function.forth),
                None => range_of(self.pool().immediate(t)),
            },
            _ => Interval::ALL,
        }
    }

    /// An integer that may leave its type may be anything.
    fn unless_wrapped(&self, t: Term, value: Interval) -> Interval {
        if takes_floats(self.pool().op(t)).1 {
            return value;
        }
        let half = f64::from(self.pool().width(t) - 1).exp2();
        if value.low < -half || value.high >= half { Interval::new(-half, half - 1.0) } else { value }
    }

    /// What the sides of a comparison can be when it holds.
    fn compare(mut self, atom: usize) -> Reading<'a> {
        let atom = &self.constraint.parts.atoms[atom];
        let measures = &self.constraint.parts.measures;
        if matches!(atom.relation, Relation::Different | Relation::Unguided) {
            return self;
        }
        let (left, right) = (measures[atom.sides.0], measures[atom.sides.1]);
        if left.view == View::Unsigned {
            return self;
        }
        let float = left.view == View::Float;
        let (left, right) = (self.constraint.schedule.place(left.term), self.constraint.schedule.place(right.term));
        let (a, b) = (self.get(left as u32, float), self.get(right as u32, float));
        let (a, b) = match atom.relation {
            Relation::Equal => (a.meet(b), a.meet(b)),
            _ => (a.meet(Interval::at_most(b.high)), b.meet(Interval::at_least(a.low))),
        };
        self.narrow(left as u32, float, a);
        self.narrow(right as u32, float, b);
        self
    }

    fn narrow(&mut self, place: u32, float: bool, to: Interval) {
        let at = place as usize;
        if self.is_float(at) == float {
            self.values[at] = self.values[at].meet(to);
        }
    }

    /// From the results down to the variables. A box that would be empty stays as it is.
    fn down(mut self, boxes: &mut [Interval]) {
        for at in (0..self.values.len()).rev() {
            let value = self.values[at];
            match &self.constraint.schedule.steps[at] {
                Step::Variable(x) if !boxes[*x].meet(value).is_empty() => boxes[*x] = boxes[*x].meet(value),
                Step::Operator(operands) if value != Interval::ALL && !value.is_empty() => {
                    self.operands(self.constraint.schedule.terms[at], operands, value);
                }
                _ => {}
            }
        }
    }

    /// Narrows the operands of a term to what can give its value.
    fn operands(&mut self, t: Term, operands: &[u32; 3], value: Interval) {
        let op = self.pool().op(t);
        let (float, _) = takes_floats(op);
        let (first, second) = (operands[0], operands[1]);
        let (a, b) = (self.get(first, float), self.get(second, float));
        match op {
            Op::FAdd => {
                self.narrow(first, true, value.minus(b));
                self.narrow(second, true, value.minus(a));
            }
            Op::FSub => {
                self.narrow(first, true, value.plus(b));
                self.narrow(second, true, a.minus(value));
            }
            Op::FMul if first == second => {
                let root = value.meet(Interval::at_least(0.0)).through(f64::sqrt);
                self.narrow(first, true, root.of_magnitude(a));
            }
            Op::FMul => {
                self.narrow(first, true, value.over(b));
                self.narrow(second, true, value.over(a));
            }
            Op::FDiv => self.narrow(first, true, value.times(b)),
            Op::FNeg => self.narrow(first, true, value.negated()),
            Op::FAbs => self.narrow(first, true, value.of_magnitude(a)),
            Op::FSqrt => {
                let root = value.meet(Interval::at_least(0.0));
                self.narrow(first, true, root.times(root));
            }
            Op::FToF => self.narrow(first, true, value),
            Op::SToF | Op::SExt => self.narrow(first, false, value),
            Op::FToS | Op::FRound => self.narrow(first, true, Interval::new(value.low - 1.0, value.high + 1.0)),
            Op::Call => {
                if let Some(function) = rising(self.pool().immediate(t)) {
                    self.narrow(first, true, value.meet(function.range).through(function.back).meet(function.domain));
                }
            }
            _ => {}
        }
    }
}

/// Whether an operator reads floats, and whether it gives one.
fn takes_floats(op: Op) -> (bool, bool) {
    let reads = op >= Op::FAdd && !matches!(op, Op::SToF | Op::UToF);
    let gives = op >= Op::FAdd && !matches!(op, Op::FEq | Op::FLt | Op::FLe | Op::FUno | Op::FToS | Op::FToU);
    (reads, gives)
}

type Function = fn(f64) -> f64;

/// A library function that never falls, with the way back.
struct Rising {
    domain: Interval,
    range: Interval,
    forth: Function,
    back: Function,
}

fn rising(number: u64) -> Option<Rising> {
    let name = LIBRARY.get(usize::try_from(number).ok()?)?.name;
    let (all, positive) = (Interval::ALL, Interval::at_least(0.0));
    let (domain, range, forth, back): (_, _, Function, Function) = match name {
        "exp" | "expf" => (all, positive, f64::exp, f64::ln),
        "exp2" | "exp2f" => (all, positive, f64::exp2, f64::log2),
        "exp10" | "exp10f" => (all, positive, |x| 10f64.powf(x), f64::log10),
        "log" | "logf" => (positive, all, f64::ln, f64::exp),
        "log2" | "log2f" => (positive, all, f64::log2, f64::exp2),
        "log10" | "log10f" => (positive, all, f64::log10, |x| 10f64.powf(x)),
        "cbrt" | "cbrtf" => (all, all, f64::cbrt, |x| x * x * x),
        "sinh" | "sinhf" => (all, all, f64::sinh, f64::asinh),
        "asinh" | "asinhf" => (all, all, f64::asinh, f64::sinh),
        "tanh" | "tanhf" => (all, Interval::new(-1.0, 1.0), f64::tanh, f64::atanh),
        "atan" | "atanf" => (all, range_of(number), f64::atan, f64::tan),
        "asin" | "asinf" => (Interval::new(-1.0, 1.0), range_of(number), f64::asin, f64::sin),
        _ => return None,
    };
    Some(Rising { domain, range, forth, back })
}

/// The values that a library function gives.
fn range_of(number: u64) -> Interval {
    use std::f64::consts::{FRAC_PI_2, PI};
    let name = usize::try_from(number).ok().and_then(|number| LIBRARY.get(number)).map_or("", |function| function.name);
    match name.strip_suffix('f').unwrap_or(name) {
        "sin" | "cos" | "er" | "erf" => Interval::new(-1.0, 1.0),
        "asin" | "atan" => Interval::new(-FRAC_PI_2, FRAC_PI_2),
        "atan2" => Interval::new(-PI, PI),
        "acos" => Interval::new(0.0, PI),
        "erfc" => Interval::new(0.0, 2.0),
        "cosh" => Interval::at_least(1.0),
        "hypot" => Interval::at_least(0.0),
        _ => Interval::ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_expr::{Pool, Shape};
    use covet_input::VarId;

    fn double(pool: &mut Pool, value: f64) -> Term {
        pool.bits(64, u128::from(value.to_bits()))
    }

    /// `exp(x) > 1e100 && x * x < 62500 && y == x - 1000`
    #[test]
    fn boxes_are_what_the_comparisons_leave() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var_with(VarId(0), 64, 0), pool.var_with(VarId(1), 64, 0));
        let number = covet_abi::library::number_of("exp").expect("a library function") as u64;
        let exp = pool.make(Shape { op: Op::Call, aux: 0, width: 64, imm: number }, &[x]);
        let (huge, most, thousand) = (double(&mut pool, 1e100), double(&mut pool, 62_500.0), double(&mut pool, 1000.0));
        let square = pool.binary(Op::FMul, x, x);
        let less = pool.binary(Op::FSub, x, thousand);
        let conditions =
            [pool.binary(Op::FLt, huge, exp), pool.binary(Op::FLt, square, most), pool.binary(Op::FEq, y, less)];
        let problem = Problem::new(&pool, &conditions).expect("a problem");
        let boxes = boxes(&problem);
        assert!((boxes[0].low - 230.258).abs() < 0.01 && (boxes[0].high - 250.0).abs() < 1e-9, "{boxes:?}");
        assert!((boxes[1].low + 769.741).abs() < 0.01 && (boxes[1].high + 750.0).abs() < 1e-9, "{boxes:?}");
    }

    /// `x + y > 2000000000` may wrap round, `x * x == 9` may not tell the sign.
    #[test]
    fn what_may_wrap_is_not_narrowed() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var_with(VarId(0), 32, 0), pool.var_with(VarId(1), 64, 0));
        let (most, nine) = (pool.bits(32, 2_000_000_000), double(&mut pool, 9.0));
        let (twice, square) = (pool.binary(Op::Add, x, x), pool.binary(Op::FMul, y, y));
        let conditions = [pool.binary(Op::Slt, most, twice), pool.binary(Op::FEq, square, nine)];
        let problem = Problem::new(&pool, &conditions).expect("a problem");
        let boxes = boxes(&problem);
        assert_eq!((boxes[0].low, boxes[0].high), (-2_147_483_648.0, 2_147_483_647.0));
        assert_eq!((boxes[1].low, boxes[1].high), (-3.0, 3.0));
    }
}
