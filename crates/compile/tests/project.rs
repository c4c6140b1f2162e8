//! Projects from files, folders and databases; errors in clang's own words; the cache.

use std::fs;
use std::path::{Path, PathBuf};

use covet_compile::{Config, Embedded, Error, Misfits, Program, Project, Trust, build};
use covet_source::Toolchain;

struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new(files: &[(&str, &str)]) -> Scratch {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join("code").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Scratch { folder }
    }

    fn code(&self) -> PathBuf {
        self.folder.path().join("code")
    }

    fn config(&self) -> Config {
        let cache = self.folder.path().join("cache");
        Config { headers: Vec::new(), ..Config::new(cache) }
    }

    fn open(&self, sources: &[&str], flags: &[&str]) -> Result<Project, Error> {
        let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Project::open(&self.code(), &sources, &flags, Trust::Listed, &Toolchain::default())
    }

    fn build(&self, sources: &[&str], flags: &[&str]) -> Result<Program, Error> {
        build(&self.config(), &self.open(sources, flags)?)
    }

    fn cached_files(&self) -> Vec<PathBuf> {
        let mut waiting = vec![self.folder.path().join("cache")];
        let mut found = Vec::new();
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { waiting.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        found
    }
}

fn files(project: &Project) -> Vec<&str> {
    project.units.iter().map(|unit| unit.file.to_str().unwrap()).collect()
}

#[test]
fn a_folder_is_all_its_c_files_in_order() {
    let scratch = Scratch::new(&[
        ("src/b.c", "int b;"),
        ("src/a.c", "int a;"),
        ("src/deep/z.c", "int z;"),
        ("src/readme.txt", ""),
        ("src/.hidden/x.c", "int x;"),
        ("src/covet-out/y.c", "int y;"),
    ]);
    assert_eq!(files(&scratch.open(&["src"], &[]).unwrap()), ["src/a.c", "src/b.c", "src/deep/z.c"]);
    assert_eq!(files(&scratch.open(&["."], &[]).unwrap()), ["src/a.c", "src/b.c", "src/deep/z.c"]);
    assert_eq!(
        files(&scratch.open(&["src/b.c", "src", "./src/b.c"], &[]).unwrap()),
        ["src/b.c", "src/a.c", "src/deep/z.c"]
    );
}

#[test]
fn a_database_is_followed() {
    let database = r#"[
        {"directory": "build", "file": "../src/a.c", "command": "ccache gcc -I../include -DNAME='\"x y\"' -O2 -Werror -fno-gcc-only-flag -c ../src/a.c -o a.o"},
        {"directory": ".", "file": "src/b.c", "arguments": ["cc", "-DB=2", "-MD", "-MF", "b.d", "-o", "b.o", "-c", "src/b.c"]},
        {"directory": "build", "file": "../src/b.c", "arguments": ["cc", "-DB=3", "-c", "../src/b.c"]},
        {"directory": ".", "file": "src/c.cc", "arguments": ["c++", "-c", "src/c.cc"]}
    ]"#;
    let scratch = Scratch::new(&[
        ("compile_commands.json", database),
        ("include/shared.h", "#define SHARED 5\n"),
        ("src/a.c", "#include \"shared.h\"\nconst char *name(void) { return SHARED == 5 ? NAME : 0; }\n"),
        ("src/b.c", "int b(void) { return B; }\n_Static_assert(B == 2, \"the first entry counts\");\n"),
        ("src/c.cc", "class x {};\n"),
        ("build/keep", ""),
    ]);
    let project = scratch.open(&["."], &["-DEXTRA=1"]).unwrap();
    assert_eq!(files(&project), ["../src/a.c", "src/b.c"]);
    assert_eq!(project.units[0].flags, ["-I../include", "-DNAME=\"x y\"", "-DEXTRA=1"]);
    assert_eq!(project.units[1].flags, ["-DB=2", "-DEXTRA=1"]);
    let program = build(&scratch.config(), &project).unwrap();
    assert_eq!(program.driver(0, "name"), Some("__covet_driver_0_name"));
    assert_eq!(program.driver(1, "b"), Some("__covet_driver_1_b"));
    assert_eq!(scratch.open(&["compile_commands.json"], &["-DEXTRA=1"]).unwrap(), project);
}

