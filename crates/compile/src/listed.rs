//! Flags that a project's own files may set: those of a list, which change what the code means and do nothing else. A flag that loads
//! code, starts a program, writes a file or reads more flags from one is not on it, nor is any that we do not know.

/// Flags whose value is the next word, or the rest of theirs.
const WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefixbefore",
    "-iwithprefix",
    "-isysroot",
    "-x",
];
/// Flags whose value follows `=`, or is the next word.
const WITH_EQUALS: &[&str] = &["-std", "--std", "--sysroot", "-target", "--target", "-arch"];

const ALONE: &[&str] =
    &["-pthread", "-pthreads", "-ansi", "-nostdinc", "-undef", "-trigraphs", "-traditional-cpp", "-no-integrated-cpp"];

/// After `-f` or `-fno-`, perhaps with a value.
const FEATURES: &[&str] = &[
    "asm",
    "associative-math",
    "asynchronous-unwind-tables",
    "blocks",
    "builtin",
    "common",
    "delete-null-pointer-checks",
    "dollars-in-identifiers",
    "exceptions",
    "excess-precision",
    "exec-charset",
    "extended-identifiers",
    "fast-math",
    "finite-math-only",
    "float-store",
    "fp-contract",
    "fp-model",
    "freestanding",
    "gnu-keywords",
    "gnu89-inline",
    "hosted",
    "honor-infinities",
    "honor-nans",
    "ident",
    "inline",
    "inline-functions",
    "input-charset",
    "jump-tables",
    "keep-inline-functions",
    "lax-vector-conversions",
    "math-errno",
    "max-type-align",
    "merge-all-constants",
    "merge-constants",
    "ms-compatibility",
    "ms-extensions",
    "non-call-exceptions",
    "openmp",
    "openmp-simd",
    "optimize-sibling-calls",
    "pack-struct",
    "permissive",
    "plan9-extensions",
    "reciprocal-math",
    "rounding-math",
    "semantic-interposition",
    "short-enums",
    "short-wchar",
    "signaling-nans",
    "signed-bitfields",
    "signed-char",
    "signed-zeros",
    "single-precision-constant",
    "strict-aliasing",
    "strict-enums",
    "strict-flex-arrays",
    "strict-overflow",
    "strict-volatile-bitfields",
    "trapping-math",
    "trapv",
    "trivial-auto-var-init",
    "unsafe-math-optimizations",
    "unsigned-bitfields",
    "unsigned-char",
    "unwind-tables",
    "visibility",
    "wrapv",
    "wrapv-pointer",
    "zero-initialized-in-bss",
];

/// Words for the linker, by `-Wl,` or `-Xlinker`.
const LINKER: &[&str] = &[
    "--as-needed",
    "--no-as-needed",
    "--start-group",
    "--end-group",
    "-(",
    "-)",
    "--whole-archive",
    "--no-whole-archive",
    "--gc-sections",
    "--no-gc-sections",
    "--export-dynamic",
    "-export-dynamic",
    "-E",
    "-Bstatic",
    "-Bdynamic",
    "-Bsymbolic",
    "--no-undefined",
    "--allow-multiple-definition",
];
const LINKER_WITH_VALUE: &[&str] =
    &["-z", "-rpath", "--rpath", "-rpath-link", "--rpath-link", "-u", "--wrap", "--defsym"];

/// Whether a file of the project may set this flag; `value` is the word that belongs to it, where one does.
pub fn allows(flag: &str, value: Option<&str>) -> bool {
    match value {
        Some(value) if WITH_VALUE.contains(&flag) => allows_value(flag, value),
        Some(value) => WITH_EQUALS.contains(&flag) && is_plain(value),
        None => ALONE.contains(&flag) || is_joined(flag) || is_feature(flag) || is_machine(flag) || is_warning(flag),
    }
}

/// Whether a file of the project may hand this word to the linker; see [`allows`].
pub fn allows_link(flag: &str, value: Option<&str>) -> bool {
    if let Some(list) = flag.strip_prefix("-Wl,") {
        return allows_linker(&mut list.split(','));
    }
    match (flag, value) {
        ("-Xlinker", Some(word)) => allows_linker(&mut std::iter::once(word)),
        ("-L" | "-l" | "-u", Some(value)) => !value.starts_with('-'),
        (_, Some(_)) => false,
        (flag, None) => !flag.starts_with('-') || flag.starts_with("-l") || flag.starts_with("-L"),
    }
}

fn allows_linker<'a>(words: &mut impl Iterator<Item = &'a str>) -> bool {
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        let is_allowed = match LINKER_WITH_VALUE.contains(&name) {
            true => word.contains('=') || words.next().is_some(),
            false => LINKER.contains(&word),
        };
        if !is_allowed {
            return false;
        }
    }
    true
}

