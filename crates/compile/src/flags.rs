//! A compiler command line → the flags that change what the code means, and those for linking.
//!
//! Dropped: the input file, outputs, dependency files, warnings, optimisation, debug information, instrumentation and
//! hardening. What is compiled here is chosen by this crate alone. Of flags that nobody vouches for, those that are not listed are
//! refused.

use crate::listed;
use std::path::Path;

/// The parts of a command line that are kept, in order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Kept {
    pub compile: Vec<String>,
    pub link: Vec<String>,
    /// What was left out because it is not on the list.
    pub refused: Vec<String>,
}

/// Who says the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The user, or somebody the user trusts.
    Full,
    /// A file of the project.
    Listed,
}

/// The flags of a file of the project that may be used as if the user had said them, and the others.
pub fn listed(arguments: &[String]) -> (Vec<String>, Vec<String>) {
    let Kept { mut compile, link, refused } = sort(arguments, None, Trust::Listed);
    compile.extend(link);
    (compile, refused)
}

/// What to do with one argument.
enum Verdict {
    Keep,
    /// Keep it and the argument after it.
    KeepPair,
    Drop,
    /// Drop it and the argument after it.
    DropPair,
    Link,
    LinkPair,
    /// A list for the preprocessor: `-Wp,-DX,-MD,file`.
    Preprocessor,
}

const KEPT_PAIRS: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-x",
    "-std",
    "--param",
    "-Xclang",
    "-Xpreprocessor",
    "-target",
    "--target",
    "-arch",
    "-ivfsoverlay",
    "-mllvm",
    "-mmlir",
    "-B",
    "-wrapper",
    "-specs",
    "--config",
    "-dumpdir",
    "-dumpbase",
    "-dependency-file",
    "-index-store-path",
    "-working-directory",
    "-load",
    "-plugin",
    "-resource-dir",
    "-fplugin",
    "-Xarch_host",
    "-Xcuda-fatbinary",
];
const DROPPED_PAIRS: &[&str] =
    &["-o", "-MF", "-MT", "-MQ", "-MJ", "-Xassembler", "-Xanalyzer", "--serialize-diagnostics"];
const LINK_PAIRS: &[&str] = &["-L", "-l", "-Xlinker", "-framework", "-T", "-u"];
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-w",
    "-v",
    "-###",
    "-pipe",
    "--coverage",
    "-coverage",
    "-p",
    "-pg",
    "-rdynamic",
    "-shared",
    "-static",
    "-pie",
    "-no-pie",
    "-nopie",
    "-s",
    "-r",
    "-pedantic",
    "-pedantic-errors",
    "-fpic",
    "-fPIC",
    "-fpie",
    "-fPIE",
    "-fno-pic",
    "-fno-PIC",
    "-fno-pie",
    "-fno-PIE",
    "-fsyntax-only",
    "-emit-llvm",
    "-Qunused-arguments",
    "-U_FORTIFY_SOURCE",
    "-fomit-frame-pointer",
    "-fno-omit-frame-pointer",
    "-fno-plt",
];
const DROPPED_PREFIXES: &[&str] = &[
    "-O",
    "-g",
    "-W",
    "-save-temps",
    "--save-temps",
    "-flto",
    "-fno-lto",
    "-fprofile",
    "-fno-profile",
    "-fcoverage",
    "-fsanitize",
    "-fno-sanitize",
    "-fstack-protector",
    "-fno-stack-protector",
    "-fstack-clash",
    "-fcf-protection",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor-diagnostics",
    "-fmessage-length",
    "-fmax-errors",
    "-ferror-limit",
    "-D_FORTIFY_SOURCE",
    "-ftest-coverage",
    "-fdebug",
    "-ffile-prefix-map",
    "-fmacro-prefix-map",
    "-frandom-seed",
    "-fuse-ld",
    "-ftree",
    "-fdump",
    "-fdata-sections",
    "-ffunction-sections",
    "-fxray",
    "-finstrument",
];

/// Sorts `arguments` (without the compiler itself). `file` is the input, dropped wherever it appears.
pub fn sort(arguments: &[String], file: Option<&Path>, trust: Trust) -> Kept {
    let mut kept = Kept::default();
    let mut rest = arguments.iter();
    let is_fine = |allows: fn(&str, Option<&str>) -> bool, flag: &str, value: Option<&str>| {
        trust == Trust::Full || allows(flag, value)
    };
    while let Some(argument) = rest.next() {
        match judge(argument, file) {
            Verdict::Keep if !is_fine(listed::allows, argument, None) => kept.refused.push(argument.clone()),
            Verdict::Link if !is_fine(listed::allows_link, argument, None) => kept.refused.push(argument.clone()),
            Verdict::Keep => kept.compile.push(argument.clone()),
            Verdict::KeepPair => match rest.next() {
                Some(value) if is_fine(listed::allows, argument, Some(value)) => {
                    keep_pair(argument, value, &mut kept.compile);
                }
                Some(value) => kept.refused.push(format!("{argument} {value}")),
                None => {}
            },
            Verdict::Drop => {}
            Verdict::DropPair => {
                rest.next();
            }
            Verdict::Link => kept.link.push(argument.clone()),
            Verdict::LinkPair => match rest.next() {
                Some(value) if is_fine(listed::allows_link, argument, Some(value)) => {
                    kept.link.extend([argument.clone(), value.clone()]);
                }
                Some(value) => kept.refused.push(format!("{argument} {value}")),
                None => {}
            },
            Verdict::Preprocessor => {
                let list: Vec<String> = argument.split(',').skip(1).map(preprocessor_flag).collect();
                let sorted = sort(&list, None, trust);
                kept.compile.extend(sorted.compile);
                kept.refused.extend(sorted.refused);
            }
        }
    }
    kept
}

