//! A conjunction of conditions as a search problem: dimensions, constraints, and which of them are linear.

pub mod atom;
pub mod linear;
pub mod schedule;
pub mod space;
pub mod theory;

use crate::problem::atom::{Parts, Relation, Tree, View};
use crate::problem::linear::{Form, Forms};
use crate::problem::schedule::{Schedule, cone};
use crate::problem::space::{Kind, Point, Variable};
use covet_expr::{Op, Pool, Term};
use covet_input::VarId;
use rustc_hash::FxHashMap;

/// One condition that must hold.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub schedule: Schedule,
    pub tree: Tree,
    pub parts: Parts,
    /// Dimensions, ascending.
    pub variables: Vec<usize>,
    /// `form ~ 0`, when it is linear.
    pub linear: Option<(Form, Relation)>,
}

/// What is to be solved, over one pool.
#[derive(Clone, Debug)]
pub struct Problem<'p> {
    pub(crate) pool: &'p Pool,
    pub(crate) variables: Vec<Variable>,
    pub(crate) constraints: Vec<Constraint>,
    /// The constraints of each dimension.
    pub(crate) of_variable: Vec<Vec<usize>>,
}

/// More terms than this are too many to evaluate thousands of times.
const MOST_TERMS: usize = 100_000;

impl<'p> Problem<'p> {
    /// The problem of making all `conditions` true; `None` when it is beyond us (too large, variables over 64 bits).
    pub fn new(pool: &'p Pool, conditions: &[Term]) -> Option<Problem<'p>> {
        let conditions = conjuncts(pool, conditions);
        let all = cone(pool, &conditions);
        if all.len() > MOST_TERMS {
            return None;
        }
        let variables = variables(pool, all)?;
        let dimensions: FxHashMap<VarId, usize> = variables.iter().enumerate().map(|(i, v)| (v.id, i)).collect();
        let mut of_variable = vec![Vec::new(); variables.len()];
        let mut constraints = Vec::new();
        let mut size = 0;
        for condition in conditions {
            let mut parts = Parts::default();
            let tree = parts.take(pool, condition);
            let mut roots: Vec<Term> = parts.atoms.iter().map(|atom| atom.condition).collect();
            roots.extend(parts.measures.iter().map(|measure| measure.term));
            let schedule = Schedule::of(pool, &roots, |id| dimensions[&id]);
            size += schedule.steps.len();
            if size > 4 * MOST_TERMS {
                return None;
            }
            let mine: Vec<usize> =
                pool.variables(condition).iter().filter_map(|id| dimensions.get(&id).copied()).collect();
            mine.iter().for_each(|x| of_variable[*x].push(constraints.len()));
            let linear = linear_of(pool, &schedule, &tree, &parts, &variables);
            constraints.push(Constraint { schedule, tree, parts, variables: mine, linear });
        }
        Some(Problem { pool, variables, constraints, of_variable })
    }

    /// The dimensions of the space.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The point where every variable has the bits that `value` says.
    pub fn point(&self, value: impl Fn(VarId) -> u128) -> Point {
        self.variables.iter().map(|v| value(v.id) as u64).collect()
    }

    /// Variables and bits of a point.
    pub fn assignment(&self, point: &[u64]) -> Vec<(VarId, u128)> {
        self.variables.iter().zip(point).map(|(v, bits)| (v.id, u128::from(*bits))).collect()
    }
}

/// The conditions with conjunctions taken apart, each once, constants left out.
fn conjuncts(pool: &Pool, conditions: &[Term]) -> Vec<Term> {
    let mut stack: Vec<Term> = conditions.iter().rev().copied().collect();
    let mut all: Vec<Term> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(t) = stack.pop() {
        if pool.op(t) == Op::And {
            stack.extend(pool.children(t).iter().rev());
        } else if pool.constant(t) != Some(1) && seen.insert(t) {
            all.push(t);
        }
    }
    all
}

/// The variables of these terms with the types that their declarations or their uses give them; ascending.
fn variables(pool: &Pool, mut terms: Vec<Term>) -> Option<Vec<Variable>> {
    terms.sort_unstable();
    let mut floats = rustc_hash::FxHashSet::default();
    let (mut signed, mut unsigned) = (rustc_hash::FxHashSet::default(), rustc_hash::FxHashSet::default());
    for &t in terms.iter().rev() {
        let children = pool.children(t);
        match pool.op(t) {
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => {
                floats.extend(children.iter().copied());
            }
            Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno => {
                floats.extend(children.iter().copied());
            }
            Op::FToF | Op::FToS | Op::FToU | Op::Call => floats.extend(children.iter().copied()),
            // What is chosen between is of the same kind.
            Op::Ite if floats.contains(&t) => floats.extend(children[1..].iter().copied()),
            Op::Select if floats.contains(&t) => {
                floats.extend(pool.table_of(t).map_or(&[][..], |table| pool.entries(table)));
            }
            Op::Slt | Op::Sle | Op::SDiv | Op::SRem | Op::SExt | Op::SToF | Op::AShr => {
                signed.extend(children.iter().copied());
            }
            Op::Ult | Op::Ule | Op::UDiv | Op::URem | Op::ZExt | Op::UToF | Op::LShr => {
                unsigned.extend(children.iter().copied());
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    for t in terms {
        let Some(id) = pool.variable(t) else { continue };
        let width = pool.width(t);
        if width > 64 {
            return None;
        }
        let kind = if (floats.contains(&t) || pool.is_float(id)) && matches!(width, 32 | 64) {
            Kind::Float
        } else if unsigned.contains(&t) && !signed.contains(&t) {
            Kind::Unsigned
        } else {
            Kind::Signed
        };
        all.push(Variable { id, width, kind });
    }
    all.sort_unstable_by_key(|v| v.id);
    Some(all)
}

/// The linear form of a constraint that is a single comparison of linear sides.
fn linear_of(
    pool: &Pool,
    schedule: &Schedule,
    tree: &Tree,
    parts: &Parts,
    variables: &[Variable],
) -> Option<(Form, Relation)> {
    let forms = Forms::of(pool, schedule, variables);
    let (form, relation) = form_of(&forms, schedule, tree, parts)?;
    matches!(relation, Relation::Equal | Relation::Below | Relation::AtMost).then_some((form, relation))
}

/// `form ~ 0` for a constraint that is a single comparison of sides that are forms.
pub(crate) fn form_of(forms: &Forms, schedule: &Schedule, tree: &Tree, parts: &Parts) -> Option<(Form, Relation)> {
    let Tree::Atom(at) = tree else { return None };
    let atom = &parts.atoms[*at];
    if atom.relation == Relation::Unguided {
        return None;
    }
    let side = |measure: usize| {
        let measure = parts.measures[measure];
        forms.get(schedule.place(measure.term), measure.width, measure.view == View::Float)
    };
    let form = side(atom.sides.0)?.plus(&side(atom.sides.1)?, -1.0);
    Some((form, atom.relation))
}
