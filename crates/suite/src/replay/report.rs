//! What a test program reports about a test → how it should have ended and how it did.
//!
//! One line of JSON per test, written by the process that watches the test and not by the tested code:
//!
//! ```text
//! {"schema":"covet/test/1","test":"f-001","verdict":"failed","expected":{"end":"returned","kind":"signed","bits":"0000000000000008"},
//!  "got":{"end":"died","signal":11}}
//! ```
//!
//! A check that failed is told in words (`"check"`); a recording program adds what it found (`"observed"`, `"printed"`, `"heap"`).

use super::native_end::{Expectation, NativeEnd, Returned};
use crate::observe::{Heap, Observed, RawRegion};
use covet_input::{Value, ValueKind};
use serde::Deserialize;

const SCHEMA: &str = "covet/test/1";

/// How one test ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub verdict: Judgement,
    pub expected: Expectation,
    pub got: NativeEnd,
    /// The check that failed, when the test ended as expected otherwise.
    pub check: Option<String>,
    /// From a recording program.
    pub observed: Option<Observed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    Passed,
    /// The test does what C leaves undefined: it cannot fail.
    Undefined,
    Failed,
}

/// The last report on `test`, which the watching process writes when the test is over; none when there is no word about it, an error
/// for what is no report.
pub fn read(text: &str, test: &str) -> Result<Option<Report>, String> {
    let mut found = None;
    for line in text.lines() {
        let (about, report) = read_line(line)?;
        if about == test {
            found = Some(report);
        }
    }
    Ok(found)
}

/// The reports on several tests, up to the first line that is none.
pub fn read_some(text: &str) -> Vec<(String, Report)> {
    text.lines().map_while(|line| read_line(line).ok()).collect()
}

fn read_line(line: &str) -> Result<(String, Report), String> {
    let said: Line = serde_json::from_str(line).map_err(|error| format!("{error} in {line:?}"))?;
    if said.schema != SCHEMA {
        return Err(format!("expected schema {SCHEMA} in {line:?}"));
    }
    let wrong = || format!("no ending of a test in {line:?}");
    let observed = match said.printed {
        Some(printed) => Some(Observed::new(said.observed.unwrap_or_default(), &printed, said.heap).ok_or_else(wrong)?),
        None => None,
    };
    let report = Report {
        verdict: said.verdict,
        expected: said.expected.expectation().ok_or_else(wrong)?,
        got: said.got.native().ok_or_else(wrong)?,
        check: said.check,
        observed,
    };
    Ok((said.test, report))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    schema: String,
    test: String,
    verdict: Judgement,
    expected: End,
    got: End,
    check: Option<String>,
    observed: Option<Vec<RawRegion>>,
    printed: Option<String>,
    heap: Option<Heap>,
}

#[derive(Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case", deny_unknown_fields)]
enum End {
    Returned {
        kind: Option<Kind>,
        bits: Option<String>,
    },
    Exited {
        code: i32,
    },
    Died {
        /// 0 is any.
        signal: i32,
    },
    RunsOn {
        milliseconds: u64,
    },
    Anything,
    Unassumed,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Signed,
    Unsigned,
    Float,
    Double,
    Bits,
    Pointer,
}

impl End {
    fn expectation(self) -> Option<Expectation> {
        match self {
            End::Died { signal: 0 } => Some(Expectation::AnySignal),
            End::Anything => Some(Expectation::Anything),
            end => end.native().map(Expectation::End),
        }
    }

    fn native(self) -> Option<NativeEnd> {
        match self {
            End::Returned { kind: None, bits: None } => Some(NativeEnd::Returned(None)),
            End::Returned { kind: Some(kind), bits: Some(digits) } => {
                returned(kind, &digits).map(|returned| NativeEnd::Returned(Some(returned)))
            }
            End::Returned { .. } => None,
            End::Exited { code } => Some(NativeEnd::Exited(code)),
            End::Died { signal } => (signal != 0).then_some(NativeEnd::Died(signal)),
            End::RunsOn { milliseconds } => Some(NativeEnd::RunsOn { milliseconds }),
            End::Anything => None,
            End::Unassumed => Some(NativeEnd::Unassumed),
        }
    }
}

