//! Makes the SMT library findable at run time, wherever the checkout lies.
//!
//! Nothing absolute is committed: the folder comes from `Z3_LIBRARY_PATH_OVERRIDE`, which `.cargo/config.toml` gives relative
//! to the checkout. Three ways lead to the library:
//! - this package's own tests and examples get an rpath;
//! - a link in `OUT_DIR` is a search path of the target folder, which `cargo test` and `cargo run` put on the loader's path
//!   for every package that depends on this one;
//! - `DEP_COVET_Z3_RPATH` holds the linker arguments, one per line, for the build script of a package with a binary.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let Some(folder) = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from) else {
        println!("cargo:warning=Z3_LIBRARY_PATH_OVERRIDE is not set: libz3 must be on the system's library path");
        return;
    };
    let folder = folder.canonicalize().unwrap_or(folder);
    // Beside an installed binary first, then in the checkout around the usual target folder, then where it was built.
    let rpath = format!("-Wl,-rpath,$ORIGIN/../lib:$ORIGIN/../../.deps/z3/lib:{}", folder.display());
    println!("cargo:rustc-link-arg={rpath}");
    println!("cargo:rpath={rpath}");
    if let Some(out) = env::var_os("OUT_DIR") {
        link_into(&folder, Path::new(&out));
    }
}

/// Links every `libz3.so*` of `folder` into `out` and makes `out` a search path.
fn link_into(folder: &Path, out: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        println!("cargo:warning={} cannot be read: run `make deps`", folder.display());
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with("libz3.so") {
            continue;
        }
        let link = out.join(&name);
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        if let Err(error) = std::os::unix::fs::symlink(entry.path(), &link) {
            println!("cargo:warning=cannot link {}: {error}", link.display());
        }
    }
    println!("cargo:rustc-link-search=native={}", out.display());
}
