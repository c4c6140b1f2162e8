//! C source → model: the functions, types and globals of translation units, read with libclang.
//!
//! All units of a program share one [`Types`] table. A unit that clang rejects gives [`Error::Clang`] with clang's own words.

mod attributes;
mod beliefs;
mod clang;
mod counts;
mod declarations;
mod describe;
mod error;
mod extra;
mod facts;
mod ffi;
mod fills;
mod given;
mod letters;
mod lower;
mod passed;
mod pointee_types;
mod ranges;
mod reach;
pub mod spelling;
mod toolchain;
mod types;
mod unit;
mod uses;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use beliefs::{Beliefs, Passes, place as place_of};
pub use counts::is_product;
pub use describe::describe;
pub use error::Error;
pub use extra::{Directive, Extra, directives};
pub use facts::{Call, Compared, Facts, Mark, Spot, Store};
pub use fills::{Fill, fill_of, register_of};
pub use given::Given;
pub use letters::{Letters, asked, suffix as letter_suffix};
pub use pointee_types::PointeeTypes;
pub use ranges::Range;
pub use reach::reachable;
pub use toolchain::{TOLERANT_FLAGS, Toolchain};
pub use types::{Enum, Field, Record, Type, TypeId, TypeKind, Types};
pub use unit::{Conversion, Function, Global, HandedOn, Origin, Parameter, Passed, Unit, Visibility};

/// How one C file is compiled: where clang stands, what it is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// The folder clang is started in, absolute; relative paths in `file` and `flags` are relative to it.
    pub directory: PathBuf,
    /// As spelled on the command line.
    pub file: PathBuf,
    /// Flags that change the meaning of the code: `-I`, `-D`, `-std=` and their like.
    pub flags: Vec<String>,
}

impl Translation {
    /// Says that the file is C where clang would take it for something that needs no preprocessing: what we append to it does.
    pub fn language(&self) -> &'static [&'static str] {
        if self.file.extension().is_some_and(|extension| extension == "i") { &["-x", "c"] } else { &[] }
    }
}

/// Reads units. Loading it costs a few milliseconds, so one is kept per program.
pub struct Parser {
    library: ffi::Libclang,
    toolchain: Toolchain,
}

impl Parser {
    pub fn load(toolchain: &Toolchain) -> Result<Parser, Error> {
        Ok(Parser { library: ffi::Libclang::load(toolchain)?, toolchain: toolchain.clone() })
    }

    /// The model of one unit; its types are entered into `types`.
    pub fn parse(&self, translation: &Translation, types: &mut Types) -> Result<Unit, Error> {
        let flags = self.flags(translation);
        // libclang opens its main file from the process's own folder, whatever `-working-directory` says.
        let absolute = translation.directory.join(&translation.file);
        let tree = match clang::Tree::parse(&self.library, &absolute, &flags) {
            Ok(tree) if tree.has_errors() => return Err(self.complaint(translation, 0)),
            Ok(tree) => tree,
            Err(clang::ParseFailure::NulInFlag) => return Err(Error::NulInFlag { file: translation.file.clone() }),
            Err(clang::ParseFailure::Code(code)) => return Err(self.complaint(translation, code)),
        };
        Ok(declarations::unit(translation, &tree, types))
    }

    /// The whole expressions at these places (line, column) of the file itself; none where there is no such expression.
    pub fn ranges(&self, translation: &Translation, places: &[(u32, u32)]) -> Vec<Option<Range>> {
        let absolute = translation.directory.join(&translation.file);
        match clang::Tree::parse(&self.library, &absolute, &self.flags(translation)) {
            Ok(tree) => ranges::ranges(&tree, &absolute.to_string_lossy(), places),
            Err(_) => vec![None; places.len()],
        }
    }

    fn flags(&self, translation: &Translation) -> Vec<String> {
        let mut flags = vec![
            "-resource-dir".to_owned(),
            self.toolchain.resource_dir().display().to_string(),
            format!("-working-directory={}", translation.directory.display()),
            "-w".to_owned(),
        ];
        flags.extend(translation.flags.iter().cloned());
        flags.extend(translation.language().iter().map(|&word| word.to_owned()));
        flags
    }

    /// What clang itself says about a unit that libclang could not read.
    fn complaint(&self, translation: &Translation, code: i32) -> Error {
        let program = self.toolchain.program("clang");
        let mut command = Command::new(&program);
        command.current_dir(non_empty(&translation.directory)).args(["-fsyntax-only", "-w"]);
        command.args(&translation.flags).args(translation.language()).arg(&translation.file);
        match self.toolchain.run(command) {
            Ok(output) if !output.status.success() => Error::Clang {
                file: translation.file.clone(),
                stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            },
            Ok(_) => Error::Libclang { file: translation.file.clone(), code },
            Err(source) => Error::NoCompiler { source },
        }
    }
}

fn non_empty(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}
