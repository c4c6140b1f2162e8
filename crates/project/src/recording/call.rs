//! The arguments of a compiler → what it compiles, to what, and with which flags.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// One call that compiles C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerCall {
    /// Where it is made.
    pub directory: PathBuf,
    pub product: Product,
    /// Places of the C sources among the arguments.
    sources: Vec<usize>,
    arguments: Vec<OsString>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// An object file for each source, the one named or beside them.
    Objects(Option<PathBuf>),
    /// A program or library.
    Linked,
}

/// Options whose value is the next argument.
const WITH_VALUE: [&str; 34] = [
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-T",
    "-u",
    "-e",
    "-z",
    "-A",
    "-G",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-MF",
    "-MT",
    "-MQ",
    "-arch",
    "-target",
    "-aux-info",
    "--param",
    "-soname",
    "-rpath",
];
/// With one of these nothing is compiled to code.
const OTHER_WORK: [&str; 9] = ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--version", "-x", "-###", "-"];
/// What clang needs to know of what the source means.
const MEANING: [&str; 30] = [
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-std=",
    "-ansi",
    "-O",
    "-pthread",
    "-fpic",
    "-fPIC",
    "-fpie",
    "-fPIE",
    "-fno-pic",
    "-fno-pie",
    "-fwrapv",
    "-fcommon",
    "-fno-common",
    "-fno-builtin",
    "-funsigned-char",
    "-fsigned-char",
    "-fshort-enums",
    "-ffreestanding",
    "-fgnu89-inline",
    "-fno-strict-aliasing",
    "-fvisibility",
    "-m",
];
/// What making code of it depends on.
const CODE: [&str; 12] = [
    "-O",
    "-fpic",
    "-fPIC",
    "-fpie",
    "-fPIE",
    "-fno-pic",
    "-fno-pie",
    "-m",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-plt",
    "-pthread",
];
/// What another compiler has already done, or clang is not to do.
const DONE: [&str; 20] = [
    "-c",
    "-M",
    "-Wp,-M",
    "-Werror",
    "-Wl,",
    "-Wa,",
    "-l",
    "-L",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-shared",
    "-static",
    "-save-temps",
    "-fprofile",
    "--coverage",
    "-ftest-coverage",
    "-fsanitize",
    "-fplugin",
    "-specs",
];

impl CompilerCall {
    /// What a compiler is called for; none when that is nothing to be recorded.
    pub fn read(directory: &Path, arguments: &[OsString]) -> Option<CompilerCall> {
        let text = |at: usize| arguments.get(at).and_then(|argument: &OsString| argument.to_str());
        let (mut sources, mut output, mut is_object) = (Vec::new(), None, false);
        let mut at = 0;
        while at < arguments.len() {
            let word = text(at)?;
            match word {
                _ if OTHER_WORK.contains(&word) || word.starts_with('@') || word.starts_with("-print-") => return None,
                "-c" => is_object = true,
                "-o" => output = arguments.get(at + 1).map(PathBuf::from),
                _ if !word.starts_with('-') && word.ends_with(".c") => sources.push(at),
                _ => {}
            }
            at += if WITH_VALUE.contains(&word) { 2 } else { 1 };
        }
        // What `configure` tries out is no part of the program.
        let is_tried =
            |at: &usize| text(*at).is_some_and(|name| Path::new(name).file_stem() == Some(OsStr::new("conftest")));
        if sources.is_empty() || sources.iter().any(is_tried) || (output.is_some() && is_object && sources.len() > 1) {
            return None;
        }
        let product = if is_object { Product::Objects(output) } else { Product::Linked };
        Some(CompilerCall { directory: directory.to_owned(), product, sources, arguments: arguments.to_vec() })
    }

    /// A call with these flags, to be given sources.
    pub fn of_flags(directory: &Path, flags: Vec<OsString>) -> CompilerCall {
        CompilerCall {
            directory: directory.to_owned(),
            product: Product::Linked,
            sources: Vec::new(),
            arguments: flags,
        }
    }

