//! Options of LLVM's code generator that its interface has no function for.

use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use std::sync::Once;

/// Ends of blocks that are the same stay apart: joined, they have the line of one of them or none, and a call stack names lines.
pub const CODE_OPTIONS: [&std::ffi::CStr; 1] = [c"-enable-tail-merge=0"];

/// Sets the options, for the whole process.
pub fn set_code_options() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let arguments: Vec<_> = std::iter::once(c"covet").chain(CODE_OPTIONS).map(|text| text.as_ptr()).collect();
        // SAFETY: texts that end in NUL and live as long as the process; called once, before any code is generated.
        unsafe { LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), std::ptr::null()) };
    });
}
