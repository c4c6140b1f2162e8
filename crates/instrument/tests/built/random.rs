//! Random decisions: the vectors that a program counts over all inputs are those that C's rules give.

use crate::common::Bench;
use covet_instrument::Options;
use covet_sites::ConditionVector;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A boolean expression over bits of a number, each used once.
enum Expression {
    Bit(u32),
    /// `a ? b : c`
    Choice([u32; 3]),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}
use Expression::{And, Bit, Choice, Not, Or};

/// Where it stands.
#[derive(Clone, Copy)]
enum Context {
    If,
    Chosen,
    Kept,
    Loop,
    Argument,
}

const CONTEXTS: [Context; 5] = [Context::If, Context::Chosen, Context::Kept, Context::Loop, Context::Argument];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }

    /// An expression with this many conditions; `bits` counts those used.
    fn expression(&mut self, conditions: u64, bits: &mut u32) -> Expression {
        let mut bit = || {
            *bits += 1;
            *bits - 1
        };
        if conditions == 1 {
            return if self.below(5) == 0 { Choice([bit(), bit(), bit()]) } else { Bit(bit()) };
        }
        let left = 1 + self.below(conditions - 1);
        let (a, b) = (self.expression(left, bits), self.expression(conditions - left, bits));
        let (a, b) = (Box::new(a), Box::new(b));
        let joined = if self.below(2) == 0 { And(a, b) } else { Or(a, b) };
        if self.below(3) == 0 { Not(Box::new(joined)) } else { joined }
    }
}

impl Expression {
    fn text(&self) -> String {
        let bit = |at: &u32| format!("(m >> {at} & 1)");
        match self {
            Bit(at) => bit(at),
            Choice([a, b, c]) => format!("({} ? {} : {})", bit(a), bit(b), bit(c)),
            Not(inner) => format!("!({})", inner.text()),
            And(a, b) => format!("({} && {})", a.text(), b.text()),
            Or(a, b) => format!("({} || {})", a.text(), b.text()),
        }
    }

    fn conditions(&self) -> usize {
        match self {
            Bit(_) | Choice(_) => 1,
            Not(inner) => inner.conditions(),
            And(a, b) | Or(a, b) => a.conditions() + b.conditions(),
        }
    }

    /// Its value; what conditions were goes to `values`.
    fn evaluate(&self, m: u32, values: &mut [Option<bool>]) -> bool {
        let bit = |at: u32| m >> at & 1 == 1;
        match self {
            Bit(at) => *values[0].insert(bit(*at)),
            Choice([a, b, c]) => *values[0].insert(if bit(*a) { bit(*b) } else { bit(*c) }),
            Not(inner) => !inner.evaluate(m, values),
            And(a, b) | Or(a, b) => {
                let (left, right) = values.split_at_mut(a.conditions());
                let first = a.evaluate(m, left);
                if first == matches!(self, Or(..)) { first } else { b.evaluate(m, right) }
            }
        }
    }

    /// Without the negations around all of it.
    fn stripped(&self) -> &Expression {
        match self {
            Not(inner) => inner.stripped(),
            Bit(_) | Choice(_) | And(..) | Or(..) => self,
        }
    }
}

impl Context {
    fn statement(self, condition: &str) -> String {
        match self {
            Context::If => format!("if ({condition}) n++; else n--;"),
            Context::Chosen => format!("n += {condition} ? id(n) : id(3);"),
            Context::Kept => format!("int x = {condition}; n += x;"),
            Context::Loop => format!("while ({condition}) {{ n++; break; }}"),
            Context::Argument => format!("n += id({condition});"),
        }
    }

    /// A vector as it is counted: where the value is kept, a negation of all of it comes behind the decision.
    fn vector(self, expression: &Expression, m: u32) -> String {
        let decision = match self {
            Context::If | Context::Chosen => expression,
            Context::Kept | Context::Loop | Context::Argument => expression.stripped(),
        };
        let mut values = vec![None; decision.conditions()];
        let outcome = decision.evaluate(m, &mut values);
        ConditionVector { values, outcome }.to_string()
    }
}

#[test]
fn random_decisions_are_followed_exactly() {
    let mut random = Random(19);
    let mut source = "int id(int x) { return x; }\n".to_owned();
    let mut expected: Vec<BTreeSet<String>> = Vec::new();
    for number in 0..120 {
        let mut bits = 0;
        let conditions = 2 + random.below(5);
        let expression = random.expression(conditions, &mut bits);
        let context = CONTEXTS[number % CONTEXTS.len()];
        let statement = context.statement(&expression.text());
        let _ = writeln!(source, "int f{number}(int m) {{ int n = 0; {statement} return n; }}");
        let _ = writeln!(
            source,
            "int all{number}(void) {{ int n = 0; for (int m = 0; m < {}; m++) n += f{number}(m); return n; }}",
            1 << bits
        );
        expected.push((0..1 << bits).map(|m| context.vector(&expression, m)).collect());
    }
    let mut program = Bench::with(&source, Options { vectors: true, ..Options::default() });
    assert_eq!(program.map().decisions_left_out, []);
    for (number, expected) in expected.iter().enumerate() {
        let run = program.call(&format!("all{number}"), &[]);
        let text = source.lines().find(|line| line.starts_with(&format!("int f{number}("))).unwrap();
        assert_eq!(program.vectors(&format!("f{number}"), &run), std::slice::from_ref(expected), "{text}");
    }
}
