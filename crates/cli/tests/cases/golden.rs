//! The text of a stage without what differs from run to run and from machine to machine, and the file that holds it.

use std::path::Path;

/// `show path % ...` is kept in `<name>.path`.
pub fn extension(line: &str) -> &str {
    line.split_whitespace().nth(1).unwrap_or("shown")
}

/// Times become `_ ns` and addresses `0x_`, and the folder of the case goes.
pub fn redact(text: &str, file: &Path) -> String {
    let folder = format!("{}/", file.parent().unwrap().display());
    let text = text.replace(&folder, "");
    text.lines().map(|line| without_time(&without_addresses(line)) + "\n").collect()
}

/// A number of nine or more digits behind `0x` is an address.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
        kept += "0x";
        kept += if digits >= 9 { "_" } else { &part[..digits] };
        kept += &part[digits..];
    }
    kept
}

fn without_time(line: &str) -> String {
    let Some(before) = line.strip_suffix(" ns") else { return line.to_owned() };
    match before.rsplit_once(' ') {
        Some((rest, time)) if time.parse::<u64>().is_ok() => format!("{rest} _ ns"),
        Some(_) | None => line.to_owned(),
    }
}
