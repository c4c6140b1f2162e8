//! Lets the binary find the SMT library: the solver's crate says where it is.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Ok(arguments) = std::env::var("DEP_COVET_Z3_RPATH") {
        for argument in arguments.lines() {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
}
