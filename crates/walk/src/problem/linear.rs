//! Which comparisons are linear: `sum of a_i * x_i ~ b` over the reals.
//!
//! Rounding and wrap-around are left out of account here; whether a point lies in the polytope is always evaluated exactly.

use crate::problem::schedule::{Schedule, Step};
use crate::problem::space::{Kind, Variable};
use covet_expr::bits::signed;
use covet_expr::{Op, Pool, Term};

/// `sum of coefficient * variable + constant`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Form {
    /// By dimension, ascending; none is 0.
    pub terms: Vec<(usize, f64)>,
    pub constant: f64,
}

impl Form {
    fn of(dimension: usize) -> Form {
        Form { terms: vec![(dimension, 1.0)], constant: 0.0 }
    }

    fn scaled(&self, factor: f64) -> Form {
        let terms = self.terms.iter().map(|(x, a)| (*x, a * factor)).filter(|(_, a)| *a != 0.0).collect();
        Form { terms, constant: self.constant * factor }
    }

    /// `self + factor * other`.
    pub fn plus(&self, other: &Form, factor: f64) -> Form {
        let mut terms = self.terms.clone();
        for (x, a) in &other.terms {
            match terms.binary_search_by_key(x, |term| term.0) {
                Ok(at) => terms[at].1 += a * factor,
                Err(at) => terms.insert(at, (*x, a * factor)),
            }
        }
        terms.retain(|(_, a)| *a != 0.0);
        Form { terms, constant: self.constant + other.constant * factor }
    }
}

/// Forms with more variables than this are taken as non-linear.
const WIDEST: usize = 64;

/// A value of the schedule as a form, when it is one.
#[derive(Clone, Debug)]
enum Linear {
    Integer(Form),
    Float(Form),
    Constant(u128),
}

/// The linear values of a schedule, by place.
pub(crate) struct Forms(Vec<Option<Linear>>);

impl Forms {
    pub fn of(pool: &Pool, schedule: &Schedule, variables: &[Variable]) -> Forms {
        Forms::with(pool, schedule, variables, None)
    }

    /// As [`Forms::of`]; what is not linear is replaced by its value among `values`: a factor of a product, a divisor, or all of it.
    pub fn with(pool: &Pool, schedule: &Schedule, variables: &[Variable], values: Option<&[u128]>) -> Forms {
        let mut forms = Forms(Vec::with_capacity(schedule.steps.len()));
        for (at, (step, &t)) in schedule.steps.iter().zip(&schedule.terms).enumerate() {
            let form = match step {
                Step::Constant(value) => Some(Linear::Constant(*value)),
                Step::Variable(x) if variables[*x].kind == Kind::Float => Some(Linear::Float(Form::of(*x))),
                Step::Variable(x) => Some(Linear::Integer(Form::of(*x))),
                Step::Operator(operands) => forms.operator(pool, t, operands).or_else(|| {
                    let first = operands[0] as usize;
                    let replaced = forms.0[first].replace(Linear::Constant(values?[first]));
                    let simpler = forms.operator(pool, t, operands);
                    forms.0[first] = replaced;
                    simpler
                }),
                Step::Choice { .. } => None,
            };
            let form = form.or_else(|| values.map(|values| Linear::Constant(values[at])));
            forms.0.push(
                form.filter(|form| !matches!(form, Linear::Integer(f) | Linear::Float(f) if f.terms.len() > WIDEST)),
            );
        }
        forms
    }

    /// The form at a place, as an integer or as a float.
    pub fn get(&self, at: usize, width: u16, float: bool) -> Option<Form> {
        match (self.0[at].as_ref()?, float) {
            (Linear::Integer(form), false) | (Linear::Float(form), true) => Some(form.clone()),
            (Linear::Constant(bits), _) => {
                let constant = number(*bits, width, float);
                constant.is_finite().then(|| Form { terms: Vec::new(), constant })
            }
            _ => None,
        }
    }

    fn operator(&self, pool: &Pool, t: Term, operands: &[u32; 3]) -> Option<Linear> {
        let children = pool.children(t);
        let get = |i: usize, float: bool| self.get(operands[i] as usize, pool.width(children[i]), float);
        let constant =
            |i: usize, float: bool| get(i, float).filter(|form| form.terms.is_empty()).map(|form| form.constant);
        match pool.op(t) {
            Op::Add => Some(Linear::Integer(get(0, false)?.plus(&get(1, false)?, 1.0))),
            Op::Sub => Some(Linear::Integer(get(0, false)?.plus(&get(1, false)?, -1.0))),
            Op::Mul => {
                let (form, factor) = match (constant(0, false), constant(1, false)) {
                    (_, Some(factor)) => (get(0, false)?, factor),
                    (Some(factor), _) => (get(1, false)?, factor),
                    (None, None) => return None,
                };
                Some(Linear::Integer(form.scaled(factor)))
            }
            Op::Shl => Some(Linear::Integer(get(0, false)?.scaled(constant(1, false)?.exp2()))),
            Op::ZExt | Op::SExt => Some(Linear::Integer(get(0, false)?)),
            Op::FAdd => Some(Linear::Float(get(0, true)?.plus(&get(1, true)?, 1.0))),
            Op::FSub => Some(Linear::Float(get(0, true)?.plus(&get(1, true)?, -1.0))),
            Op::FNeg => Some(Linear::Float(get(0, true)?.scaled(-1.0))),
            Op::FMul => {
                let (form, factor) = match (constant(0, true), constant(1, true)) {
                    (_, Some(factor)) => (get(0, true)?, factor),
                    (Some(factor), _) => (get(1, true)?, factor),
                    (None, None) => return None,
                };
                Some(Linear::Float(form.scaled(factor)))
            }
            Op::FDiv => Some(Linear::Float(get(0, true)?.scaled(1.0 / constant(1, true).filter(|d| *d != 0.0)?))),
            Op::FToF => Some(Linear::Float(get(0, true)?)),
            Op::SToF | Op::UToF => Some(Linear::Float(get(0, false)?)),
            _ => None,
        }
    }
}

fn number(bits: u128, width: u16, float: bool) -> f64 {
    match (float, width) {
        (true, 32) => f64::from(f32::from_bits(bits as u32)),
        (true, _) => f64::from_bits(bits as u64),
        (false, _) => signed(bits, width) as f64,
    }
}
