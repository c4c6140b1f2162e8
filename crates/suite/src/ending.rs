//! How a native run of a test ended → what the test expects from now on: the plain program is right, whatever the explored one did.

use covet_input::{Value, ValueKind};
use covet_results::{Test, TestOutcome};

/// How a test program says that a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the returned value as printed, when there was one to compare.
    Returned(Option<String>),
    Exited(i32),
    Died(i32),
    RunsOn,
}

impl Ending {
    /// Reads what stands after `got` in the line of a failed test.
    pub fn read(text: &str) -> Option<Ending> {
        let number = |rest: &str| rest.trim().parse().ok();
        if text == "returned" {
            return Some(Ending::Returned(None));
        }
        if let Some(value) = text.strip_prefix("returned ") {
            return Some(Ending::Returned(Some(value.to_string())));
        }
        if let Some(code) = text.strip_prefix("exited with code ") {
            return number(code).map(Ending::Exited);
        }
        if let Some(signal) = text.strip_prefix("died of signal ") {
            return number(signal).map(Ending::Died);
        }
        text.starts_with("still running").then_some(Ending::RunsOn)
    }

    /// Makes the test expect this ending.
    pub fn adopt(&self, test: &mut Test) {
        let before = test.returned.take();
        (test.exit_code, test.signal) = (None, None);
        match self {
            Ending::Returned(text) => {
                test.outcome = TestOutcome::Returned;
                test.returned = text.as_deref().zip(before).and_then(|(text, before)| value(text, before));
            }
            Ending::Exited(code) => (test.outcome, test.exit_code) = (TestOutcome::Exited, Some(*code)),
            Ending::Died(signal) => (test.outcome, test.signal) = (TestOutcome::Crashed, Some(*signal)),
            Ending::RunsOn => test.outcome = TestOutcome::Timeout,
        }
    }
}

/// A printed value of the same type as `like`.
fn value(text: &str, like: Value) -> Option<Value> {
    let bits = match (like.kind, text.strip_prefix("bits 0x")) {
        (_, Some(digits)) => u128::from_str_radix(digits, 16).ok()?,
        (ValueKind::Float, None) if like.width == 32 => u128::from(text.parse::<f32>().ok()?.to_bits()),
        (ValueKind::Float, None) => u128::from(text.parse::<f64>().ok()?.to_bits()),
        (ValueKind::Bool | ValueKind::Char | ValueKind::Byte, None)
        | (ValueKind::Signed | ValueKind::Unsigned, None)
        | (ValueKind::Pointer | ValueKind::Function | ValueKind::Growth, None) => text.parse::<i128>().ok()? as u128,
    };
    Some(Value { bits: bits & (u128::MAX >> (128 - u32::from(like.width.clamp(1, 128)))), ..like })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adopted(text: &str, kind: ValueKind, width: u16) -> Test {
        let mut test = Test { returned: Some(Value { bits: 1, width, kind }), ..Test::new("f-001", "f") };
        Ending::read(text).unwrap().adopt(&mut test);
        test
    }

    #[test]
    fn a_test_takes_over_what_the_plain_program_did() {
        assert_eq!(adopted("returned -3", ValueKind::Signed, 32).returned.unwrap().bits, 0xffff_fffd);
        assert_eq!(adopted("returned 2.5", ValueKind::Float, 64).returned.unwrap().bits, u128::from(2.5f64.to_bits()));
        assert_eq!(adopted("returned bits 0x10", ValueKind::Unsigned, 128).returned.unwrap().bits, 16);
        let died = adopted("died of signal 11", ValueKind::Signed, 32);
        assert_eq!((died.outcome, died.signal, died.returned), (TestOutcome::Crashed, Some(11), None));
        let left = adopted("exited with code 7", ValueKind::Signed, 32);
        assert_eq!((left.outcome, left.exit_code), (TestOutcome::Exited, Some(7)));
        assert_eq!(adopted("still running after 2000 ms", ValueKind::Signed, 32).outcome, TestOutcome::Timeout);
        assert_eq!(Ending::read("a test program that had to be killed"), None);
    }
}
