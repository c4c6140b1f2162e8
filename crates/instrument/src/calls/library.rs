//! Calls of pure library functions: a term, not a concrete value.
//!
//! ```text
//!   %r = call double @sin(double %x)
//! ; becomes
//!   %s = call i32 @covet.library.0(i32 %sx, ..., double %x, ...)
//!   %r = call double @sin(double %x)
//! ```
//!
//! What our operators express (`sqrt`, `fmod`, `floor`, ...) becomes those; the rest is a numbered call that the engine makes too.
//! Functions that the user declares to be pure are numbered behind the library's: their numbers travel as doubles, exactly.
//! The plain call stays: `errno` and the floating-point flags are as they are without us.

use crate::function::Rewriter;
use crate::ir::Value;
use crate::tracking::shadow::LeafKind;
use covet_abi::library::{LIBRARY, number_of};
use covet_abi::node::{Op, Rounding};
use covet_settings::{Scalar, Signature};

/// How a library function is expressed.
#[derive(Clone, Copy)]
enum Rule {
    Unary(Op),
    Binary(Op),
    Fused,
    Rounded(Rounding),
    /// Rounded, then converted to `long`.
    ToLong(Rounding),
    /// A numbered function of floats of one width.
    Numbered(usize),
    /// `ldexp` and its kin: a float and an integer.
    Scaled,
    /// `ilogb`.
    Exponent,
    /// A numbered function of mixed types: all of them travel as doubles.
    Mixed(usize),
}

