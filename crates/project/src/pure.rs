//! Functions of libraries that the settings declare to be pure → terms: a small library of ours that calls each with doubles, loaded
//! into this process.
//!
//! ```text
//! double __covet_pure_0(double a0, double a1) { return (double)mix((unsigned)a0, (float)a1); }
//! ```
//!
//! So evaluation calls the very function that the program calls.

use crate::{Compiled, Failure};
use covet_expr::library::{Declared, Library, Native};
use covet_settings::{Said, Settings, Signature};
use libloading::Library as Loaded;
use std::process::Command;
use tempfile::TempDir;

/// The library of ours, in a folder of its own.
const FILE: &str = "pure.so";

/// The declared functions that the program calls, in the order of their numbers, and the library in which evaluation finds them.
pub fn load(compiled: &Compiled, settings: &Settings) -> Result<(Vec<Signature>, Library), Failure> {
    let mut used = Vec::new();
    for said in &settings.pure {
        if is_called(compiled, said)? {
            used.push(said.value.clone());
        }
    }
    if used.is_empty() {
        return Ok((used, Library::default()));
    }
    let folder = build(compiled, &used)?;
    // SAFETY: loading runs what the user's libraries do when they are loaded, as the program under test does.
    let loaded = unsafe { Loaded::new(folder.path().join(FILE)) }.map_err(Failure::user)?;
    let declared = used.iter().enumerate().map(|(number, signature)| {
        let native = native(&loaded, number, signature.parameters.len()).map_err(Failure::tool)?;
        Ok(Declared { name: signature.name.clone(), prototype: prototype(signature), native })
    });
    let declared = declared.collect::<Result<Vec<_>, Failure>>()?;
    // SAFETY: the user says that these functions do nothing but compute; their code goes with the library.
    let library = unsafe { Library::new(declared, Box::new(loaded)) };
    Ok((used, library))
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

fn native(loaded: &Loaded, number: usize, parameters: usize) -> Result<Native, libloading::Error> {
    let name = format!("__covet_pure_{number}");
    // SAFETY: we wrote these functions, with these types.
    unsafe {
        Ok(match parameters {
            1 => Native::One64(*loaded.get(name.as_bytes())?),
            2 => Native::Two64(*loaded.get(name.as_bytes())?),
            _ => Native::Three64(*loaded.get(name.as_bytes())?),
        })
    }
}

/// `unsigned mix(unsigned, float)`.
fn prototype(Signature { name, result, parameters }: &Signature) -> String {
    let types: Vec<&str> = parameters.iter().map(|parameter| parameter.spelled()).collect();
    format!("{} {name}({})", result.spelled(), types.join(", "))
}

fn text(signatures: &[Signature]) -> String {
    let mut text = String::new();
    for (number, signature) in signatures.iter().enumerate() {
        let Signature { name, parameters, .. } = signature;
        let types: Vec<&str> = parameters.iter().map(|parameter| parameter.spelled()).collect();
        let taken: Vec<String> = (0..types.len()).map(|at| format!("double a{at}")).collect();
        let passed: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("({ty})a{at}")).collect();
        text += &format!("{};\n", prototype(signature));
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
    command.args(&compiled.project.link_flags).arg("-lm");
    let output = compiled.config.toolchain.run(command);
    let output = output.map_err(|error| Failure::Machine(format!("{error}; run `make deps` or install clang-19")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::User(format!("error: the functions declared pure do not link:\n{stderr}")));
    }
    // Libraries may change without us: made anew each time. What is loaded stays when its file is gone.
    Ok(folder)
}
