//! Random C programs without undefined behaviour, from csmith.

use crate::Error;
use std::path::Path;
use std::process::Command;

/// Where Debian's `libcsmith-dev` puts the header that the programs include.
pub const INCLUDE: &str = "-I/usr/include/csmith";

/// Writes the program of `seed` to `file`. The seed also chooses what the program may contain.
pub fn write(seed: u64, file: &Path) -> Result<(), Error> {
    let flavours: &[&[&str]] = &[&[], &["--float"], &["--packed-struct"], &["--builtins"], &["--inline-function"]];
    let flavour = flavours[(seed % flavours.len() as u64) as usize];
    let output = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--max-funcs", "6", "--output"])
        .arg(file)
        .args(flavour)
        // It leaves a file about the platform where it is started.
        .current_dir(file.parent().unwrap_or(Path::new(".")))
        .output()
        .map_err(|reason| Error::Missing { program: "csmith".to_owned(), reason })?;
    if output.status.success() {
        Ok(())
    } else {
        Err(Error::Unexpected(format!("csmith fails on seed {seed}: {}", String::from_utf8_lossy(&output.stdout))))
    }
}