impl Rewriter<'_> {
    /// The result's shadow, when `name` is a pure function that the call uses by its usual type.
    pub fn library_call(&mut self, call: Value, name: &str) -> Option<Value> {
        if let Some(number) = self.numbering.pure.iter().position(|declared| declared.name == name) {
            return self.declared(call, number);
        }
        let rule = rule_of(name)?;
        let arguments = call.arguments();
        let float = |this: &Self, value: Value| matches!(this.leaf(value).kind, LeafKind::Float | LeafKind::Double);
        let integer = |this: &Self, value: Value| this.leaf(value).kind == LeafKind::Integer;
        let like_first = |this: &Self, count: usize| {
            arguments.len() == count
                && float(this, arguments[0])
                && arguments.iter().all(|argument| this.leaf(*argument).ty == this.leaf(arguments[0]).ty)
        };
        let gives_first =
            arguments.first().is_some_and(|first| self.leaves(call).len() == 1 && call.ty() == first.ty());
        let gives_integer = self.leaves(call).len() == 1 && integer(self, call);
        match rule {
            Rule::Unary(op) if like_first(self, 1) && gives_first => Some(self.unary(op, arguments[0])),
            Rule::Binary(op) if like_first(self, 2) && gives_first => {
                Some(self.operator(op, arguments[0], arguments[1]))
            }
            Rule::Fused if like_first(self, 3) && gives_first => Some(self.fused(call)),
            Rule::Rounded(mode) if like_first(self, 1) && gives_first => Some(self.rounded(mode, arguments[0])),
            Rule::ToLong(mode) if like_first(self, 1) && gives_integer => {
                let (from, to) = (self.leaf(arguments[0]).width, self.leaf(call).width);
                let whole = self.rounded(mode, arguments[0]);
                Some(self.convert(Op::FToS, whole, from, to))
            }
            Rule::Numbered(number) => {
                let function = &LIBRARY[number];
                let fits = like_first(self, function.arity) && gives_first;
                let width = self.leaf(*arguments.first()?).width;
                (fits && width == u32::from(function.width)).then(|| self.numbered(number, &arguments))
            }
            Rule::Scaled if arguments.len() == 2 && gives_first => {
                (float(self, arguments[0]) && integer(self, arguments[1])).then(|| self.scaled(&arguments))
            }
            Rule::Exponent if like_first(self, 1) && gives_integer => {
                let (x, to) = (self.as_double(arguments[0]), self.leaf(call).width);
                let exponent = self.numbered_on(number_of("ilogb")?, &[x]);
                Some(self.convert(Op::FToS, exponent, 64, to))
            }
            Rule::Mixed(number) => {
                let tracked = arguments.iter().all(|a| float(self, *a) || integer(self, *a));
                let fits = tracked && arguments.len() == LIBRARY[number].arity && float(self, call);
                fits.then(|| self.mixed(call, number, &arguments))
            }
            _ => None,
        }
    }

    fn mixed(&mut self, call: Value, number: usize, arguments: &[Value]) -> Value {
        let pairs: Vec<(Value, Value)> = arguments.iter().map(|argument| self.as_double(*argument)).collect();
        let shadow = self.numbered_on(number, &pairs);
        if self.leaf(call).width == 32 { self.convert(Op::FToF, shadow, 64, 32) } else { shadow }
    }

    /// The shadow of a call of a declared function, when it is used as declared.
    fn declared(&mut self, call: Value, number: usize) -> Option<Value> {
        let Signature { result, parameters, .. } = self.numbering.pure[number].clone();
        let arguments = call.arguments();
        let fits = |this: &Self, value: Value, scalar: Scalar| {
            let leaf = this.leaf(value);
            let kind = match scalar {
                Scalar::Float { width: 32 } => LeafKind::Float,
                Scalar::Float { .. } => LeafKind::Double,
                Scalar::Integer { .. } => LeafKind::Integer,
            };
            leaf.kind == kind && leaf.width == u32::from(scalar.width())
        };
        let all_fit = arguments.len() == parameters.len()
            && self.leaves(call).len() == 1
            && fits(self, call, result)
            && arguments.iter().zip(&parameters).all(|(argument, parameter)| fits(self, *argument, *parameter));
        if !all_fit {
            return None;
        }
        let pairs: Vec<(Value, Value)> = arguments
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| match parameter {
                Scalar::Integer { signed: false, .. } => self.unsigned_as_double(*argument),
                Scalar::Integer { signed: true, .. } | Scalar::Float { .. } => self.as_double(*argument),
            })
            .collect();
        let shadow = self.numbered_on(LIBRARY.len() + number, &pairs);
        Some(match result {
            Scalar::Float { width: 64 } => shadow,
            Scalar::Float { width } => self.convert(Op::FToF, shadow, 64, u32::from(width)),
            Scalar::Integer { width, signed: true } => self.convert(Op::FToS, shadow, 64, u32::from(width)),
            Scalar::Integer { width, signed: false } => self.convert(Op::FToU, shadow, 64, u32::from(width)),
        })
    }

    fn unsigned_as_double(&mut self, value: Value) -> (Value, Value) {
        let (leaf, shadow) = (self.leaf(value), self.shadow_of_scalar(value));
        let shadow = self.convert(Op::UToF, shadow, leaf.width, 64);
        (shadow, self.emit.cast(crate::ir::LLVMOpcode::LLVMUIToFP, value, self.emit.double))
    }

    fn scaled(&mut self, arguments: &[Value]) -> Value {
        let width = self.leaf(arguments[0]).width;
        let (x, exponent) = (self.as_double(arguments[0]), self.as_double(arguments[1]));
        let ldexp = number_of("ldexp").unwrap_or_default();
        let result = self.numbered_on(ldexp, &[x, exponent]);
        // A float scaled as a double and rounded once is the float scaled: doubles hold every float exactly.
        if width == 32 { self.convert(Op::FToF, result, 64, 32) } else { result }
    }

    fn numbered(&mut self, number: usize, arguments: &[Value]) -> Value {
        let pairs: Vec<(Value, Value)> =
            arguments.iter().map(|argument| (self.shadow_of_scalar(*argument), *argument)).collect();
        self.numbered_on(number, &pairs)
    }

    /// The shadow of function `number` on shadows and values.
    fn numbered_on(&mut self, number: usize, arguments: &[(Value, Value)]) -> Value {
        let shadows: Vec<Value> = arguments.iter().map(|(shadow, _)| *shadow).collect();
        if self.all_concrete(&shadows) {
            return self.concrete();
        }
        let leaf = self.leaf(arguments[0].1);
        let count = arguments.len();
        let name = format!("library.{number}");
        let guard = self.guards.on_shadows(&name, count, &vec![leaf.ty; count], |body| {
            let (zero, none) = (body.wide_number(0), body.number(0));
            let (mut ids, mut values) = ([none; 3], [zero; 3]);
            for i in 0..count {
                ids[i] = body.parameters[i];
                values[i] = body.low(body.parameters[count + i], &leaf);
            }
            let head = [number as u64, count as u64, u64::from(leaf.width)].map(|n| body.number(n));
            let all: Vec<Value> = head.into_iter().chain(ids).chain(values).collect();
            body.emit.call(body.hooks.library, &all)
        });
        let all: Vec<Value> = shadows.into_iter().chain(arguments.iter().map(|(_, value)| *value)).collect();
        self.emit.call(guard, &all)
    }

    /// A float or a signed integer as a double: shadow and value.
    fn as_double(&mut self, value: Value) -> (Value, Value) {
        let (leaf, shadow) = (self.leaf(value), self.shadow_of_scalar(value));
        let (op, opcode) = match leaf.kind {
            LeafKind::Double => return (shadow, value),
            LeafKind::Float => (Op::FToF, crate::ir::LLVMOpcode::LLVMFPExt),
            _ => (Op::SToF, crate::ir::LLVMOpcode::LLVMSIToFP),
        };
        let shadow = self.convert(op, shadow, leaf.width, 64);
        (shadow, self.emit.cast(opcode, value, self.emit.double))
    }
}

