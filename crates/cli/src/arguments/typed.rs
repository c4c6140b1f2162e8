//! `NAME=VALUE` as typed on the command line becomes bits of an input variable.

use crate::failure::Failure;
use covet_input::{Input, ValueKind, Variable, Variables};

/// The input that `settings` describe. An unknown name is an error only when `is_complete` says that all names are known by now.
pub fn input(variables: &Variables, settings: &[String], is_complete: bool) -> Result<Input, Failure> {
    let mut input = Input::default();
    for setting in settings {
        let (name, text) = setting
            .split_once('=')
            .ok_or_else(|| Failure::User(format!("`--set {setting}`: expected NAME=VALUE, for example arg.x=3")))?;
        let Some(id) = variables.find(name) else {
            if is_complete {
                let known: Vec<&str> = variables.iter().take(8).map(|(_, variable)| variable.name.as_str()).collect();
                return Err(Failure::User(format!("no input `{name}`; there are {}", known.join(", "))));
            }
            continue;
        };
        let bits = bits(variables.get(id), text);
        input.set(id, bits.ok_or_else(|| Failure::User(format!("`{text}` is not a value for {name}")))?);
    }
    Ok(input)
}

fn bits(variable: &Variable, text: &str) -> Option<u128> {
    let mask = u128::MAX >> (128 - u32::from(variable.width));
    let number = match (variable.kind, variable.width) {
        (ValueKind::Float, 32) => u128::from(text.parse::<f32>().ok()?.to_bits()),
        (ValueKind::Float, 64) => u128::from(text.parse::<f64>().ok()?.to_bits()),
        _ => integer(text)?,
    };
    Some(number & mask)
}

/// Decimal, hexadecimal or a character in quotes.
fn integer(text: &str) -> Option<u128> {
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return u128::from_str_radix(hexadecimal, 16).ok();
    }
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return character.bytes().next().map(u128::from);
    }
    text.parse::<i128>().map(|number| number as u128).or_else(|_| text.parse::<u128>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_kind_and_width() {
        let variable = |width, kind| Variable { name: "x".into(), width, kind, default: 0 };
        assert_eq!(bits(&variable(32, ValueKind::Signed), "-1"), Some(0xffff_ffff));
        assert_eq!(bits(&variable(8, ValueKind::Char), "'a'"), Some(97));
        assert_eq!(bits(&variable(16, ValueKind::Unsigned), "0x12345"), Some(0x2345));
        assert_eq!(bits(&variable(64, ValueKind::Float), "0.5"), Some(u128::from(0.5_f64.to_bits())));
        assert_eq!(bits(&variable(64, ValueKind::Signed), "x"), None);
    }
}
