//! Builds the runtime as a static library, optimised whatever the profile of this build, to be embedded in `covet`; and what LLVM does only
//! for C++.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    runtime();
    parts();
}

/// The headers are those of the LLVM that `llvm-sys` links.
fn parts() {
    println!("cargo::rerun-if-changed=cpp");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let mut build = cc::Build::new();
    build.cpp(true).file("cpp/part.cpp").std("c++17").opt_level(2).flag("-isystem").flag(format!("{prefix}/include"));
    build.flags(["-fno-exceptions", "-fno-rtti"]).compile("covet_parts");
}

fn runtime() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets this"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets this"));
    let runtime = here.join("../runtime");
    for watched in ["src", "Cargo.toml", "build.rs", "../abi/src"] {
        println!("cargo::rerun-if-changed={}", runtime.join(watched).display());
    }
    let target = out.join("runtime");
    let status = Command::new(env::var_os("CARGO").expect("cargo sets this"))
        .args(["rustc", "--release", "--quiet", "--crate-type", "staticlib", "--features", "standalone"])
        .arg("--manifest-path")
        .arg(runtime.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        // A violated check is told with its call stack.
        .env("RUSTFLAGS", "-Cforce-frame-pointers=yes")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "the runtime does not build; run `cargo build -p covet-runtime` to see why");
    let archive = target.join("release/libcovet_runtime.a");
    println!("cargo::rustc-env=COVET_RUNTIME={}", archive.display());
}
