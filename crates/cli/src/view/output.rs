//! Text for people and scripts → standard output and standard error, which may be closed or full: neither ends the command before its
//! results are written, and what standard output did not take is told at the end.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;
use std::sync::PoisonError;

/// A line for standard output.
macro_rules! say {
    () => { $crate::view::output::say(format_args!("\n")) };
    ($($text:tt)*) => { $crate::view::output::say(format_args!("{}\n", format_args!($($text)*))) };
}

/// Text for standard output as it is.
macro_rules! say_part {
    ($($text:tt)*) => { $crate::view::output::say(format_args!($($text)*)) };
}

/// A line for standard error.
macro_rules! tell {
    ($($text:tt)*) => { $crate::view::output::tell(format_args!($($text)*)) };
}

/// Why standard output takes no more.
static BROKEN: Mutex<Option<std::io::Error>> = Mutex::new(None);

pub fn say(text: Arguments<'_>) {
    let mut broken = BROKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if broken.is_some() {
        return;
    }
    let mut output = std::io::stdout().lock();
    *broken = output.write_fmt(text).and_then(|()| output.flush()).err();
}

/// Whoever does not listen to standard error misses what is told there, and no more.
pub fn tell(text: Arguments<'_>) {
    let mut output = std::io::stderr().lock();
    let _ = output.write_fmt(text).and_then(|()| output.write_all(b"\n"));
}

/// Why not all was written, unless the reader just did not want to read on (`covet ... | head`).
pub fn failure() -> Option<String> {
    let broken = BROKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let told = broken.as_ref().filter(|error| error.kind() != ErrorKind::BrokenPipe);
    told.map(|error| format!("standard output: {error}; the results themselves are written"))
}
