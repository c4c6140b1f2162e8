//! A failure is told to the user, and becomes the exit code that says so.

pub use covet_project::Failure;
use std::process::ExitCode;

pub const FOUND: u8 = 1;
pub const WRONG_INPUT: u8 = 2;
pub const TOOL_FAILED: u8 = 3;
pub const INTERRUPTED: u8 = 130;

/// The same, of a command that may have been interrupted.
pub fn report_of(failure: &Failure, is_interrupted: bool) -> ExitCode {
    match failure {
        // What was interrupted fails in many ways, and none of them matters.
        _ if is_interrupted => {
            tell!("interrupted: nothing was written");
            ExitCode::from(INTERRUPTED)
        }
        Failure::User(_) | Failure::Tool(_) | Failure::Machine(_) | Failure::Cut(_) => report(failure),
    }
}

/// Tells the user, on standard error.
pub fn report(failure: &Failure) -> ExitCode {
    match failure {
        Failure::User(message) => {
            // Compiler messages speak for themselves.
            let prefix = if message.contains("error:") { "" } else { "error: " };
            tell!("{prefix}{}", message.trim_end());
            ExitCode::from(WRONG_INPUT)
        }
        Failure::Cut(message) => {
            tell!("error: {}; earlier results are as they were", message.trim_end());
            ExitCode::from(WRONG_INPUT)
        }
        Failure::Machine(message) => {
            tell!("error: {}", message.trim_end());
            ExitCode::from(TOOL_FAILED)
        }
        Failure::Tool(message) => {
            tell!("covet failed: {}", message.trim_end());
            tell!("If this looks like a bug, please report it with the command line and the source file.");
            ExitCode::from(TOOL_FAILED)
        }
    }
}
