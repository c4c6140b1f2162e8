//! Functions of libraries that the settings declare to be pure → terms: a small library of ours that calls each with doubles, loaded
//! into this process.
//!
//! ```text
//! double __covet_pure_0(double a0, double a1) { return (double)mix((unsigned)a0, (float)a1); }
//! ```
//!
//! So evaluation calls the very function that the program calls.

use crate::{Compiled, Failure};
use covet_expr::library::{Native, declare};
use covet_settings::{Said, Settings, Signature};
use libloading::Library;
use std::process::Command;
use tempfile::TempDir;

/// The library of ours, in a folder of its own.
const FILE: &str = "pure.so";

/// Makes the declared functions that the program calls known to evaluation; gives them in the order of their numbers.
pub fn load(compiled: &Compiled, settings: &Settings) -> Result<Vec<Signature>, Failure> {
    let mut used = Vec::new();
    for said in &settings.pure {
        if is_called(compiled, said)? {
            used.push(said.value.clone());
        }
    }
    if used.is_empty() {
        return Ok(used);
    }
    let folder = build(compiled, &used)?;
    let file = folder.path().join(FILE);
    // SAFETY: the user says that these functions do nothing but compute; their library stays for good.
    let library = Box::leak(Box::new(unsafe { Library::new(&file) }.map_err(Failure::user)?));
    let natives = used.iter().enumerate().map(|(number, signature)| {
        let native = native(library, number, signature.parameters.len()).map_err(Failure::tool)?;
        Ok((signature.name.clone(), native))
    });
    declare(natives.collect::<Result<Vec<_>, Failure>>()?);
    Ok(used)
}

/// Whether the program calls the function; it must be a library's.
fn is_called(compiled: &Compiled, said: &Said<Signature>) -> Result<bool, Failure> {
    let (name, origin) = (&said.value.name, &said.origin);
    let program = &compiled.program;
    let of_name = |unit: &covet_compile::CompiledUnit| unit.model.function(name).is_some_and(|f| f.has_body);
    if program.units.iter().any(of_name) {
        return Err(Failure::User(format!(
            "{origin}: error: `{name}` has a body here, which is followed; only functions of libraries are declared pure"
        )));
    }
    if program.stubs.iter().any(|stub| stub.name == *name) {
        return Err(Failure::User(format!(
            "{origin}: error: no library that is linked has `{name}`; name it in `flags`, for example \"-lm\""
        )));
    }
    Ok(program.undefined.contains(name))
}

fn native(library: &'static Library, number: usize, parameters: usize) -> Result<Native, libloading::Error> {
    let name = format!("__covet_pure_{number}");
    // SAFETY: we wrote these functions, with these types.
    unsafe {
        Ok(match parameters {
            1 => Native::One64(*library.get(name.as_bytes())?),
            2 => Native::Two64(*library.get(name.as_bytes())?),
            _ => Native::Three64(*library.get(name.as_bytes())?),
        })
    }
}

fn text(signatures: &[Signature]) -> String {
    let mut text = String::new();
    for (number, Signature { name, result, parameters }) in signatures.iter().enumerate() {
        let types: Vec<&str> = parameters.iter().map(|parameter| parameter.spelled()).collect();
        let taken: Vec<String> = (0..types.len()).map(|at| format!("double a{at}")).collect();
        let passed: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("({ty})a{at}")).collect();
        text += &format!("{} {name}({});\n", result.spelled(), types.join(", "));
        text += &format!(
            "double __covet_pure_{number}({}) {{ return (double){name}({}); }}\n",
            taken.join(", "),
            passed.join(", ")
        );
    }
    text
}

fn build(compiled: &Compiled, signatures: &[Signature]) -> Result<TempDir, Failure> {
    let cache = compiled.config.cache.join("pure");
    std::fs::create_dir_all(&cache).map_err(Failure::file(&cache))?;
    let folder = tempfile::tempdir_in(&cache).map_err(Failure::file(&cache))?;
    let (source, made) = (folder.path().join("pure.c"), folder.path().join(FILE));
    std::fs::write(&source, text(signatures)).map_err(Failure::file(&source))?;
    let clang = compiled.config.toolchain.program("clang");
    let mut command = Command::new(&clang);
    command
        .args(["-w", "-O1", "-fno-builtin", "-shared", "-fPIC", "-Wl,--no-undefined"])
        .arg(&source)
        .arg("-o")
        .arg(&made);
    let output = command.args(&compiled.project.link_flags).arg("-lm").output();
    let output = output.map_err(|error| Failure::Tool(format!("{}: {error}; run `make deps`", clang.display())))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::User(format!("error: the functions declared pure do not link:\n{stderr}")));
    }
    // Libraries may change without us: made anew each time. What is loaded stays when its file is gone.
    Ok(folder)
}