#[test]
fn wrong_inputs_are_named() {
    let scratch = Scratch::new(&[
        ("empty/notes.txt", ""),
        ("bad.json", "{"),
        ("gone.json", r#"[{"directory": ".", "file": "gone.c", "command": "cc -c gone.c"}]"#),
    ]);
    for (source, expected) in [
        ("missing.c", "missing.c: no such file or folder"),
        ("empty", "empty: no C files here"),
        ("empty/notes.txt", "empty/notes.txt: not a C file, a folder or a compile_commands.json"),
    ] {
        let error = scratch.open(&[source], &[]).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.whose(), covet_compile::Whose::Users);
    }
    assert!(scratch.open(&["bad.json"], &[]).unwrap_err().to_string().contains("not a compilation database"));
    assert!(scratch.open(&["gone.json"], &[]).unwrap_err().to_string().contains("gone.c"));
}

#[test]
fn a_compile_error_is_clangs_own_and_leaves_nothing_behind() {
    let scratch = Scratch::new(&[("good.c", "int g(void) { return 1; }\n"), ("bad.c", "int f(void) { return x }\n")]);
    let error = scratch.build(&["bad.c", "good.c"], &[]).unwrap_err();
    assert_eq!(error.whose(), covet_compile::Whose::Users);
    let output = std::process::Command::new(Toolchain::default().program("clang"))
        .current_dir(scratch.code())
        .args(["-c", "bad.c"])
        .output()
        .unwrap();
    let Error::Clang { file, stderr } = error else { panic!("{error}") };
    assert_eq!((file.as_path(), stderr), (Path::new("bad.c"), String::from_utf8(output.stderr).unwrap()));
    // An entry without files, that of our headers, is there; the locks are of the cache itself.
    let is_made = |path: &&PathBuf| !["lock", "placing", "sum"].iter().any(|name| path.ends_with(name));
    let files = scratch.cached_files();
    assert_eq!(files.iter().find(is_made), None);
}

#[test]
fn a_backend_error_leaves_no_unfinished_file() {
    // Passes the parser, fails in code generation.
    let scratch = Scratch::new(&[(
        "a.c",
        "__asm__(\".covet_nonsense\");\nvoid f(void) { __asm__ volatile(\"x\" :: \"Z\"(1)); }\n",
    )]);
    assert!(scratch.build(&["a.c"], &[]).is_err());
    let unfinished = |path: &PathBuf| path.to_string_lossy().contains("unfinished");
    assert!(!scratch.cached_files().iter().any(unfinished));
}

#[test]
fn two_programs_at_once_are_told_apart() {
    let scratch =
        Scratch::new(&[("one.c", "int main(void) { return 1; }\n"), ("two.c", "int main(void) { return 2; }\n")]);
    let error = scratch.build(&["."], &[]).unwrap_err();
    assert_eq!(error.whose(), covet_compile::Whose::Users);
    let text = error.to_string();
    assert!(text.starts_with("'main' is defined in both one.c and two.c"), "{text}");
}

#[test]
fn programs_side_by_side_keep_their_own() {
    let scratch = Scratch::new(&[
        ("one.c", "int shared(void);\nint level = 1;\nint main(void) { return shared() + level; }\n"),
        ("shared.c", "int shared(void) { return 1; }\n"),
        ("two.c", "int level = 2;\nstatic int own(int x) { return x; }\nint main(void) { return own(level); }\n"),
    ]);
    let config = Config { misfits: Misfits::KeepApart, ..scratch.config() };
    let program = build(&config, &scratch.open(&["."], &[]).unwrap()).unwrap();
    assert_eq!(
        program.functions().map(|(unit, function, _)| (unit, function.name.as_str())).collect::<Vec<_>>(),
        [(0, "main"), (1, "shared"), (2, "own"), (2, "main")]
    );
    assert_eq!(program.units[2].private.iter().collect::<Vec<_>>(), ["level", "main"]);
    assert!(program.units[0].private.is_empty());
}

