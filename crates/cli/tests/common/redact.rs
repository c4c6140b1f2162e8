//! What Covet prints, without what differs from run to run and from machine to machine: times become `_`, long addresses `0x_`, and the folder goes.

use std::path::Path;

pub fn redact(text: &str, folder: &Path) -> String {
    let folder = format!("{}/", folder.display());
    let text = text.replace(&folder, "");
    text.lines().map(|line| without_times(&without_addresses(line)) + "\n").collect()
}

/// A number before a unit of time.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit =
        |word: Option<&&str>| word.is_some_and(|word| ["ns", "s"].contains(&word.trim_end_matches([')', ',', ';'])));
    let kept = words.iter().enumerate().map(|(at, word)| {
        let number = word.trim_start_matches('(');
        let is_time = is_unit(words.get(at + 1)) && number.parse::<f64>().is_ok();
        if is_time { word.replace(number, "_") } else { (*word).to_owned() }
    });
    kept.collect::<Vec<_>>().join(" ")
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