/// Files of devices and processes are none of the project's.
fn allows_value(flag: &str, value: &str) -> bool {
    match flag {
        "-x" => matches!(value, "c" | "none" | "cpp-output" | "c-header"),
        "-D" | "-U" => true,
        _ => !value.starts_with('-') && !["/dev", "/proc", "/sys"].iter().any(|folder| value.starts_with(folder)),
    }
}

fn is_joined(flag: &str) -> bool {
    let equals = WITH_EQUALS.iter().filter_map(|name| flag.strip_prefix(name)?.strip_prefix('=')).any(is_plain);
    // The longest name counts: `-include` is no `-i` of anything else.
    let joined = WITH_VALUE.iter().filter_map(|name| Some((*name, flag.strip_prefix(name)?)));
    let joined = joined.filter(|(_, value)| !value.is_empty()).max_by_key(|(name, _)| name.len());
    equals || joined.is_some_and(|(name, value)| allows_value(name, value))
}

fn is_feature(flag: &str) -> bool {
    let Some(name) = flag.strip_prefix("-fno-").or_else(|| flag.strip_prefix("-f")) else { return false };
    let (name, value) = name.split_once('=').unwrap_or((name, ""));
    is_plain(value) && (FEATURES.contains(&name) || name.starts_with("builtin-"))
}

/// The machine's own; what goes to LLVM as it is, is not.
fn is_machine(flag: &str) -> bool {
    flag.starts_with("-m")
        && is_plain(flag)
        && !["-mllvm", "-mmlir", "-mlinker"].iter().any(|not| flag.starts_with(not))
}

fn is_warning(flag: &str) -> bool {
    flag.starts_with("-Wno-") && is_plain(flag)
}

/// No path, and nothing that another program would read as more than one word.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-_=+.:".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_the_meaning_passes() {
        let flags = "-DX=1 -Iinc -I/usr/x -UNDEBUG -std=c99 -m32 -march=x86-64-v3 -msse4.2 -fno-strict-aliasing -funsigned-char \
            -fno-builtin-memcpy -pthread -Wno-int-conversion --sysroot=x -include config.h -fpack-struct=2 -xc";
        for flag in flags.split_whitespace().filter(|word| word.starts_with('-') && *word != "-include") {
            assert!(allows(flag, None) || flag == "--sysroot=x" && is_joined(flag), "{flag}");
        }
        assert!(
            allows("-include", Some("config.h")) && allows("-D", Some("X")) && allows("-target", Some("i386-linux"))
        );
        for flag in ["-Wl,-z,now,--as-needed", "-lm", "libx.a", "-Wl,-rpath,/x", "-Wl,--wrap=malloc"] {
            assert!(allows_link(flag, None), "{flag}");
        }
    }

    #[test]
    fn what_loads_writes_or_starts_does_not() {
        let flags = "-fplugin=x.so -fpass-plugin=x.so -ftime-trace=x -ftime-trace --output=x -save-temps=obj -fcrash-diagnostics-dir=x \
            -Bx -B/x -wrapper -specs=x --config=x --config -fmodules-cache-path=x -fprofile-use=x -dumpdir -mllvm -fdump-record-layouts \
            -ivfsoverlayx -include/dev/stdin -gsplit-dwarf=x -fsave-optimization-record -foptimization-record-file=x \
            -serialize-diagnostics -index-store-path -fapinotes -fmodule-file=x -Xclang -cc1 -working-directory=x -resource-dir=x \
            -fbuild-session-file=x -fthinlto-index=x -fproc-stat-report=x -emit-pch -xir -xc++ -fuse-ld=x --ld-path=x -ccc-gcc-name";
        for flag in flags.split_whitespace() {
            assert!(!allows(flag, None), "{flag}");
        }
        for (flag, value) in
            [("-Xclang", "-load"), ("-include", "/proc/self/mem"), ("-mllvm", "-x"), ("-o", "x"), ("-x", "ir")]
        {
            assert!(!allows(flag, Some(value)), "{flag} {value}");
        }
        let links = "-Wl,-plugin,x.so -Wl,-Map=x -Wl,-o,x -Wl,-rpath -Wl,--out-implib=x -Wl,@x -Tx -Wl,-T,x -fuse-ld=x -Wl,-dynamic-linker,x";
        for flag in links.split_whitespace() {
            assert!(!allows_link(flag, None), "{flag}");
        }
        assert!(!allows_link("-Xlinker", Some("-plugin")) && !allows_link("-T", Some("x")));
    }
}
