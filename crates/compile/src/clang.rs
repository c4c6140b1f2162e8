//! Running clang: the flags all units are compiled with, and cached compilation of one unit.
//!
//! A compilation is named by the preprocessed text, the text appended to it, the flags and the compiler's version: whatever could
//! change its result.

use covet_launch::Output;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use covet_cache::{Cache, Key};
use covet_source::{Toolchain, Translation};

use crate::{Config, Error, bitcode};

/// The tools with their cache, opened once per build.
pub struct Tools<'a> {
    pub config: &'a Config,
    pub cache: Cache,
    /// The headers that come with Covet, as a folder.
    pub include: PathBuf,
    /// Tells one compiler from another without starting it.
    version: String,
}

impl<'a> Tools<'a> {
    pub fn open(config: &'a Config) -> Result<Tools<'a>, Error> {
        let cache = Cache::open(&config.cache)?;
        let headers: Vec<(&str, &[u8])> =
            config.headers.iter().map(|header| (header.name.as_str(), header.text.as_bytes())).collect();
        let include = cache.files("include", &headers)?;
        let version = identity(&config.toolchain.program("clang"))?;
        Ok(Tools { config, cache, include, version })
    }

    /// A key that changes with the compiler.
    pub fn key(&self, purpose: &str) -> Key {
        Key::new(purpose).with(self.version.as_bytes())
    }

    /// `unit` with the flags every compilation has: Covet's headers last, no fortified libc functions, tolerance for old code.
    pub fn with_common_flags(&self, unit: &Translation) -> Translation {
        let mut unit = unit.clone();
        let include = format!("-I{}", self.include.display());
        unit.flags.splice(0..0, covet_source::TOLERANT_FLAGS.map(str::to_owned));
        unit.flags.push(include);
        unit.flags.extend(bitcode::UNFORTIFIED.map(str::to_owned));
        unit
    }

    /// Compiles `unit` (whose flags are complete) with `mode` flags to a cached file.
    pub fn compile(&self, unit: &Translation, mode: &[&str], extension: &str) -> Result<PathBuf, Error> {
        self.compile_extended(unit, mode, extension, &self.preprocess(unit)?, None)
    }

    /// As [`Tools::compile`], for a unit already preprocessed; `appended` is a file to be included after its last line.
    pub fn compile_extended(
        &self,
        unit: &Translation,
        mode: &[&str],
        extension: &str,
        preprocessed: &[u8],
        appended: Option<&Path>,
    ) -> Result<PathBuf, Error> {
        let appended_name = appended.map(|path| path.as_os_str().as_encoded_bytes()).unwrap_or_default();
        let key = self
            .key(extension)
            .with(unit.directory.as_os_str().as_encoded_bytes())
            .with(unit.file.as_os_str().as_encoded_bytes())
            .with(preprocessed)
            .with(appended_name)
            .with_all(mode)
            .with(b"flags")
            .with_all(&unit.flags);
        self.cache.file(&key, extension, |out| {
            let mut command = self.clang(unit);
            if let Some(appended) = appended {
                command.arg("-ivfsoverlay").arg(self.overlay(unit, appended)?);
                command.args(["-fno-caret-diagnostics", "-ferror-limit=0"]);
            }
            command.args(mode).args(&unit.flags).args(unit.language()).arg(&unit.file).arg("-o").arg(out);
            tracing::debug!(file = %unit.file.display(), flags = ?unit.flags, "compile");
            succeed(&self.config.toolchain, command, &unit.file).map(|_| ())
        })
    }

    /// The unit after preprocessing: tells whether anything it is made of has changed.
    pub fn preprocess(&self, unit: &Translation) -> Result<Vec<u8>, Error> {
        let mut command = self.clang(unit);
        command.args(["-E", "-w"]).args(&unit.flags).args(unit.language()).arg(&unit.file);
        Ok(succeed(&self.config.toolchain, command, &unit.file)?.stdout)
    }

    fn clang(&self, unit: &Translation) -> Command {
        let mut command = Command::new(self.config.toolchain.program("clang"));
        // clang trusts PWD to spell the folder it stands in.
        command.current_dir(&unit.directory).env("PWD", &unit.directory).env("TMPDIR", self.cache.root());
        covet_launch::wall(&mut command, &[self.cache.root()]);
        command
    }

    /// A file-system overlay in which the unit's file goes on with `#include "appended"`. Everything else, its name
    /// and its lines included, stays as it is on disk.
    fn overlay(&self, unit: &Translation, appended: &Path) -> Result<PathBuf, Error> {
        let path = normal(&unit.directory.join(&unit.file));
        let mut text = fs::read(&path).map_err(Error::io(&path))?;
        // A file that includes itself must not end in drivers each time.
        let ending = format!("\n\n#if __INCLUDE_LEVEL__ == 0\n#include \"{}\"\n#endif\n", appended.display());
        text.extend_from_slice(ending.as_bytes());
        let contents = self.cache.bytes("extended", "c", &text)?;
        let mut names = vec![path.clone()];
        names.extend(fs::canonicalize(&path).ok().filter(|real| *real != path));
        let roots: Vec<serde_json::Value> = (names.iter())
            .map(|name| serde_json::json!({ "name": name, "type": "file", "external-contents": contents }))
            .collect();
        let overlay = serde_json::json!({ "version": 0, "use-external-names": false, "roots": roots });
        Ok(self.cache.bytes("overlay", "json", overlay.to_string().as_bytes())?)
    }
}

/// Which file `program` is and when it was installed.
fn identity(program: &Path) -> Result<String, Error> {
    let no_tool = |source: std::io::Error| Error::NoProgram { program: program.to_owned(), source };
    let real = fs::canonicalize(program).map_err(no_tool)?;
    let metadata = fs::metadata(&real).map_err(no_tool)?;
    let modified = metadata.modified().map_err(no_tool)?;
    Ok(format!("{} {} {modified:?}", real.display(), metadata.len()))
}

/// `path` without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(component),
        }
    }
    normal
}

/// Runs `command`; an answer other than success is what it printed, about `file`.
pub fn succeed(toolchain: &Toolchain, command: Command, file: &Path) -> Result<Output, Error> {
    let output = toolchain.run(command)?;
    if output.status.success() {
        return Ok(output);
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Error::Clang { file: file.to_owned(), stderr })
}
