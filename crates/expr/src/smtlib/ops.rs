//! One term as an SMT-LIB expression over the texts of its operands.

use crate::eval::float::rounding;
use crate::smtlib::Writer;
use crate::term::Term;
use crate::term::pool::Pool;
use covet_abi::node::{Op, Rounding};

/// How a term stands in a query: as a truth value, as bits, or as a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    Bool,
    Bits,
    Float,
}

/// The form an operator gives by itself.
pub fn natural_form(pool: &Pool, t: Term) -> Form {
    let boolean = pool.width(t) == 1;
    match pool.op(t) {
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe | Op::FUno => Form::Bool,
        Op::And | Op::Or | Op::Xor | Op::Not | Op::Ite if boolean => Form::Bool,
        Op::And | Op::Or | Op::Xor | Op::Not | Op::Ite => Form::Bits,
        Op::Const | Op::Var | Op::Add | Op::Sub | Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => Form::Bits,
        Op::Shl | Op::LShr | Op::AShr | Op::ZExt | Op::SExt | Op::Extract | Op::Concat | Op::Select => Form::Bits,
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros | Op::FToS | Op::FToU | Op::FCopySign => Form::Bits,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => {
            Form::Float
        }
        Op::FRound | Op::FMin | Op::FMax | Op::FToF | Op::SToF | Op::UToF | Op::Call => Form::Float,
    }
}

pub(crate) fn sort_of(pool: &Pool, t: Term, form: Form) -> String {
    match form {
        Form::Bool => "Bool".to_string(),
        Form::Bits => format!("(_ BitVec {})", pool.width(t)),
        Form::Float if pool.width(t) == 32 => "Float32".to_string(),
        Form::Float => "Float64".to_string(),
    }
}