#[test]
fn broken_units_can_be_left_out() {
    let scratch = Scratch::new(&[("bad.c", "#include <windows.h>\n"), ("good.c", "int g(void) { return 1; }\n")]);
    let config = Config { misfits: Misfits::LeaveOut, ..scratch.config() };
    let program = build(&config, &scratch.open(&["."], &[]).unwrap()).unwrap();
    assert_eq!(program.driver(0, "g"), Some("__covet_driver_0_g"));
    assert_eq!(program.broken[0].file, Path::new("bad.c"));
    assert!(program.broken[0].stderr.contains("'windows.h' file not found"));
    let error = build(&config, &scratch.open(&["bad.c"], &[]).unwrap()).unwrap_err();
    assert!(error.to_string().contains("'windows.h' file not found"));
}

#[test]
fn the_cache_notices_headers_and_flags_and_nothing_else() {
    let scratch =
        Scratch::new(&[("a.c", "#include \"h.h\"\nint f(void) { return H + EXTRA; }\n"), ("h.h", "#define H 1\n")]);
    let bitcode = |flag: &str| scratch.build(&["a.c"], &[flag]).unwrap().bitcode;
    let first = bitcode("-DEXTRA=1");
    let written = fs::metadata(&first).unwrap().modified().unwrap();
    assert_eq!(bitcode("-DEXTRA=1"), first);
    assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), written);
    assert_ne!(bitcode("-DEXTRA=2"), first);
    fs::write(scratch.code().join("h.h"), "#define H 2\n").unwrap();
    assert_ne!(bitcode("-DEXTRA=1"), first);
}

#[test]
fn headers_that_come_along_are_found_and_models_are_linked_apart() {
    let scratch = Scratch::new(&[(
        "a.c",
        "#include <klee/klee.h>\n#include <string.h>\nunsigned long f(char *s) { klee_mark(&s); return strlen(s); }\n",
    )]);
    let mut config = scratch.config();
    let embedded = |name: &str, text: &str| Embedded { name: name.to_owned(), text: text.to_owned() };
    config.headers = vec![embedded("klee/klee.h", "void klee_mark(void *);\n")];
    let program = build(&config, &scratch.open(&["a.c"], &[]).unwrap()).unwrap();
    assert_eq!(program.undefined.iter().collect::<Vec<_>>(), ["klee_mark"]);
    assert_ne!(program.bitcode, program.models);
}

#[test]
fn what_comes_along_compiles() {
    let scratch = Scratch::new(&[(
        "a.c",
        "#include <klee/klee.h>\n#include <string.h>\nint main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); return x; }\n",
    )]);
    let config = Config::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let program = build(&config, &scratch.open(&["a.c"], &[]).unwrap()).unwrap();
    assert_eq!(program.driver(0, "main"), Some("__covet_driver_0_main"));
}

#[test]
fn folders_reached_through_links_work() {
    let scratch = Scratch::new(&[("real/a.c", "static int f(int x) { return x; }\n")]);
    std::os::unix::fs::symlink(scratch.code().join("real"), scratch.code().join("link")).unwrap();
    std::os::unix::fs::symlink(scratch.code().join("real/a.c"), scratch.code().join("alias.c")).unwrap();
    for source in ["link/a.c", "alias.c", "./real/../link/a.c"] {
        let program = scratch.build(&[source], &[]).unwrap();
        assert_eq!(program.driver(0, "f"), Some("__covet_driver_0_f"), "{source}");
    }
    let project =
        Project::open(&scratch.code().join("link"), &["a.c".into()], &[], Trust::Listed, &Toolchain::default())
            .unwrap();
    assert_eq!(build(&scratch.config(), &project).unwrap().functions().count(), 1);
}

#[test]
fn odd_names_and_bytes_are_fine() {
    let scratch = Scratch::new(&[
        ("with space & 'quote'.c", "int f(void) { return 1; }"),
        ("ümlaut/ä.c", "int g(void) { return 2; }"),
    ]);
    let latin = scratch.code().join("latin.c");
    fs::write(latin, b"/* \xe9 */ const char *h(void) { return \"\xe9\"; }").unwrap();
    assert_eq!(scratch.build(&["."], &[]).unwrap().functions().count(), 3);
}
