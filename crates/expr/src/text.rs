//! Terms as text for people who read C: `arg.x + 1 > 0`, `stdin[3] == 'a'`.
//!
//! Operators are C's; unsigned comparison, division and shift carry a `u` (`a u< b`). Long terms are cut with `…`, so
//! the text of a deep term is short and printing it needs little stack.

use crate::bits::{mask, signed};
use crate::eval::float::rounding;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::input::ValueKind;
use covet_abi::node::{Op, Rounding};
use covet_input::{Value, Variables};

/// The text of a term, cut after about 200 operators.
pub fn text(pool: &Pool, variables: &Variables, t: Term) -> String {
    let mut printer = Printer { pool, variables, budget: 200 };
    printer.term(t, 0, Level::Lowest, Hint::Integer)
}

const MAX_DEPTH: usize = 48;

/// How tightly an operator binds, as in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Lowest,
    Choice,
    OrElse,
    AndAlso,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// How a constant in this place is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    Integer,
    Unsigned,
    Float,
    Char,
}

struct Printer<'a> {
    pool: &'a Pool,
    variables: &'a Variables,
    budget: usize,
}

impl Printer<'_> {
    fn term(&mut self, t: Term, depth: usize, outer: Level, hint: Hint) -> String {
        if let Some(value) = self.pool.constant(t) {
            return constant(value, self.pool.width(t), hint);
        }
        if let Some(id) = self.pool.variable(t) {
            return if (id.0 as usize) < self.variables.len() {
                self.variables.get(id).name.clone()
            } else {
                format!("v{}", id.0)
            };
        }
        if self.budget == 0 || depth > MAX_DEPTH {
            return "…".to_string();
        }
        self.budget -= 1;
        let (level, body) = self.operator(t, depth + 1);
        if level < outer { format!("({body})") } else { body }
    }

    fn operator(&mut self, t: Term, depth: usize) -> (Level, String) {
        let boolean = self.pool.width(t) == 1;
        match self.pool.op(t) {
            Op::Const | Op::Var => (Level::Postfix, String::new()),
            Op::Add => self.sum(t, depth),
            Op::Sub => self.infix(t, depth, "-", Level::Sum, Hint::Integer),
            Op::Mul => self.infix(t, depth, "*", Level::Product, Hint::Integer),
            Op::UDiv => self.infix(t, depth, "u/", Level::Product, Hint::Unsigned),
            Op::SDiv => self.infix(t, depth, "/", Level::Product, Hint::Integer),
            Op::URem => self.infix(t, depth, "u%", Level::Product, Hint::Unsigned),
            Op::SRem => self.infix(t, depth, "%", Level::Product, Hint::Integer),
            Op::Shl => self.infix(t, depth, "<<", Level::Shift, Hint::Integer),
            Op::LShr => self.infix(t, depth, "u>>", Level::Shift, Hint::Integer),
            Op::AShr => self.infix(t, depth, ">>", Level::Shift, Hint::Integer),
            Op::And if boolean => self.infix(t, depth, "&&", Level::AndAlso, Hint::Integer),
            Op::Or if boolean => self.infix(t, depth, "||", Level::OrElse, Hint::Integer),
            Op::Xor if boolean => self.infix(t, depth, "!=", Level::Equality, Hint::Integer),
            Op::And => self.infix(t, depth, "&", Level::BitAnd, Hint::Unsigned),
            Op::Or => self.infix(t, depth, "|", Level::BitOr, Hint::Unsigned),
            Op::Xor => self.infix(t, depth, "^", Level::BitXor, Hint::Unsigned),
            Op::Not => self.negation(t, depth),
            Op::Eq => self.equality(t, depth, "=="),
            Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FLt | Op::FLe => self.order(t, depth),
            Op::FEq => self.infix(t, depth, "==", Level::Equality, Hint::Float),
            Op::FUno => self.unordered(t, depth),
            Op::ZExt | Op::SExt => self.extension(t, depth),
            Op::Extract => self.extract(t, depth),
            Op::Concat => self.concat(t, depth),
            Op::Ite => self.choice(t, depth),
            Op::Select => self.select(t, depth),
            Op::FAdd => self.infix(t, depth, "+", Level::Sum, Hint::Float),
            Op::FSub => self.infix(t, depth, "-", Level::Sum, Hint::Float),
            Op::FMul => self.infix(t, depth, "*", Level::Product, Hint::Float),
            Op::FDiv => self.infix(t, depth, "/", Level::Product, Hint::Float),
            Op::FNeg => {
                let inner = self.first(t, depth, Level::Unary, Hint::Float);
                (Level::Unary, format!("-{inner}"))
            }
            Op::FToF | Op::SToF | Op::UToF | Op::FToS | Op::FToU => self.conversion(t, depth),
            Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => self.function(t, depth, Hint::Unsigned),
            Op::FRem
            | Op::FAbs
            | Op::FSqrt
            | Op::FFma
            | Op::FRound
            | Op::FMin
            | Op::FMax
            | Op::FCopySign
            | Op::Call => self.function(t, depth, Hint::Float),
        }
    }

    fn first(&mut self, t: Term, depth: usize, level: Level, hint: Hint) -> String {
        let child = self.pool.children(t)[0];
        self.term(child, depth, level, hint)
    }

    fn infix(&mut self, t: Term, depth: usize, symbol: &str, level: Level, hint: Hint) -> (Level, String) {
        let children = self.pool.children(t);
        self.infix_of(children[0], children[1], depth, symbol, level, hint)
    }

    fn infix_of(&mut self, a: Term, b: Term, depth: usize, symbol: &str, level: Level, hint: Hint) -> (Level, String) {
        let left = self.term(a, depth, level, hint);
        let right = self.term(b, depth, tighter(level), hint);
        (level, format!("{left} {symbol} {right}"))
    }

    /// `x + -3` reads `x - 3`.
    fn sum(&mut self, t: Term, depth: usize) -> (Level, String) {
        let children = self.pool.children(t);
        let width = self.pool.width(t);
        if let Some(c) = self.pool.constant(children[1])
            && signed(c, width) < 0
            && signed(c, width) != i128::MIN
        {
            let left = self.term(children[0], depth, Level::Sum, Hint::Integer);
            return (Level::Sum, format!("{left} - {}", -signed(c, width)));
        }
        self.infix(t, depth, "+", Level::Sum, Hint::Integer)
    }

    fn negation(&mut self, t: Term, depth: usize) -> (Level, String) {
        let inner = self.pool.children(t)[0];
        if self.pool.width(t) != 1 {
            let body = self.term(inner, depth, Level::Unary, Hint::Unsigned);
            return (Level::Unary, format!("~{body}"));
        }
        match self.pool.op(inner) {
            Op::Eq => self.equality(inner, depth, "!="),
            Op::FEq => self.infix(inner, depth, "!=", Level::Equality, Hint::Float),
            _ => {
                let body = self.term(inner, depth, Level::Unary, Hint::Integer);
                (Level::Unary, format!("!{body}"))
            }
        }
    }

    fn equality(&mut self, t: Term, depth: usize, symbol: &str) -> (Level, String) {
        let children = self.pool.children(t);
        let hint = self.hint_for(children[0], children[1], Hint::Integer);
        self.infix_of(children[0], children[1], depth, symbol, Level::Equality, hint)
    }

    /// Comparisons read with the variable that came first on the left, constants on the right.
    fn order(&mut self, t: Term, depth: usize) -> (Level, String) {
        let children = self.pool.children(t);
        let (a, b) = (children[0], children[1]);
        let (less, more, hint) = match self.pool.op(t) {
            Op::Ult => ("u<", "u>", Hint::Unsigned),
            Op::Ule => ("u<=", "u>=", Hint::Unsigned),
            Op::Sle => ("<=", ">=", Hint::Integer),
            Op::FLt => ("<", ">", Hint::Float),
            Op::FLe => ("<=", ">=", Hint::Float),
            _ => ("<", ">", Hint::Integer),
        };
        let turn = match (self.pool.variables(a).first(), self.pool.variables(b).first()) {
            (None, _) => true,
            (_, None) => false,
            (Some(x), Some(y)) => y < x,
        };
        let hint = self.hint_for(a, b, hint);
        if turn {
            self.infix_of(b, a, depth, more, Level::Order, hint)
        } else {
            self.infix_of(a, b, depth, less, Level::Order, hint)
        }
    }

    /// A constant beside a character is a character, beside a float a float.
    fn hint_for(&self, a: Term, b: Term, otherwise: Hint) -> Hint {
        for side in [a, b] {
            if let Some(id) = self.pool.variable(side)
                && (id.0 as usize) < self.variables.len()
            {
                match self.variables.get(id).kind {
                    ValueKind::Char | ValueKind::Byte => return Hint::Char,
                    ValueKind::Float => return Hint::Float,
                    ValueKind::Unsigned | ValueKind::Pointer | ValueKind::Function | ValueKind::Growth => {
                        return Hint::Unsigned;
                    }
                    ValueKind::Signed | ValueKind::Bool => {}
                }
            }
        }
        otherwise
    }

    fn unordered(&mut self, t: Term, depth: usize) -> (Level, String) {
        let children = self.pool.children(t);
        let left = self.term(children[0], depth, Level::Lowest, Hint::Float);
        if children[0] == children[1] || self.pool.constant(children[1]).is_some() {
            return (Level::Postfix, format!("isnan({left})"));
        }
        let right = self.term(children[1], depth, Level::Lowest, Hint::Float);
        (Level::Postfix, format!("isunordered({left}, {right})"))
    }

    /// Extensions are casts; those that came from a shift read as one.
    fn extension(&mut self, t: Term, depth: usize) -> (Level, String) {
        let inner = self.pool.children(t)[0];
        let width = self.pool.width(t);
        let zero = self.pool.op(t) == Op::ZExt;
        if self.pool.op(inner) == Op::Extract {
            let whole = self.pool.children(inner)[0];
            let low = self.pool.immediate(inner);
            let kept = u64::from(self.pool.width(inner));
            if self.pool.width(whole) == width && low > 0 && low + kept == u64::from(width) {
                let body = self.term(whole, depth, Level::Shift, Hint::Integer);
                return (Level::Shift, format!("{body} {} {low}", if zero { "u>>" } else { ">>" }));
            }
            if zero && self.pool.width(whole) == width && low == 0 {
                let body = self.term(whole, depth, Level::BitAnd, Hint::Integer);
                return (Level::BitAnd, format!("{body} & {:#x}", mask(kept as u16)));
            }
        }
        let body = self.term(inner, depth, Level::Unary, Hint::Integer);
        (Level::Unary, format!("({}{width}){body}", if zero { 'u' } else { 'i' }))
    }

    fn extract(&mut self, t: Term, depth: usize) -> (Level, String) {
        let low = self.pool.immediate(t);
        let high = low + u64::from(self.pool.width(t)) - 1;
        if low == 0 {
            let body = self.first(t, depth, Level::Unary, Hint::Integer);
            return (Level::Unary, format!("(u{}){body}", self.pool.width(t)));
        }
        let body = self.first(t, depth, Level::Postfix, Hint::Integer);
        let range = if low == high { format!("{low}") } else { format!("{high}:{low}") };
        (Level::Postfix, format!("{body}.bits[{range}]"))
    }

    fn concat(&mut self, t: Term, depth: usize) -> (Level, String) {
        let children = self.pool.children(t);
        let (high, low) = (children[0], children[1]);
        if self.pool.constant(low) == Some(0) && self.pool.op(high) == Op::Extract && self.pool.immediate(high) == 0 {
            let whole = self.pool.children(high)[0];
            if self.pool.width(whole) == self.pool.width(t) {
                let body = self.term(whole, depth, Level::Shift, Hint::Integer);
                return (Level::Shift, format!("{body} << {}", self.pool.width(low)));
            }
        }
        let left = self.term(high, depth, Level::Lowest, Hint::Unsigned);
        let right = self.term(low, depth, Level::Lowest, Hint::Unsigned);
        (Level::Postfix, format!("concat({left}, {right})"))
    }

    fn choice(&mut self, t: Term, depth: usize) -> (Level, String) {
        let children = self.pool.children(t);
        let condition = self.term(children[0], depth, Level::OrElse, Hint::Integer);
        let yes = self.term(children[1], depth, Level::Choice, Hint::Integer);
        let no = self.term(children[2], depth, Level::Choice, Hint::Integer);
        (Level::Choice, format!("{condition} ? {yes} : {no}"))
    }

    fn select(&mut self, t: Term, depth: usize) -> (Level, String) {
        let index = self.first(t, depth, Level::Lowest, Hint::Unsigned);
        let Some(table) = self.pool.table_of(t) else { return (Level::Postfix, index) };
        let entries = self.pool.entries(table);
        let mut shown: Vec<String> =
            entries.iter().take(4).map(|entry| self.term(*entry, depth, Level::Lowest, Hint::Integer)).collect();
        if entries.len() > 4 {
            shown.push(format!("… {} entries", entries.len()));
        }
        (Level::Postfix, format!("{{{}}}[{index}]", shown.join(", ")))
    }

    fn conversion(&mut self, t: Term, depth: usize) -> (Level, String) {
        let width = self.pool.width(t);
        let (name, hint) = match (self.pool.op(t), width) {
            (Op::FToS, _) => (format!("i{width}"), Hint::Float),
            (Op::FToU, _) => (format!("u{width}"), Hint::Float),
            (op, 32) => ("float".to_string(), if op == Op::FToF { Hint::Float } else { Hint::Integer }),
            (op, _) => ("double".to_string(), if op == Op::FToF { Hint::Float } else { Hint::Integer }),
        };
        let body = self.first(t, depth, Level::Unary, hint);
        (Level::Unary, format!("({name}){body}"))
    }

    fn function(&mut self, t: Term, depth: usize, hint: Hint) -> (Level, String) {
        let name = function_name(self.pool, t);
        let children = self.pool.children(t);
        let arguments: Vec<String> =
            children.iter().map(|child| self.term(*child, depth, Level::Lowest, hint)).collect();
        (Level::Postfix, format!("{name}({})", arguments.join(", ")))
    }
}