    /// One more flag, before all others.
    pub fn also(&mut self, flag: &str) {
        self.arguments.insert(0, flag.into());
        self.sources.iter_mut().for_each(|at| *at += 1);
    }

    /// The sources, as they are named.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter_map(|at| self.arguments[*at].to_str())
    }

    /// The object that a source becomes.
    pub fn object_of(&self, source: &str) -> PathBuf {
        let named = match &self.product {
            Product::Objects(Some(object)) => object.clone(),
            Product::Objects(None) | Product::Linked => {
                Path::new(Path::new(source).file_name().unwrap_or_default()).with_extension("o")
            }
        };
        self.directory.join(named)
    }

    /// The arguments with objects in place of the sources.
    pub fn with_objects(&self, objects: &[PathBuf]) -> Vec<OsString> {
        let mut arguments = self.arguments.clone();
        for (at, object) in self.sources.iter().zip(objects) {
            arguments[*at] = object.into();
        }
        arguments
    }

    /// All flags that may matter to clang.
    pub fn flags(&self) -> Vec<OsString> {
        self.chosen(|word| {
            let is_input = !word.starts_with('-');
            !is_input
                && !DONE.iter().any(|done| word == *done || (*done != "-c" && word.starts_with(done)))
                && word != "-o"
        })
    }

    /// Those without which the source means something else.
    pub fn needed_flags(&self) -> Vec<OsString> {
        self.chosen(|word| MEANING.iter().any(|known| word.starts_with(known)))
    }

    /// Those that decide how code is generated.
    pub fn code_flags(&self) -> Vec<OsString> {
        self.chosen(|word| CODE.iter().any(|known| word.starts_with(known)) && !word.starts_with("-mllvm"))
    }

    /// The options for which `is_wanted`, with their values.
    fn chosen(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<OsString> {
        let mut chosen = Vec::new();
        let mut arguments = self.arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(word) = argument.to_str() else { continue };
            let value = WITH_VALUE.contains(&word).then(|| arguments.next()).flatten();
            if is_wanted(word) {
                chosen.push(argument.clone());
                chosen.extend(value.cloned());
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<CompilerCall> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        CompilerCall::read(Path::new("/p"), &words)
    }

    fn line(words: &[OsString]) -> String {
        words.join(OsStr::new(" ")).to_string_lossy().into_owned()
    }

    #[test]
    fn what_a_build_says_is_understood() {
        let call =
            read("-DX=1 -I inc -O2 -Wall -Werror -MT a.o -MD -MP -MF .deps/a.Tpo -flto -c -o a.o src/a.c").unwrap();
        assert_eq!((call.sources().collect::<Vec<_>>(), call.object_of("src/a.c")), (vec!["src/a.c"], "/p/a.o".into()));
        assert_eq!(line(&call.flags()), "-DX=1 -I inc -O2 -Wall");
        assert_eq!(line(&call.needed_flags()), "-DX=1 -I inc -O2");
        assert_eq!(line(&call.code_flags()), "-O2");
        let call = read("-g -o tool a.c b.c lib.a -L. -lm -fPIC").unwrap();
        assert_eq!(call.product, Product::Linked);
        assert_eq!(line(&call.with_objects(&["1.o".into(), "2.o".into()])), "-g -o tool 1.o 2.o lib.a -L. -lm -fPIC");
        assert_eq!(line(&call.code_flags()), "-fPIC");
        assert_eq!(read("-c sub/b.c").unwrap().object_of("sub/b.c"), Path::new("/p/b.o"));
    }

    #[test]
    fn what_compiles_no_c_is_left_alone() {
        let others = [
            "",
            "--version",
            "-E a.c",
            "a.o -o tool",
            "-c a.cpp",
            "-x c -",
            "-c conftest.c",
            "@flags a.c",
            "-o a.c a.o",
            "-S a.c",
        ];
        for other in others {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
