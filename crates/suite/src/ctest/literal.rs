//! Bits + C type → a C expression of that type with exactly those bits.
//!
//! Short and readable where that is exact, hexadecimal floats and bit patterns where it is not. The helpers it calls
//! (`covtest_float`, `covtest_double`, `covtest_long_double`) are in `harness.c`.

use covet_input::Value;
use covet_source::{TypeId, TypeKind, Types};
use std::fmt::Write as _;

/// `bits` as an expression of type `ty`. `field_width` is that of a bit-field.
pub fn scalar(types: &Types, ty: TypeId, field_width: Option<u32>, value: Value) -> String {
    let width = |own: u32| field_width.unwrap_or(own);
    match types.kind(ty) {
        TypeKind::Bool => if value.bits & 1 == 1 { "1" } else { "0" }.to_string(),
        TypeKind::Int { signed: true, width: own } => signed(value.bits, width(*own)),
        TypeKind::Int { signed: false, width: own } => unsigned(value.bits, width(*own)),
        TypeKind::Char { signed } => character(value.bits as u8, *signed),
        TypeKind::Float { width } => float(value.bits, *width),
        TypeKind::Enum(description) => {
            let (is_signed, own) = integer_shape(types, description.underlying);
            let number =
                if is_signed { sign_extend(value.bits, width(own)) } else { truncate(value.bits, width(own)) as i128 };
            match description.constants.iter().find(|(_, constant)| *constant == number) {
                Some((name, _)) => name.clone(),
                None if is_signed => signed(value.bits, width(own)),
                None => unsigned(value.bits, width(own)),
            }
        }
        TypeKind::Opaque => match value.signed() {
            _ if value.width > 64 => wide(value.bits, false),
            _ => unsigned(value.bits, u32::from(value.width)),
        },
        TypeKind::Pointer { .. } => format!("(void *){:#x}UL", value.bits as u64),
        // What `void *` points at is bytes.
        TypeKind::Void => character(value.bits as u8, true),
        TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. } => "0".to_string(),
    }
}

/// Signedness and width of an integer type.
pub fn integer_shape(types: &Types, ty: TypeId) -> (bool, u32) {
    match types.kind(ty) {
        TypeKind::Int { signed, width } => (*signed, *width),
        TypeKind::Char { signed } => (*signed, 8),
        TypeKind::Bool => (false, 1),
        TypeKind::Enum(description) => integer_shape(types, description.underlying),
        TypeKind::Void
        | TypeKind::Float { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Array { .. }
        | TypeKind::Record(_)
        | TypeKind::Function { .. }
        | TypeKind::Vector { .. }
        | TypeKind::Complex { .. }
        | TypeKind::Opaque => (false, 64),
    }
}

pub fn signed(bits: u128, width: u32) -> String {
    let number = sign_extend(bits, width);
    match i64::try_from(number) {
        Err(_) => wide(bits, true),
        // The most negative numbers have no literal of their own.
        Ok(i64::MIN) => "(-9223372036854775807LL - 1)".to_string(),
        Ok(small) if small == i64::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
        Ok(small) if i32::try_from(small).is_ok() => small.to_string(),
        Ok(large) => format!("{large}LL"),
    }
}

pub fn unsigned(bits: u128, width: u32) -> String {
    let number = truncate(bits, width);
    match number {
        0..=0x7fff_ffff => number.to_string(),
        0x8000_0000..=0xffff_ffff => format!("{number}U"),
        _ if number <= u128::from(u64::MAX) => format!("{number}ULL"),
        _ => wide(number, false),
    }
}

fn wide(bits: u128, signed: bool) -> String {
    let halves = format!("(unsigned __int128){:#x}ULL << 64 | {:#x}ULL", (bits >> 64) as u64, bits as u64);
    if signed { format!("(__int128)({halves})") } else { format!("({halves})") }
}

fn character(byte: u8, signed: bool) -> String {
    match byte {
        b'\n' => "'\\n'".to_string(),
        b'\t' => "'\\t'".to_string(),
        b'\r' => "'\\r'".to_string(),
        b'\'' => "'\\''".to_string(),
        b'\\' => "'\\\\'".to_string(),
        0x20..=0x7e => format!("'{}'", char::from(byte)),
        _ if signed => (byte as i8).to_string(),
        _ => byte.to_string(),
    }
}

/// A float of `width` bits (16, 32, 64, 80 or 128) as an expression of its type.
pub fn float(bits: u128, width: u32) -> String {
    match width {
        32 => single(bits as u32),
        64 => double(bits as u64),
        // Every half and every x87 number goes through its bits: literals for them are not portable.
        16 => format!("covtest_half({:#x})", bits as u16),
        128 => format!("covtest_quad({:#x}ULL, {:#x}ULL)", bits as u64, (bits >> 64) as u64),
        _ => format!("covtest_long_double({:#x}ULL, {:#x}ULL)", bits as u64, (bits >> 64) as u64),
    }
}

fn single(bits: u32) -> String {
    let number = f32::from_bits(bits);
    if number.is_nan() {
        return format!("covtest_float({bits:#010x}U)");
    }
    if number.is_infinite() {
        return if number > 0.0 { "__builtin_inff()" } else { "-__builtin_inff()" }.to_string();
    }
    format!("{}f", finite(f64::from(number)))
}

fn double(bits: u64) -> String {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        return format!("covtest_double({bits:#018x}ULL)");
    }
    if number.is_infinite() {
        return if number > 0.0 { "__builtin_inf()" } else { "-__builtin_inf()" }.to_string();
    }
    finite(number)
}

