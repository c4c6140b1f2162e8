//! How a test ended on the plain build → what the test expects from now on: the plain program is right, whatever the explored one did.

use covet_input::{Value, ValueKind};
use covet_results::{Test, TestOutcome};
use std::fmt;

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeEnd {
    /// With what was returned, when there was something to compare it with.
    Returned(Option<Returned>),
    Exited(i32),
    Died(i32),
    /// Its time was up.
    RunsOn {
        milliseconds: u64,
    },
    /// The source asked for inputs that the test does not give.
    Unassumed,
    /// The test program ended, or had to be killed, before it reported.
    Silent {
        was_killed: bool,
    },
}

/// How a test should have ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    End(NativeEnd),
    AnySignal,
    Anything,
    /// Whatever it is, a report.
    Report,
}

/// What a function returned, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// An integer or floating-point number of up to 64 bits.
    Number(Value),
    /// The low bytes of a wider number.
    Bits {
        bits: u128,
        bytes: usize,
    },
    Pointer {
        is_null: bool,
    },
}

impl NativeEnd {
    /// Makes the test expect this ending; false when no test can.
    pub fn adopt(&self, test: &mut Test) -> bool {
        let (outcome, exit_code, signal) = match self {
            NativeEnd::Returned(_) => (TestOutcome::Returned, None, None),
            NativeEnd::Exited(code) => (TestOutcome::Exited, Some(*code), None),
            NativeEnd::Died(signal) => (TestOutcome::Crashed, None, Some(*signal)),
            NativeEnd::RunsOn { .. } => (TestOutcome::Timeout, None, None),
            NativeEnd::Unassumed | NativeEnd::Silent { .. } => return false,
        };
        (test.outcome, test.exit_code, test.signal) = (outcome, exit_code, signal);
        test.returned = test.returned.zip(self.returned()).and_then(|(before, returned)| returned.as_value(before));
        true
    }

    /// Whether a test that ended this way and one that ended the other did the same, up to what was returned.
    pub fn is_like(&self, other: &NativeEnd) -> bool {
        match (self, other) {
            (NativeEnd::Returned(_), NativeEnd::Returned(_)) => true,
            _ => self == other,
        }
    }

    fn returned(&self) -> Option<Returned> {
        match self {
            NativeEnd::Returned(returned) => *returned,
            NativeEnd::Exited(_) | NativeEnd::Died(_) | NativeEnd::RunsOn { .. } => None,
            NativeEnd::Unassumed | NativeEnd::Silent { .. } => None,
        }
    }
}

impl Returned {
    /// The value of the same type as `like`; none for an address, which is another one in every run.
    fn as_value(self, like: Value) -> Option<Value> {
        let bits = match self {
            Returned::Number(Value { bits, .. }) | Returned::Bits { bits, .. } => bits,
            Returned::Pointer { .. } => return None,
        };
        Some(Value { bits: bits & (u128::MAX >> (128 - u32::from(like.width.clamp(1, 128)))), ..like })
    }
}

impl fmt::Display for NativeEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeEnd::Returned(None) => f.write_str("returned"),
            NativeEnd::Returned(Some(returned)) => write!(f, "returned {returned}"),
            NativeEnd::Exited(code) => write!(f, "exited with code {code}"),
            NativeEnd::Died(signal) => write!(f, "died of signal {signal}"),
            NativeEnd::RunsOn { milliseconds } => write!(f, "still running after {milliseconds} ms"),
            NativeEnd::Unassumed => f.write_str("an assumption that did not hold"),
            NativeEnd::Silent { was_killed: false } => f.write_str("a test program that ended without a word"),
            NativeEnd::Silent { was_killed: true } => f.write_str("a test program that had to be killed"),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::End(end) => end.fmt(f),
            Expectation::AnySignal => f.write_str("died of a signal"),
            Expectation::Anything => f.write_str("anything"),
            Expectation::Report => f.write_str("a result"),
        }
    }
}

impl fmt::Display for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Returned::Number(value) => match (value.kind, value.float()) {
                (ValueKind::Float, Some(number)) => f.write_str(&general(number, value.width)),
                _ => value.fmt(f),
            },
            Returned::Bits { bits, bytes } => write!(f, "bits 0x{bits:0digits$x}", digits = bytes * 2),
            Returned::Pointer { is_null } => f.write_str(if *is_null { "NULL" } else { "a pointer" }),
        }
    }
}

