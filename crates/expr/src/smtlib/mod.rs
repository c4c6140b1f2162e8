//! A query as an SMT-LIB 2 script: what other solvers read, and what `show` prints.
//!
//! Shared and large terms become `define-fun`s in ascending order, so the script is linear in the number of terms. Bits of
//! a floating-point result are a constant `bN` with `(= (to_fp bN) result)`, since SMT-LIB has no way back from floats
//! to bits (a NaN's payload stays open). What SMT-LIB lacks (`fmod`, library calls) is an unconstrained constant, noted.

pub mod ops;

use crate::smtlib::ops::{Form, expression, natural_form, sort_of};
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::Op;
use covet_input::Variables;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A script that asks whether all `conditions` (terms of width 1) can hold together.
pub fn script(pool: &Pool, variables: &Variables, conditions: &[Term]) -> String {
    let body = assertions(pool, variables, conditions);
    format!("(set-logic ALL)\n{body}(check-sat)\n(get-model)\n")
}

/// The declarations, definitions and assertions of such a script, to be put into a scope of a running solver.
pub fn assertions(pool: &Pool, variables: &Variables, conditions: &[Term]) -> String {
    let order = reachable(pool, conditions);
    let uses = count_uses(pool, conditions, &order);
    let mut writer = Writer { pool, out: String::new(), texts: FxHashMap::default() };
    for &t in &order {
        writer.term(t, uses[&t], variables);
    }
    for &condition in conditions {
        let text = writer.text(condition, Form::Bool);
        let _ = writeln!(writer.out, "(assert {text})");
    }
    writer.out
}

/// Every term under `roots`, children first.
fn reachable(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen = vec![false; pool.len()];
    let mut stack: Vec<Term> = roots.to_vec();
    let mut order = Vec::new();
    while let Some(t) = stack.pop() {
        if std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        order.push(t);
        stack.extend(pool.children(t).iter());
        if let Some(table) = pool.table_of(t) {
            stack.extend(pool.entries(table));
        }
    }
    order.sort_unstable();
    order
}

fn count_uses(pool: &Pool, roots: &[Term], order: &[Term]) -> FxHashMap<Term, usize> {
    let mut uses: FxHashMap<Term, usize> = order.iter().map(|t| (*t, 0)).collect();
    let mut used = |t: &Term| *uses.entry(*t).or_default() += 1;
    roots.iter().for_each(&mut used);
    for &t in order {
        pool.children(t).iter().for_each(&mut used);
        if let Some(table) = pool.table_of(t) {
            pool.entries(table).iter().for_each(&mut used);
        }
    }
    uses
}

/// Longest text repeated in place of a definition.
const INLINE: usize = 120;

pub(crate) struct Writer<'a> {
    pub pool: &'a Pool,
    pub out: String,
    texts: FxHashMap<(Term, Form), String>,
}

impl Writer<'_> {
    fn term(&mut self, t: Term, uses: usize, variables: &Variables) {
        let form = natural_form(self.pool, t);
        if let Some(id) = self.pool.variable(t) {
            let name = if (id.0 as usize) < variables.len() {
                format!("|{}|", variables.get(id).name.replace(['|', '\\'], "_"))
            } else {
                format!("v{}", id.0)
            };
            let _ = writeln!(self.out, "(declare-const {name} (_ BitVec {}))", self.pool.width(t));
            self.texts.insert((t, form), name);
            return;
        }
        if matches!(self.pool.op(t), Op::FRem | Op::Call) {
            let name = format!("t{}", t.index());
            let _ = writeln!(self.out, "(declare-const {name} {}) ; left open", sort_of(self.pool, t, form));
            self.texts.insert((t, form), name);
            return;
        }
        let body = expression(self, t);
        let plain = self.pool.constant(t).is_some() || (uses <= 1 && body.len() <= INLINE);
        if plain {
            self.texts.insert((t, form), body);
            return;
        }
        let name = format!("t{}", t.index());
        let _ = writeln!(self.out, "(define-fun {name} () {} {body})", sort_of(self.pool, t, form));
        self.texts.insert((t, form), name);
    }

    /// The text of a term already written, in the form asked for.
    pub(crate) fn text(&mut self, t: Term, form: Form) -> String {
        if let Some(text) = self.texts.get(&(t, form)) {
            return text.clone();
        }
        let natural = natural_form(self.pool, t);
        let text = self.texts.get(&(t, natural)).cloned().unwrap_or_default();
        let sort = sort_of(self.pool, t, Form::Float);
        let converted = match (natural, form) {
            (Form::Bits, Form::Bool) => format!("(= {text} #b1)"),
            (Form::Bool, Form::Bits) => format!("(ite {text} #b1 #b0)"),
            (Form::Bits, Form::Float) => format!("({} {text})", to_fp(&sort)),
            (Form::Float, Form::Bits) => {
                let name = format!("b{}", t.index());
                let _ = writeln!(
                    self.out,
                    "(declare-const {name} (_ BitVec {})) ; of a NaN: left open",
                    self.pool.width(t)
                );
                let _ = writeln!(self.out, "(assert (= ({} {name}) {text}))", to_fp(&sort));
                name
            }
            (Form::Bool, Form::Float) | (Form::Float, Form::Bool) | (Form::Bool, Form::Bool) => text,
            (Form::Bits, Form::Bits) | (Form::Float, Form::Float) => text,
        };
        self.texts.insert((t, form), converted.clone());
        converted
    }
}

fn to_fp(sort: &str) -> &'static str {
    if sort == "Float32" { "(_ to_fp 8 24)" } else { "(_ to_fp 11 53)" }
}
