//! Compiles the warden, to be embedded in what uses this crate. It needs no library where one can do without.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets this")).join("warden");
    println!("cargo::rerun-if-changed=warden");
    println!("cargo::rerun-if-env-changed=CC");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let sources = ["warden", "become", "watch", "usage"].map(|name| format!("warden/{name}.c"));
    let build = |how: &[&str]| {
        let mut command = Command::new(&compiler);
        command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]).args(how).args(&sources).arg("-o").arg(&out);
        command.status().expect("a C compiler; set CC to one").success()
    };
    assert!(build(&["-static"]) || build(&[]), "the warden does not build");
}
