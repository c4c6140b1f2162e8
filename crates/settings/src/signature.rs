//! `"double(double, int)"` → the type of a function of numbers.

/// A function that does nothing but compute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub name: String,
    pub result: Scalar,
    pub parameters: Vec<Scalar>,
}

/// A number as it is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Float { width: u16 },
    Integer { width: u16, signed: bool },
}

/// Arguments that a term has room for.
pub const MOST_PARAMETERS: usize = 3;

impl Signature {
    pub(crate) fn parse(name: &str, text: &str) -> Result<Signature, String> {
        let shape = "write it like \"double(double, int)\"";
        let (result, rest) = text.split_once('(').ok_or_else(|| format!("no type of a function; {shape}"))?;
        let list = rest.trim_end().strip_suffix(')').ok_or_else(|| format!("`)` is missing at the end; {shape}"))?;
        let parameters = list.split(',').map(Scalar::parse).collect::<Result<Vec<Scalar>, String>>()?;
        if parameters.len() > MOST_PARAMETERS {
            return Err(format!("it has {} parameters; at most {MOST_PARAMETERS} can be a term", parameters.len()));
        }
        let result = Scalar::parse(result)?;
        let is_wide = |scalar: &Scalar| matches!(scalar, Scalar::Integer { width, .. } if *width > 32);
        if is_wide(&result) || parameters.iter().any(is_wide) {
            return Err("integers of a term have at most 32 bits".to_owned());
        }
        Ok(Signature { name: name.to_owned(), result, parameters })
    }
}

impl Scalar {
    fn parse(text: &str) -> Result<Scalar, String> {
        let integer = |width, signed| Ok(Scalar::Integer { width, signed });
        let mut words: Vec<&str> =
            text.split_whitespace().filter(|word| !matches!(*word, "const" | "signed")).collect();
        let is_unsigned = words.contains(&"unsigned");
        words.retain(|word| *word != "unsigned");
        if words.len() > 1 {
            // `long int` is `long`.
            words.retain(|word| *word != "int");
        }
        match (words.as_slice(), is_unsigned) {
            (["double"], false) => Ok(Scalar::Float { width: 64 }),
            (["float"], false) => Ok(Scalar::Float { width: 32 }),
            (["char"], unsigned) => integer(8, !unsigned),
            (["short"], unsigned) => integer(16, !unsigned),
            (["int"] | [], unsigned) if !text.trim().is_empty() => integer(32, !unsigned),
            (["long"] | ["long", "long"], unsigned) => integer(64, !unsigned),
            (["int8_t"], false) => integer(8, true),
            (["int16_t"], false) => integer(16, true),
            (["int32_t"], false) => integer(32, true),
            (["int64_t" | "ptrdiff_t" | "ssize_t" | "intptr_t"], false) => integer(64, true),
            (["uint8_t"], false) => integer(8, false),
            (["uint16_t"], false) => integer(16, false),
            (["uint32_t"], false) => integer(32, false),
            (["uint64_t" | "size_t" | "uintptr_t"], false) => integer(64, false),
            _ => Err(format!("`{}` is not a type of numbers: use float, double or an integer type", text.trim())),
        }
    }

    /// The C type of this shape.
    pub fn spelled(self) -> &'static str {
        match self {
            Scalar::Float { width: 32 } => "float",
            Scalar::Float { .. } => "double",
            Scalar::Integer { width: 8, signed: true } => "signed char",
            Scalar::Integer { width: 8, signed: false } => "unsigned char",
            Scalar::Integer { width: 16, signed: true } => "short",
            Scalar::Integer { width: 16, signed: false } => "unsigned short",
            Scalar::Integer { width: 32, signed: true } => "int",
            Scalar::Integer { width: 32, signed: false } => "unsigned",
            Scalar::Integer { signed: true, .. } => "long",
            Scalar::Integer { signed: false, .. } => "unsigned long",
        }
    }

    pub fn width(self) -> u16 {
        match self {
            Scalar::Float { width } | Scalar::Integer { width, .. } => width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_and_refused_with_a_reason() {
        let of = |text: &str| Signature::parse("f", text);
        let signed = |width| Scalar::Integer { width, signed: true };
        let parsed = of("double (float, unsigned short int,int)").unwrap();
        assert_eq!(parsed.result, Scalar::Float { width: 64 });
        let expected = [Scalar::Float { width: 32 }, Scalar::Integer { width: 16, signed: false }, signed(32)];
        assert_eq!(parsed.parameters, expected);
        assert_eq!(of("unsigned(unsigned)").unwrap().result, Scalar::Integer { width: 32, signed: false });
        for (text, reason) in [
            ("double", "no type of a function"),
            ("int(int", "`)` is missing"),
            ("int(char *)", "`char *` is not a type"),
            ("int()", "`` is not"),
            ("int(int,int,int,int)", "4 parameters"),
            ("int(size_t)", "at most 32 bits"),
        ] {
            assert!(of(text).unwrap_err().contains(reason), "{text}: {:?}", of(text));
        }
    }
}
