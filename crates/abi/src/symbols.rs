//! Names that meet in the linker: what `compile` writes into C, `instrument` looks for and makes, and the runtime defines or calls.
//!
//! Invariant: every name of ours begins with [`OURS`], and no program has names that do.

/// All our names begin with this: functions, variables, and the parameters of functions that we write.
pub const OURS: &str = "__covet_";

/// The user's `main`; the real one is the runtime's.
pub const USER_MAIN: &str = "__covet_user_main";
/// The tables of [`crate::sites::Program`].
pub const PROGRAM: &str = "__covet_program";
/// Writes the addresses of this thread's copies of thread-local variables into those tables.
pub const PLACE_THREAD_LOCALS: &str = "__covet_place_thread_locals";
/// Lets the library models let go of what a run has opened.
pub const END_RUN: &str = "__covet_end_run";
/// Asks the library models whether an allocation fails.
pub const REFUSED: &str = "__covet_refused";

/// A library function that the models or the runtime stand in for is called this and its own name.
pub const LIBRARY: &str = "__covet_libc_";

/// What only the program itself sees, while its parts are compiled apart: this and its own name. The dot keeps it out of C.
pub const OWN: &str = "__covet_own.";

/// Drivers: this, the number of the unit, `_`, and the name of the function.
pub const DRIVER: &str = "__covet_driver_";
/// Tables of a function with a stub beside it: this, the number of the unit, `_`, and the number of the stub ([`stub_number`]).
pub const REPLACED: &str = "__covet_replaced_";

/// The number of the stub that a table is about; none when it is no such table.
pub fn stub_number(table: &str) -> Option<u32> {
    let (_, number) = table.strip_prefix(REPLACED)?.split_once('_')?;
    number.parse().ok()
}

/// Variables that instrumented code and the runtime share; see [`crate::hooks`].
pub const ARGUMENTS: &str = "__covet_args";
pub const ARGUMENTS_FOR: &str = "__covet_args_for";
pub const RESULTS: &str = "__covet_ret";
pub const LOGS: &str = "__covet_logs";
pub const OBJECTS: &str = "__covet_objects";
pub const OBJECT_TOP: &str = "__covet_object_top";

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::format;

    #[test]
    fn stubs_are_numbered_in_the_names_of_their_tables() {
        for number in [0, 7, u32::MAX] {
            assert_eq!(stub_number(&format!("{REPLACED}3_{number}")), Some(number));
        }
        assert_eq!((stub_number("__covet_replaced_3"), stub_number("g"), stub_number(DRIVER)), (None, None, None));
    }

    #[test]
    fn all_are_ours() {
        let all = [USER_MAIN, PROGRAM, PLACE_THREAD_LOCALS, END_RUN, REFUSED, LIBRARY, OWN, DRIVER, REPLACED];
        let variables = [ARGUMENTS, ARGUMENTS_FOR, RESULTS, LOGS, OBJECTS, OBJECT_TOP];
        assert!(all.iter().chain(&variables).all(|name| name.starts_with(OURS)));
    }
}
