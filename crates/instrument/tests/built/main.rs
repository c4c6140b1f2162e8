//! Small C programs, instrumented: what the site map says of them, and what they do.

mod common;
mod decisions;
mod ids;
mod llvm_cov;
mod logs;
mod random;
mod stubs;
mod vectors;
