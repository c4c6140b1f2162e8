//! Where the LLVM 19 tools are. Everything that runs clang or loads libclang asks here, so one machine uses one version.

use covet_budget::Deadline;
use covet_launch::Output;
use std::path::{Path, PathBuf};
use std::process::Command;

/// More than any tool has to print: a preprocessed file, a module as text.
const OUTPUT: usize = 1 << 30;

/// What compilers took with a warning for decades, and clang has made errors of: old code is code, too. Compilers that do not
/// know one of them say nothing.
pub const TOLERANT_FLAGS: [&str; 5] = [
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
];

/// The LLVM installation in use.
#[derive(Clone, Debug)]
pub struct Toolchain {
    prefix: PathBuf,
    /// When its tools are stopped.
    deadline: Deadline,
}

impl Toolchain {
    /// The installation below `prefix` (which holds `bin/clang` and `lib/libclang.so`).
    pub fn at(prefix: impl Into<PathBuf>) -> Toolchain {
        Toolchain { prefix: prefix.into(), deadline: Deadline::default() }
    }

    /// When its tools are stopped; who works beside them stops then, too.
    pub fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// The same, its tools stopped at the deadline.
    pub fn until(&self, deadline: &Deadline) -> Toolchain {
        Toolchain { prefix: self.prefix.clone(), deadline: deadline.clone() }
    }

    /// Runs one of its tools to the end.
    pub fn run(&self, command: Command) -> Result<Output, covet_launch::Error> {
        covet_launch::tool(command, &self.deadline, OUTPUT)
    }

    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// The program `name` of this installation: `clang`, `llvm-link`, `llvm-cov`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// The compiler's own headers. libclang cannot find them itself when it was reached through a symbolic link.
    pub fn resource_dir(&self) -> PathBuf {
        self.prefix.join("lib/clang/19")
    }

    /// Places to look for libclang, best first.
    pub fn libclang(&self) -> Vec<PathBuf> {
        ["lib/libclang-19.so.1", "lib/libclang.so.1", "lib/libclang.so"].map(|name| self.prefix.join(name)).to_vec()
    }
}

impl Default for Toolchain {
    /// Where Debian's packages put LLVM 19.
    fn default() -> Toolchain {
        Toolchain::at("/usr/lib/llvm-19")
    }
}