/// The C name of an operator that reads as a call.
fn function_name(pool: &Pool, t: Term) -> &str {
    match pool.op(t) {
        Op::PopCount => "popcount",
        Op::LeadingZeros => "clz",
        Op::TrailingZeros => "ctz",
        Op::FRem => "fmod",
        Op::FAbs => "fabs",
        Op::FSqrt => "sqrt",
        Op::FFma => "fma",
        Op::FMin => "fmin",
        Op::FMax => "fmax",
        Op::FCopySign => "copysign",
        Op::FRound => match rounding(pool.aux(t)) {
            Rounding::NearestEven => "rint",
            Rounding::NearestAway => "round",
            Rounding::Down => "floor",
            Rounding::Up => "ceil",
            Rounding::Zero => "trunc",
        },
        Op::Call => pool.library().name(pool.immediate(t)).unwrap_or("call"),
        other => other.name(),
    }
}

fn tighter(level: Level) -> Level {
    match level {
        Level::Lowest => Level::Choice,
        Level::Choice => Level::OrElse,
        Level::OrElse => Level::AndAlso,
        Level::AndAlso => Level::BitOr,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Equality,
        Level::Equality => Level::Order,
        Level::Order => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary | Level::Postfix => Level::Postfix,
    }
}

fn constant(value: u128, width: u16, hint: Hint) -> String {
    match hint {
        Hint::Float if width == 32 || width == 64 => {
            format!("{}", Value { bits: value, width, kind: ValueKind::Float })
        }
        Hint::Char if width == 8 && (0x20..0x7f).contains(&value) && value != 0x27 && value != 0x5c => {
            format!("'{}'", value as u8 as char)
        }
        Hint::Char if width == 8 && value == 10 => "'\\n'".to_string(),
        Hint::Unsigned if value > 0xffff => format!("{value:#x}"),
        Hint::Unsigned => format!("{value}"),
        Hint::Integer | Hint::Float | Hint::Char if width == 1 => format!("{value}"),
        Hint::Integer | Hint::Float | Hint::Char => format!("{}", signed(value, width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covet_input::Variable;

    fn variable(name: &str, width: u16, kind: ValueKind) -> Variable {
        Variable { name: name.into(), width, kind, default: 0 }
    }

    #[test]
    fn reads_like_c() {
        let (mut pool, mut names) = (Pool::new(), Variables::default());
        let x = names.intern(variable("arg.x", 32, ValueKind::Signed));
        let y = names.intern(variable("arg.y", 32, ValueKind::Signed));
        let c = names.intern(variable("stdin[0]", 8, ValueKind::Char));
        let (x, y, c) = (pool.var(&names, x), pool.var(&names, y), pool.var(&names, c));
        let show = |pool: &Pool, t| text(pool, &names, t);
        let one = pool.bits(32, 1);
        let ten = pool.bits(32, 10);
        let sum = pool.add(x, one);
        let zero = pool.bits(32, 0);
        let positive = pool.slt(zero, sum);
        assert_eq!(show(&pool, positive), "arg.x + 1 > 0");
        let le = pool.sle(x, y);
        assert_eq!(show(&pool, le), "arg.x <= arg.y");
        let gt = pool.not(le);
        assert_eq!(show(&pool, gt), "arg.x > arg.y");
        let letter = pool.bits(8, 97);
        let is_a = pool.ne(c, letter);
        assert_eq!(show(&pool, is_a), "stdin[0] != 'a'");
        let product = pool.mul(sum, y);
        let less = pool.sub(product, ten);
        assert_eq!(show(&pool, less), "arg.y * (arg.x + 1) - 10");
        let shifted = pool.make(crate::Shape::new(Op::LShr, 32), &[x, ten]);
        let unsigned = pool.ult(shifted, y);
        assert_eq!(show(&pool, unsigned), "arg.x u>> 10 u< arg.y");
    }

    #[test]
    fn deep_terms_are_cut() {
        let mut pool = Pool::new();
        let x = pool.var_with(covet_input::VarId(0), 32, 0);
        let mut t = x;
        for _ in 0..100_000 {
            let product = pool.mul(t, x);
            t = pool.add(product, x);
        }
        assert!(text(&pool, &Variables::default(), t).len() < 4000);
    }
}