fn rule_of(name: &str) -> Option<Rule> {
    // `-ffast-math` headers and `-fno-math-errno` name the same functions differently.
    let plain = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("_finite")).unwrap_or(name);
    let base = match plain {
        "erf" | "modf" => plain,
        _ => plain.strip_suffix('f').unwrap_or(plain),
    };
    Some(match base {
        "sqrt" => Rule::Unary(Op::FSqrt),
        "fabs" => Rule::Unary(Op::FAbs),
        "fmod" => Rule::Binary(Op::FRem),
        "copysign" => Rule::Binary(Op::FCopySign),
        "fmax" => Rule::Binary(Op::FMax),
        "fmin" => Rule::Binary(Op::FMin),
        "fma" => Rule::Fused,
        "floor" => Rule::Rounded(Rounding::Down),
        "ceil" => Rule::Rounded(Rounding::Up),
        "trunc" => Rule::Rounded(Rounding::Zero),
        "round" => Rule::Rounded(Rounding::NearestAway),
        "rint" | "nearbyint" | "roundeven" => Rule::Rounded(Rounding::NearestEven),
        "lround" | "llround" => Rule::ToLong(Rounding::NearestAway),
        "lrint" | "llrint" => Rule::ToLong(Rounding::NearestEven),
        "ldexp" | "scalbn" | "scalbln" => Rule::Scaled,
        "ilogb" => Rule::Exponent,
        "jn" | "yn" | "fadd" | "fsub" | "fmul" | "fdiv" | "fsqrt" | "ffma" => Rule::Mixed(number_of(plain)?),
        "gamma" => Rule::Numbered(number_of(if base == plain { "lgamma" } else { "lgammaf" })?),
        "pow10" => Rule::Numbered(number_of(if base == plain { "exp10" } else { "exp10f" })?),
        _ => Rule::Numbered(number_of(plain)?),
    })
}

/// The library function that an intrinsic stands for.
pub fn of_intrinsic(base: &str, width: u32) -> Option<&'static str> {
    const FUNCTIONS: &[&str] = &[
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log",
        "log2", "log10", "pow", "lround", "llround", "lrint", "llrint", "ldexp",
    ];
    let name = base.strip_prefix("llvm.")?;
    let double = FUNCTIONS.iter().copied().find(|known| *known == name)?;
    if width == 64 {
        return Some(double);
    }
    LIBRARY.iter().map(|f| f.name).find(|f| f.strip_suffix('f') == Some(double)).or(Some(double))
}