/// Decimal where that is short and exact (a small multiple of 1/1024), hexadecimal otherwise.
fn finite(number: f64) -> String {
    let scaled = number * 1024.0;
    if number == 0.0 || (number.abs() < 16_777_216.0 && scaled == scaled.trunc()) {
        return format!("{number:?}");
    }
    let bits = number.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

/// Bytes as a C string literal.
pub fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            // `??x` may be a trigraph.
            b'?' => text.push_str("\\?"),
            0x20..=0x7e => text.push(char::from(byte)),
            // Three octal digits end by themselves; a hexadecimal escape would swallow what follows.
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

/// Whether a reader would call these bytes text: at least one printable character and no odd bytes.
pub fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| byte.is_ascii_graphic())
        && bytes.iter().all(|byte| matches!(byte, b'\n' | b'\t' | b'\r' | 0x20..=0x7e))
}

fn sign_extend(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    ((bits << shift) as i128) >> shift
}

fn truncate(bits: u128, width: u32) -> u128 {
    let shift = 128 - width.clamp(1, 128);
    bits << shift >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_at_their_limits() {
        assert_eq!(signed(0x8000_0000, 32), "(-2147483647 - 1)");
        assert_eq!(signed(1 << 63, 64), "(-9223372036854775807LL - 1)");
        assert_eq!(signed(u128::MAX, 128), "-1");
        assert_eq!(signed(0x7, 3), "-1");
        assert_eq!(unsigned(0xffff_ffff, 32), "4294967295U");
        assert_eq!(unsigned(u128::MAX, 64), "18446744073709551615ULL");
        assert_eq!(unsigned(1 << 100, 128), "((unsigned __int128)0x1000000000ULL << 64 | 0x0ULL)");
    }

    #[test]
    fn floats_are_exact() {
        let of = |number: f64| float(u128::from(number.to_bits()), 64);
        assert_eq!(of(1.5), "1.5");
        assert_eq!(of(-0.0), "-0.0");
        assert_eq!(of(0.1), "0x1.999999999999ap-4");
        assert_eq!(of(5e-324), "0x0.0000000000001p-1022");
        assert_eq!(of(1e300), "0x1.7e43c8800759cp+996");
        assert_eq!(of(f64::NEG_INFINITY), "-__builtin_inf()");
        assert_eq!(float(0x7fc0_0001, 32), "covtest_float(0x7fc00001U)");
        assert_eq!(float(1, 32), "0x1p-149f");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(string(b"a\"\\\n??="), "\"a\\\"\\\\\\n\\?\\?=\"");
        assert_eq!(string(b"\x011"), "\"\\0011\"");
        assert!(is_text(b"ab c") && !is_text(b"  ") && !is_text(b"a\x80"));
    }
}