/// A bit-vector numeral.
fn numeral(width: u16, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

/// The term in its natural form.
pub(crate) fn expression(w: &mut Writer<'_>, t: Term) -> String {
    let op = w.pool.op(t);
    let (width, imm) = (w.pool.width(t), w.pool.immediate(t));
    let form = natural_form(w.pool, t);
    match op {
        Op::Const => numeral(width, w.pool.constant(t).unwrap_or_default()),
        Op::Var | Op::FRem | Op::Call => String::new(),
        Op::Add => binary(w, t, "bvadd", Form::Bits),
        Op::Sub => binary(w, t, "bvsub", Form::Bits),
        Op::Mul => binary(w, t, "bvmul", Form::Bits),
        Op::UDiv => binary(w, t, "bvudiv", Form::Bits),
        Op::SDiv => binary(w, t, "bvsdiv", Form::Bits),
        Op::URem => binary(w, t, "bvurem", Form::Bits),
        Op::SRem => binary(w, t, "bvsrem", Form::Bits),
        Op::Shl => shift(w, t, "bvshl"),
        Op::LShr => shift(w, t, "bvlshr"),
        Op::AShr => shift(w, t, "bvashr"),
        Op::And => binary(w, t, if width == 1 { "and" } else { "bvand" }, form),
        Op::Or => binary(w, t, if width == 1 { "or" } else { "bvor" }, form),
        Op::Xor => binary(w, t, if width == 1 { "xor" } else { "bvxor" }, form),
        Op::Not => unary(w, t, if width == 1 { "not" } else { "bvnot" }, form),
        Op::Eq => binary(w, t, "=", Form::Bits),
        Op::Ult => binary(w, t, "bvult", Form::Bits),
        Op::Ule => binary(w, t, "bvule", Form::Bits),
        Op::Slt => binary(w, t, "bvslt", Form::Bits),
        Op::Sle => binary(w, t, "bvsle", Form::Bits),
        Op::ZExt | Op::SExt => {
            let by = width - w.pool.width(w.pool.children(t)[0]);
            let name = if op == Op::ZExt { "zero_extend" } else { "sign_extend" };
            unary(w, t, &format!("(_ {name} {by})"), Form::Bits)
        }
        Op::Extract => unary(w, t, &format!("(_ extract {} {imm})", imm + u64::from(width) - 1), Form::Bits),
        Op::Concat => binary(w, t, "concat", Form::Bits),
        Op::Ite => {
            let children = w.pool.children(t);
            let (c, y, n) = (w.text(children[0], Form::Bool), w.text(children[1], form), w.text(children[2], form));
            format!("(ite {c} {y} {n})")
        }
        Op::Select => select(w, t),
        Op::PopCount | Op::LeadingZeros | Op::TrailingZeros => count(w, t),
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FNeg | Op::FAbs | Op::FSqrt | Op::FFma => float(w, t),
        Op::FRound | Op::FMin | Op::FMax | Op::FCopySign | Op::FEq | Op::FLt | Op::FLe | Op::FUno => float(w, t),
        Op::FToF | Op::SToF | Op::UToF | Op::FToS | Op::FToU => float(w, t),
    }
}

/// A float operator, a float comparison or a conversion.
fn float(w: &mut Writer<'_>, t: Term) -> String {
    let width = w.pool.width(t);
    match w.pool.op(t) {
        Op::FAdd => binary(w, t, "fp.add RNE", Form::Float),
        Op::FSub => binary(w, t, "fp.sub RNE", Form::Float),
        Op::FMul => binary(w, t, "fp.mul RNE", Form::Float),
        Op::FDiv => binary(w, t, "fp.div RNE", Form::Float),
        Op::FNeg => unary(w, t, "fp.neg", Form::Float),
        Op::FAbs => unary(w, t, "fp.abs", Form::Float),
        Op::FSqrt => unary(w, t, "fp.sqrt RNE", Form::Float),
        Op::FFma => ternary_float(w, t),
        Op::FRound => {
            let mode = match rounding(w.pool.aux(t)) {
                Rounding::NearestEven => "RNE",
                Rounding::NearestAway => "RNA",
                Rounding::Down => "RTN",
                Rounding::Up => "RTP",
                Rounding::Zero => "RTZ",
            };
            unary(w, t, &format!("fp.roundToIntegral {mode}"), Form::Float)
        }
        Op::FMin | Op::FMax => minimum(w, t),
        Op::FCopySign => {
            let (a, b) = operands(w, t, Form::Bits);
            let top = width - 1;
            format!("(concat ((_ extract {top} {top}) {b}) ((_ extract {} 0) {a}))", top - 1)
        }
        Op::FEq => binary(w, t, "fp.eq", Form::Float),
        Op::FLt => binary(w, t, "fp.lt", Form::Float),
        Op::FLe => binary(w, t, "fp.leq", Form::Float),
        Op::FUno => {
            let (a, b) = operands(w, t, Form::Float);
            format!("(or (fp.isNaN {a}) (fp.isNaN {b}))")
        }
        Op::FToF => unary(w, t, &format!("{} RNE", float_conversion("to_fp", width)), Form::Float),
        Op::SToF => unary(w, t, &format!("{} RNE", float_conversion("to_fp", width)), Form::Bits),
        Op::UToF => unary(w, t, &format!("{} RNE", float_conversion("to_fp_unsigned", width)), Form::Bits),
        Op::FToS | Op::FToU => to_integer(w, t),
        other => unreachable!("{} is no float operator", other.name()),
    }
}

fn float_conversion(name: &str, width: u16) -> String {
    if width == 32 { format!("(_ {name} 8 24)") } else { format!("(_ {name} 11 53)") }
}

fn operands(w: &mut Writer<'_>, t: Term, form: Form) -> (String, String) {
    let children = w.pool.children(t);
    (w.text(children[0], form), w.text(children[1], form))
}

fn unary(w: &mut Writer<'_>, t: Term, name: &str, form: Form) -> String {
    let child = w.pool.children(t)[0];
    let a = w.text(child, form);
    format!("({name} {a})")
}

fn binary(w: &mut Writer<'_>, t: Term, name: &str, form: Form) -> String {
    let (a, b) = operands(w, t, form);
    format!("({name} {a} {b})")
}

fn ternary_float(w: &mut Writer<'_>, t: Term) -> String {
    let children = w.pool.children(t);
    let (a, b) = operands(w, t, Form::Float);
    let c = w.text(children[2], Form::Float);
    format!("(fp.fma RNE {a} {b} {c})")
}

/// Shift amounts count modulo the width.
fn shift(w: &mut Writer<'_>, t: Term, name: &str) -> String {
    let (a, b) = operands(w, t, Form::Bits);
    let width = w.pool.width(t);
    format!("({name} {a} (bvurem {b} {}))", numeral(width, u128::from(width)))
}

/// `fmin`/`fmax` of C, spelt out because SMT-LIB leaves zeros of either sign open.
fn minimum(w: &mut Writer<'_>, t: Term) -> String {
    let (a, b) = operands(w, t, Form::Float);
    let second_wins = if w.pool.op(t) == Op::FMin { format!("(fp.lt {b} {a})") } else { format!("(fp.lt {a} {b})") };
    format!("(ite (or (fp.isNaN {a}) {second_wins}) {b} {a})")
}

/// A table as nested choices on the index.
fn select(w: &mut Writer<'_>, t: Term) -> String {
    let child = w.pool.children(t)[0];
    let index = w.text(child, Form::Bits);
    let index_width = w.pool.width(child);
    let entries: Vec<Term> = w.pool.table_of(t).map_or(Vec::new(), |table| w.pool.entries(table).to_vec());
    let reach = crate::bits::mask(index_width);
    let mut text = String::new();
    let mut open = 0;
    for (i, entry) in entries.iter().enumerate().take_while(|(i, _)| *i as u128 <= reach) {
        let value = w.text(*entry, Form::Bits);
        text.push_str(&format!("(ite (= {index} {}) {value} ", numeral(index_width, i as u128)));
        open += 1;
    }
    text.push_str(&numeral(w.pool.width(t), 0));
    text.push_str(&")".repeat(open));
    text
}

/// Bit counts, bit by bit.
fn count(w: &mut Writer<'_>, t: Term) -> String {
    let width = w.pool.width(t);
    let child = w.pool.children(t)[0];
    let a = w.text(child, Form::Bits);
    let bit = |i: u16| format!("((_ extract {i} {i}) {a})");
    match w.pool.op(t) {
        Op::PopCount if width == 1 => a,
        Op::PopCount => (1..width).fold(format!("((_ zero_extend {}) {})", width - 1, bit(0)), |sum, i| {
            format!("(bvadd {sum} ((_ zero_extend {}) {}))", width - 1, bit(i))
        }),
        Op::LeadingZeros => (0..width).fold(numeral(width, u128::from(width)), |rest, i| {
            format!("(ite (= {} #b1) {} {rest})", bit(i), numeral(width, u128::from(width - 1 - i)))
        }),
        _ => (0..width).rev().fold(numeral(width, u128::from(width)), |rest, i| {
            format!("(ite (= {} #b1) {} {rest})", bit(i), numeral(width, u128::from(i)))
        }),
    }
}

/// Float to integer with the processor's answer out of range; see the table in `float`.
fn to_integer(w: &mut Writer<'_>, t: Term) -> String {
    let width = w.pool.width(t);
    let child = w.pool.children(t)[0];
    let x = w.text(child, Form::Float);
    let to_float = float_conversion("to_fp", w.pool.width(child));
    let unsigned = w.pool.op(t) == Op::FToU;
    if width > 64 {
        let name = if unsigned { "fp.to_ubv" } else { "fp.to_sbv" };
        return format!("((_ {name} {width}) RTZ {x})");
    }
    let limit = |power: u16| format!("({to_float} RNE {}.0)", 1u128 << power);
    let indefinite = |x: &str, bits: u16| {
        let bound = limit(bits - 1);
        let (low, high) = (format!("(fp.leq (fp.neg {bound}) {x})"), format!("(fp.lt {x} {bound})"));
        let smallest = numeral(bits, 1 << (bits - 1));
        // Below -2^31 by less than one still truncates to it, which is the indefinite value as well.
        format!("(ite (and {low} {high}) ((_ fp.to_sbv {bits}) RTZ {x}) {smallest})")
    };
    let cut = |text: String, bits: u16| {
        if bits == width { text } else { format!("((_ extract {} 0) {text})", width - 1) }
    };
    match (unsigned, width) {
        (false, 0..=32) | (true, 0..=16) => cut(indefinite(&x, 32), 32),
        (false, _) | (true, 17..=32) => cut(indefinite(&x, 64), 64),
        (true, _) => {
            let split = limit(63);
            let upper = indefinite(&format!("(fp.sub RNE {x} {split})"), 64);
            let lower = indefinite(&x, 64);
            let top = numeral(64, 1 << 63);
            cut(format!("(ite (fp.lt {x} {split}) {lower} (bvxor {upper} {top}))"), 64)
        }
    }
}