/// A number as C writes it with `%.9g` (of 32 bits) or `%.17g`: every digit that tells it from its neighbours.
fn general(number: f64, width: u16) -> String {
    let digits: i32 = if width == 32 { 9 } else { 17 };
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let number = number.abs();
    if !number.is_finite() {
        return format!("{sign}{}", if number.is_nan() { "nan" } else { "inf" });
    }
    let scientific = format!("{number:.*e}", digits as usize - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..digits).contains(&exponent) {
        let letter = if exponent < 0 { "e-" } else { "e+" };
        return format!("{sign}{}{letter}{:02}", shortened(mantissa), exponent.abs());
    }
    format!("{sign}{}", shortened(&format!("{number:.*}", (digits - 1 - exponent) as usize)))
}

/// Without the zeros at the end of a fraction.
fn shortened(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bits: u128, width: u16, kind: ValueKind) -> NativeEnd {
        NativeEnd::Returned(Some(Returned::Number(Value { bits, width, kind })))
    }

    fn adopted(end: &NativeEnd, kind: ValueKind, width: u16) -> Test {
        let mut test = Test { returned: Some(Value { bits: 1, width, kind }), ..Test::new("f-001", "f") };
        assert!(end.adopt(&mut test));
        test
    }

    #[test]
    fn a_test_takes_over_what_the_plain_program_did() {
        let minus_three = number(-3_i64 as u64 as u128, 64, ValueKind::Signed);
        assert_eq!(adopted(&minus_three, ValueKind::Signed, 32).returned.unwrap().bits, 0xffff_fffd);
        let wide = NativeEnd::Returned(Some(Returned::Bits { bits: 16, bytes: 16 }));
        assert_eq!(adopted(&wide, ValueKind::Unsigned, 128).returned.unwrap().bits, 16);
        let pointer = NativeEnd::Returned(Some(Returned::Pointer { is_null: false }));
        assert_eq!(adopted(&pointer, ValueKind::Unsigned, 64).returned, None);
        let died = adopted(&NativeEnd::Died(11), ValueKind::Signed, 32);
        assert_eq!((died.outcome, died.signal, died.returned), (TestOutcome::Crashed, Some(11), None));
        let left = adopted(&NativeEnd::Exited(7), ValueKind::Signed, 32);
        assert_eq!((left.outcome, left.exit_code), (TestOutcome::Exited, Some(7)));
        let runs_on = NativeEnd::RunsOn { milliseconds: 2000 };
        assert_eq!(adopted(&runs_on, ValueKind::Signed, 32).outcome, TestOutcome::Timeout);
    }

    #[test]
    fn a_test_cannot_expect_what_is_no_ending() {
        let mut test = Test::new("f-001", "f");
        let before = test.clone();
        assert!(!NativeEnd::Unassumed.adopt(&mut test) && !NativeEnd::Silent { was_killed: true }.adopt(&mut test));
        assert_eq!(test, before);
    }

    #[test]
    fn endings_read_as_test_programs_say_them() {
        assert_eq!(number(u128::from(u64::MAX), 64, ValueKind::Signed).to_string(), "returned -1");
        assert_eq!(number(u128::from(u64::MAX), 64, ValueKind::Unsigned).to_string(), "returned 18446744073709551615");
        let wide = NativeEnd::Returned(Some(Returned::Bits { bits: 0x1f, bytes: 3 }));
        assert_eq!(wide.to_string(), "returned bits 0x00001f");
        let double = |number: f64| general(number, 64);
        assert_eq!(double(0.1), "0.10000000000000001");
        assert_eq!(double(-2.5), "-2.5");
        assert_eq!(double(100_000.0), "100000");
        assert_eq!(double(1e300), "1.0000000000000001e+300");
        assert_eq!(double(5e-324), "4.9406564584124654e-324");
        assert_eq!(double(0.0001), "0.0001");
        assert_eq!((double(0.0), double(-0.0)), ("0".to_string(), "-0".to_string()));
        assert_eq!((double(f64::INFINITY), double(-f64::NAN)), ("inf".to_string(), "-nan".to_string()));
        assert_eq!(general(f64::from(0.1_f32), 32), "0.100000001");
        assert_eq!(general(f64::from(f32::MAX), 32), "3.40282347e+38");
    }
}
