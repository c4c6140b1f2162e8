//! Records as the JSON of the command line's summary: values, tests and alarms.
//!
//! Integers are JSON integers (those beyond 64 bits are decimal strings), floats that are not finite are the strings `nan`,
//! `inf`, `-inf`, other floats read back exactly.

use crate::record::{Alarm, Sanitizer, Test, TestOutcome};
use covet_input::{Value, ValueKind};
use serde_json::{Map, Number, Value as Json, json};

/// A value as people and machines read it.
pub fn value(value: Value) -> Json {
    match value.kind {
        ValueKind::Signed | ValueKind::Char => integer(value.signed()),
        ValueKind::Unsigned | ValueKind::Byte | ValueKind::Pointer | ValueKind::Function | ValueKind::Growth => {
            unsigned(value.bits)
        }
        ValueKind::Bool if value.bits <= 1 => Json::Bool(value.bits == 1),
        ValueKind::Bool => unsigned(value.bits),
        ValueKind::Float => match value.float() {
            Some(number) => float(number),
            None => Json::String(format!("{:#x}", value.bits)),
        },
    }
}

/// A float that reads back exactly, or the name of what is not finite.
pub fn float(number: f64) -> Json {
    match Number::from_f64(number) {
        Some(finite) => Json::Number(finite),
        None if number.is_nan() => json!("nan"),
        None if number > 0.0 => json!("inf"),
        None => json!("-inf"),
    }
}

pub fn test(test: &Test) -> Json {
    let inputs: Map<String, Json> = test.inputs.iter().map(|(name, bits)| (name.clone(), value(*bits))).collect();
    let pointers: Map<String, Json> =
        test.pointers.iter().map(|(path, pointee)| (path.to_string(), json!(pointee.to_string()))).collect();
    let is_cut = test.outcome == TestOutcome::Cut;
    json!({
        "id": test.id,
        "function": test.function,
        // To the program, leaving where its inputs end is leaving.
        "outcome": if is_cut { TestOutcome::Exited } else { test.outcome }.text(),
        "cut": is_cut,
        "exit_code": test.exit_code,
        "signal": test.signal,
        "returned": test.returned.map(value),
        "inputs": inputs,
        "pointers": pointers,
        "checks": test.checks.len(),
        "covers": test.covers,
    })
}

pub fn alarm(alarm: &Alarm) -> Json {
    // One text of all, as it was before there was a list.
    let assumption = (!alarm.assumptions.is_empty()).then(|| alarm.assumptions.join("; "));
    json!({
        "id": alarm.id,
        "kind": alarm.kind.to_string(),
        "function": alarm.function,
        "file": alarm.file,
        "line": alarm.line,
        "column": alarm.column,
        "range": alarm.range,
        "verdict": alarm.verdict.text(),
        "native": alarm.native,
        "sanitizer": alarm.sanitizer.as_ref().map(sanitizer),
        "assumption": assumption,
        "assumptions": alarm.assumptions,
        "stack": alarm.stack,
        "test": alarm.test,
        "fingerprint": alarm.told.fingerprint,
        "chain": alarm.told.chain,
        "reason": alarm.told.reason,
        "public_test": alarm.told.public,
        "story": alarm.told.story,
        "same": alarm.told.same,
        "deciding": alarm.told.deciding.iter().map(|input| &input.name).collect::<Vec<_>>(),
    })
}

fn sanitizer(said: &Sanitizer) -> Json {
    match said {
        Sanitizer::Confirmed { tool, kind, line } => {
            json!({"confirmed": true, "tool": tool, "kind": kind, "line": line})
        }
        Sanitizer::Not(reason) => json!({"confirmed": false, "reason": reason}),
    }
}

fn integer(number: i128) -> Json {
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(small), _) => json!(small),
        (_, Ok(small)) => json!(small),
        (Err(_), Err(_)) => Json::String(number.to_string()),
    }
}

fn unsigned(number: u128) -> Json {
    match u64::try_from(number) {
        Ok(small) => json!(small),
        Err(_) => Json::String(number.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bits: u128, width: u16, kind: ValueKind) -> Json {
        value(Value { bits, width, kind })
    }

    #[test]
    fn integers_keep_their_sign_and_size() {
        assert_eq!(of(0xffff_ffff, 32, ValueKind::Signed), json!(-1));
        assert_eq!(of(0xffff_ffff, 32, ValueKind::Unsigned), json!(4_294_967_295_u32));
        assert_eq!(of(u128::from(u64::MAX), 64, ValueKind::Unsigned), json!(u64::MAX));
        assert_eq!(of(1 << 127, 128, ValueKind::Signed), json!(i128::MIN.to_string()));
        assert_eq!(of(u128::MAX, 128, ValueKind::Unsigned), json!(u128::MAX.to_string()));
        assert_eq!(of(u128::MAX, 128, ValueKind::Signed), json!(-1));
    }

    #[test]
    fn floats_read_back_or_are_named() {
        let bits = |number: f64| u128::from(number.to_bits());
        for number in [0.1, -0.0, 5e-324, f64::MAX] {
            let text = of(bits(number), 64, ValueKind::Float).to_string();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits(), "{text}");
        }
        assert_eq!(of(u128::from(0.1_f32.to_bits()), 32, ValueKind::Float).as_f64(), Some(f64::from(0.1_f32)));
        assert_eq!(of(bits(f64::NAN), 64, ValueKind::Float), json!("nan"));
        assert_eq!(of(bits(f64::INFINITY), 64, ValueKind::Float), json!("inf"));
        assert_eq!(of(bits(f64::NEG_INFINITY), 64, ValueKind::Float), json!("-inf"));
    }
}