/// `digits`: the bits in hexadecimal, two digits to a byte.
fn returned(kind: Kind, digits: &str) -> Option<Returned> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits.len().is_multiple_of(2);
    let bits = u128::from_str_radix(digits, 16).ok().filter(|_| is_plain)?;
    let number = |bytes: usize, kind: ValueKind| {
        let width = bytes as u16 * 8;
        (digits.len() == bytes * 2).then_some(Returned::Number(Value { bits, width, kind }))
    };
    match kind {
        Kind::Signed => number(8, ValueKind::Signed),
        Kind::Unsigned => number(8, ValueKind::Unsigned),
        Kind::Float => number(4, ValueKind::Float),
        Kind::Double => number(8, ValueKind::Float),
        Kind::Bits => Some(Returned::Bits { bits, bytes: digits.len() / 2 }),
        Kind::Pointer => Some(Returned::Pointer { is_null: bits == 0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(expected: &str, got: &str) -> String {
        format!(
            r#"{{"schema":"covet/test/1","test":"f-001","verdict":"failed","expected":{expected},"got":{got}}}{}"#,
            "\n"
        )
    }

    #[test]
    fn every_ending_is_read() {
        let got = |got: &str| read(&line(r#"{"end":"anything"}"#, got), "f-001").unwrap().unwrap().got.to_string();
        assert_eq!(got(r#"{"end":"returned"}"#), "returned");
        assert_eq!(got(r#"{"end":"returned","kind":"signed","bits":"fffffffffffffffd"}"#), "returned -3");
        assert_eq!(got(r#"{"end":"returned","kind":"double","bits":"4004000000000000"}"#), "returned 2.5");
        assert_eq!(got(r#"{"end":"returned","kind":"float","bits":"40200000"}"#), "returned 2.5");
        assert_eq!(got(r#"{"end":"returned","kind":"bits","bits":"0010"}"#), "returned bits 0x0010");
        assert_eq!(got(r#"{"end":"returned","kind":"pointer","bits":"00"}"#), "returned NULL");
        assert_eq!(got(r#"{"end":"exited","code":7}"#), "exited with code 7");
        assert_eq!(got(r#"{"end":"died","signal":11}"#), "died of signal 11");
        assert_eq!(got(r#"{"end":"runs-on","milliseconds":2000}"#), "still running after 2000 ms");
        assert_eq!(got(r#"{"end":"unassumed"}"#), "an assumption that did not hold");
        let report = read(&line(r#"{"end":"died","signal":0}"#, r#"{"end":"returned"}"#), "f-001").unwrap().unwrap();
        assert_eq!(report.expected, Expectation::AnySignal);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let returned = r#"{"end":"returned"}"#;
        let whole = line(returned, returned);
        assert_eq!(read(&whole, "g-001"), Ok(None));
        assert_eq!(read("", "f-001"), Ok(None));
        for bad in ["ok   f-001: returned\n", "{}", &whole[..40], &whole.replace("test/1", "test/2")] {
            assert!(read(bad, "f-001").is_err(), "{bad}");
        }
        let ends = [
            r#"{"end":"anything"}"#,
            r#"{"end":"died","signal":0}"#,
            r#"{"end":"returned","kind":"signed"}"#,
            r#"{"end":"returned","kind":"signed","bits":"7"}"#,
            r#"{"end":"returned","kind":"double","bits":"zz04000000000000"}"#,
            r#"{"end":"exited"}"#,
        ];
        for end in ends {
            assert!(read(&line(returned, end), "f-001").is_err(), "{end}");
        }
    }
}
