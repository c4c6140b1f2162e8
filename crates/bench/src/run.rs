//! A command of the machine → done, or an error with its last words.

use crate::Error;
use std::process::{Command, Stdio};

/// Lines of what a failed command said that are told.
const LAST: usize = 10;

pub fn succeed(command: &mut Command) -> Result<(), Error> {
    said(command).map(drop)
}

/// What a command that succeeded wrote on its standard output.
pub fn said(command: &mut Command) -> Result<String, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|reason| Error::Missing { program, reason })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let all = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&all);
    let last: Vec<&str> = text.lines().rev().take(LAST).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Err(Error::Unexpected(format!("{command:?} failed:\n{}", last.join("\n"))))
}