/// `-Wp,-MD,file` gives its file to `-MD`, which in a driver's command line takes none.
fn preprocessor_flag(flag: &str) -> String {
    if flag == "-MD" || flag == "-MMD" { "-MF".to_owned() } else { flag.to_owned() }
}

fn keep_pair(flag: &str, value: &str, compile: &mut Vec<String>) {
    let fortifies = matches!(flag, "-D" | "-U") && value.starts_with("_FORTIFY_SOURCE");
    if !fortifies {
        compile.extend([flag.to_owned(), value.to_owned()]);
    }
}

fn judge(argument: &str, file: Option<&Path>) -> Verdict {
    if !argument.starts_with('-') || argument == "-" {
        // An object, an archive or the input itself; a response file is clang's to read.
        return match (argument.starts_with('@'), file) {
            (true, _) => Verdict::Keep,
            (false, Some(file)) if Path::new(argument) == file => Verdict::Drop,
            (false, _) if argument.ends_with(".a") || argument.ends_with(".o") || argument.contains(".so") => {
                Verdict::Link
            }
            (false, _) => Verdict::Drop,
        };
    }
    if argument.starts_with("-Wp,") {
        Verdict::Preprocessor
    } else if argument.starts_with("-Wl,") {
        Verdict::Link
    } else if DROPPED.contains(&argument) {
        Verdict::Drop
    } else if DROPPED_PAIRS.contains(&argument) {
        Verdict::DropPair
    } else if LINK_PAIRS.contains(&argument) {
        Verdict::LinkPair
    } else if KEPT_PAIRS.contains(&argument) {
        Verdict::KeepPair
    } else if argument.starts_with("-Wno-") {
        // It may be what makes the code compile.
        Verdict::Keep
    } else if DROPPED_PREFIXES.iter().any(|prefix| argument.starts_with(prefix)) || is_joined_output(argument) {
        Verdict::Drop
    } else if argument.starts_with("-l") || argument.starts_with("-L") {
        Verdict::Link
    } else {
        Verdict::Keep
    }
}

/// `-ofile`, `-MFfile`, `-MTtarget`.
fn is_joined_output(argument: &str) -> bool {
    let joined = ["-MF", "-MT", "-MQ", "-MJ"].iter().any(|flag| argument.starts_with(flag));
    joined || (argument.starts_with("-o") && !argument.starts_with("-object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> (String, String) {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let kept = sort(&arguments, Some(Path::new("src/a.c")), Trust::Full);
        (kept.compile.join(" "), kept.link.join(" "))
    }

    #[test]
    fn meaning_stays_and_the_rest_goes() {
        let (compile, link) = sorted(
            "-I inc -Iother -DX=1 -D Y -std=gnu11 -O2 -g3 -Wall -Werror=foo -c -o out/a.o -MD -MF a.d -fPIC -flto=auto -include c.h src/a.c",
        );
        assert_eq!(compile, "-I inc -Iother -DX=1 -D Y -std=gnu11 -include c.h");
        assert_eq!(link, "");
    }

    #[test]
    fn link_flags_are_set_apart() {
        let (compile, link) = sorted("-funsigned-char -lm -L lib -l z -Wl,-z,now libx.a -pthread src/a.c");
        assert_eq!(compile, "-funsigned-char -pthread");
        assert_eq!(link, "-lm -L lib -l z -Wl,-z,now libx.a");
    }

    #[test]
    fn hardening_and_preprocessor_lists() {
        let (compile, _) = sorted(
            "-Wp,-MD,x.d,-DKEEP -Wp,-D_FORTIFY_SOURCE=2 -D_FORTIFY_SOURCE=3 -D _FORTIFY_SOURCE=3 -fstack-protector-strong -oa.o",
        );
        assert_eq!(compile, "-DKEEP");
    }

    #[test]
    fn what_the_project_may_not_say_is_refused_with_its_value() {
        let line = "-DX -Xclang -load -Xclang ./evil.so @more -fplugin=x -Wp,-DY,-fplugin=z -I inc -Wl,-plugin,x -lm -o out -B tools a.o";
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let kept = sort(&arguments, None, Trust::Listed);
        assert_eq!((kept.compile.join(" "), kept.link.join(" ")), ("-DX -DY -I inc".into(), "-lm a.o".into()));
        let refused =
            ["-Xclang -load", "-Xclang ./evil.so", "@more", "-fplugin=x", "-fplugin=z", "-Wl,-plugin,x", "-B tools"];
        assert_eq!(kept.refused, refused);
    }

    #[test]
    fn a_flag_cut_short_is_no_crash() {
        assert_eq!(sorted("-I"), (String::new(), String::new()));
        assert_eq!(sorted("-o"), (String::new(), String::new()));
    }
}
