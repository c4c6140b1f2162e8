//! The written suite becomes official numbers: the C tests are built with clang's own coverage, run, and read by llvm-cov.

use covet_coverage::official::{Official, Request, measure};
use covet_launch::Bounds;
use covet_project::{Compiled, Failure};
use covet_suite::ctest::{Flavour, TestProgram};
use std::path::Path;
use std::time::Duration;

/// Longest time one test program may take over all of its tests.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Coverage of the user's functions under all tests of `programs`, which lie in `folder`.
pub fn measure_suite(compiled: &Compiled, programs: &[TestProgram], folder: &Path) -> Result<Official, Failure> {
    let scratch = tempfile::tempdir().map_err(Failure::tool)?;
    let clang = compiled.config.toolchain.program("clang");
    let mut executables = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let executable = scratch.path().join(format!("tests-{number}"));
        program.build.make(&clang, Flavour::Coverage, &executable).map_err(Failure::tool)?;
        executables.push(executable);
    }
    let request = Request {
        toolchain: &compiled.config.toolchain,
        executables: &executables,
        scratch: scratch.path(),
        exclude: folder,
        time_limit: TIME_LIMIT,
        bounds: &Bounds::default(),
    };
    measure(&request).map_err(Failure::tool)
}
