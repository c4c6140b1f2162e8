//! Values of options as people write them.

/// Thirty years.
const MOST_SECONDS: f64 = 1e9;

pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MOST_SECONDS => Ok(seconds),
        Ok(_) | Err(_) => Err(format!("expected a number of seconds above 0, at most {MOST_SECONDS}")),
    }
}

/// Symbolic bytes in one place. Every one is a variable of each run.
const MOST_SYMBOLIC_BYTES: u64 = 1 << 16;

pub fn symbolic_bytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(size) if size <= MOST_SYMBOLIC_BYTES => Ok(size),
        Ok(size) => Err(format!("{size} symbolic bytes are too many; up to {MOST_SYMBOLIC_BYTES} are followed")),
        Err(_) => Err(format!("{text:?} is not a number of bytes")),
    }
}

pub fn named_size(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text.rsplit_once(':').ok_or("expected NAME:N, for example config.ini:16")?;
    let size = symbolic_bytes(size)?;
    if name.is_empty() {
        Err("the file needs a name, for example config.ini:16".into())
    } else {
        Ok((name.to_string(), size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_a_name_and_a_size() {
        assert_eq!(named_size("a:b:16"), Ok(("a:b".to_string(), 16)));
        assert!(named_size("config.ini").is_err() && named_size(":4").is_err() && named_size("a:x").is_err());
        assert!(named_size("a:65537").is_err() && symbolic_bytes("4294967296").is_err() && symbolic_bytes("0").is_ok());
        assert!(
            positive_seconds("1e300").is_err() && positive_seconds("nan").is_err() && positive_seconds("0.5").is_ok()
        );
    }
}
