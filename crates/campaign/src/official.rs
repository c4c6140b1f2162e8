//! The written suite becomes official numbers: the C tests are built with clang's own coverage, run, and read by llvm-cov.

use covet_coverage::official::{Lost, Official, Request, measure};
use covet_launch::{Bounds, together};
use covet_project::{Compiled, Failure};
use covet_scratch::Scratch;
use covet_suite::ctest::{Build, BuildError, Flavour, TestProgram, make_shared};
use std::path::Path;
use std::time::Duration;

/// Longest time one test program may take over all of its tests.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The part of the time that building may take.
const BUILDING: f64 = 0.6;

/// Coverage of the user's functions under all tests of `programs`, which lie in `folder`; so many are built and run at a time.
pub fn measure_suite(
    compiled: &Compiled,
    programs: &[TestProgram],
    folder: &Path,
    bounds: &Bounds,
    threads: usize,
) -> Result<Official, Failure> {
    let scratch = Scratch::new().map_err(Failure::machine)?;
    let clang = compiled.config.toolchain.program("clang");
    let (mut executables, mut lost) = (Vec::new(), Vec::new());
    let building = bounds.deadline.part(BUILDING);
    let builds: Vec<&Build> = programs.iter().map(|program| &program.build).collect();
    make_shared(&builds, &clang, Flavour::Coverage, scratch.path(), threads, &building);
    let built = together(threads, programs, |number, program| {
        let executable = scratch.path().join(format!("tests-{number}"));
        program.build.make(&clang, Flavour::Coverage, &executable, scratch.path(), &building).map(|()| executable)
    });
    for (program, built) in programs.iter().zip(built) {
        match built {
            Ok(executable) => executables.push(executable),
            Err(error @ BuildError::Cut { .. }) => {
                lost.push(Lost { executable: program.name.clone().into(), reason: error.to_string() });
            }
            Err(error @ (BuildError::NoCompiler { .. } | BuildError::Write { .. } | BuildError::Failed { .. })) => {
                return Err(Failure::tool(error));
            }
        }
    }
    if let (true, Some(first)) = (executables.is_empty(), lost.first()) {
        return Err(Failure::Cut(first.reason.clone()));
    }
    let request = Request {
        toolchain: &compiled.config.toolchain,
        executables: &executables,
        scratch: scratch.path(),
        exclude: folder,
        time_limit: TIME_LIMIT,
        threads,
        bounds,
    };
    let mut measured = measure(&request).map_err(Failure::tool)?;
    measured.lost.extend(lost);
    Ok(measured)
}
