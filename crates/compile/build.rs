//! Compiles the library models that come with Covet into one module, to be embedded with the names of its symbols: compiling them takes a
//! second or two, which nobody wants to wait for at the start of a command.

#[path = "src/bitcode.rs"]
mod bitcode;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/bitcode.rs");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = env::var_os("LLVM_SYS_191_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-19".into());
    let tools = Path::new(&prefix).join("bin");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets this"));
    let folder = out.join("models");
    for (name, text) in covet_models::HEADERS.iter().chain(covet_models::SOURCES) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("OUT_DIR can be written to");
        std::fs::write(&path, text).expect("OUT_DIR can be written to");
    }
    let mut modules = Vec::new();
    for (name, _) in covet_models::SOURCES {
        let module = format!("{name}.bc");
        let mut command = Command::new(tools.join("clang"));
        // Their loops must not become calls of the functions they stand for. Names of folders stay here.
        command.args(bitcode::FLAGS).args(bitcode::UNFORTIFIED).args(["-fno-builtin", "-ffile-compilation-dir=models"]);
        run(command.args(["-I.", *name, "-o", &module]), &folder);
        modules.push(module);
    }
    let whole = out.join("models.bc");
    run(Command::new(tools.join("llvm-link")).args(&modules).arg("-o").arg(&whole), &folder);
    let symbols = run(Command::new(tools.join("llvm-nm")).arg("--extern-only").arg(&whole), &folder);
    std::fs::write(out.join("models.txt"), symbols).expect("OUT_DIR can be written to");
}

/// What it prints. A compile error here is a bug of ours.
fn run(command: &mut Command, folder: &Path) -> Vec<u8> {
    let output = command.current_dir(folder).output().expect("LLVM 19; run `make deps`");
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
