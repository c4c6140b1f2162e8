//! A program that dies before anything is entered → an alarm at the constructor that did it.

use crate::alarms;
use covet_project::{Entry, Prepared};
use covet_results::{Alarm, AlarmKind};
use covet_source::Function;
use covet_suite::NativeEnd;

/// The alarm of a program that a signal ends before `main`; none when the signal came from elsewhere.
pub fn alarm(prepared: &Prepared, entry: Entry<'_>, signal: i32) -> Option<Alarm> {
    let is_fault =
        matches!(signal, libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGTRAP | libc::SIGABRT);
    let kind: AlarmKind = alarms::native_kind(&NativeEnd::Died(signal)).filter(|_| is_fault)?;
    let functions = || prepared.program.units.iter().flat_map(|unit| &unit.model.functions);
    // Only the signal is known. One constructor is the one; of several the first is named, and all may be meant.
    let place = functions().find(|function| function.has_body && is_constructor(function)).unwrap_or(entry.function);
    Some(Alarm {
        function: place.name.clone(),
        file: place.file.to_string_lossy().into_owned(),
        line: place.line,
        ..Alarm::new(kind)
    })
}

/// Whether its text says that it is run before `main`, on its first line or the two above.
fn is_constructor(function: &Function) -> bool {
    let Ok(text) = std::fs::read(&function.file) else { return false };
    let last = function.line as usize;
    let lines = text.split(|byte| *byte == b'\n').take(last).skip(last.saturating_sub(3));
    lines.into_iter().any(|line| String::from_utf8_lossy(line).contains("constructor"))
}
