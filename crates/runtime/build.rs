//! Compiles the C side of the runtime: leaving a run, stack frames, `main`.
//!
//! Invariant: plain C without hardening (a jump between stacks is what `_FORTIFY_SOURCE` forbids), with frame pointers.

fn main() {
    let files = ["src/worker/guard.c", "src/worker/main.c", "src/libc/process.c"];
    for file in files {
        println!("cargo::rerun-if-changed={file}");
    }
    cc::Build::new()
        .files(files)
        .opt_level(2)
        .define("_FORTIFY_SOURCE", "0")
        .flag("-fno-omit-frame-pointer")
        .flag("-fno-stack-protector")
        .flag("-fPIC")
        .flag_if_supported("-fno-optimize-sibling-calls")
        .warnings(true)
        .compile("covet_runtime_c");
}
