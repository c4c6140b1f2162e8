//! Every `cases/*.c` is read and described; the text must equal the `.model` beside it. `BLESS=1` rewrites the expectations.

use std::path::{Path, PathBuf};

use covet_source::{Error, Parser, Toolchain, Translation, TypeKind, Types, describe};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn translation(directory: &Path, file: &str) -> Translation {
    Translation { directory: directory.to_owned(), file: file.into(), flags: Vec::new() }
}

#[test]
fn models_are_as_expected() {
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let bless = std::env::var_os("BLESS").is_some();
    let mut files: Vec<PathBuf> = std::fs::read_dir(cases()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 4);
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let mut types = Types::default();
        let unit = parser.parse(&translation(&cases(), name), &mut types).unwrap();
        let folder = format!("{}/", cases().display());
        let text = describe(&unit, &types).replace(&folder, "");
        let expectation = file.with_extension("model");
        if bless {
            std::fs::write(&expectation, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
        assert_eq!(text, expected, "{name}: run with BLESS=1 to accept");
    }
}

#[test]
fn errors_are_clangs_own_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.c"), "int f(void) { return missing; }\n").unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let error = parser.parse(&translation(folder.path(), "bad.c"), &mut Types::default()).unwrap_err();
    let output = std::process::Command::new(Toolchain::default().program("clang"))
        .current_dir(folder.path())
        .args(["-fsyntax-only", "bad.c"])
        .output()
        .unwrap();
    let Error::Clang { file, stderr } = error else { panic!("{error}") };
    assert_eq!(file, Path::new("bad.c"));
    assert_eq!(stderr, String::from_utf8(output.stderr).unwrap());
    assert!(stderr.starts_with("bad.c:1:22: error: use of undeclared identifier 'missing'"), "{stderr}");
}

#[test]
fn a_missing_file_is_an_error_not_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let error = parser.parse(&translation(folder.path(), "absent.c"), &mut Types::default()).unwrap_err();
    assert!(error.to_string().contains("no such file or directory: 'absent.c'"), "{error}");
}

#[test]
fn one_header_gives_one_type_and_a_declared_struct_finds_its_definition() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("shape.h", "struct shape { int sides; struct shape *inner; };\nstruct hidden;\n");
    write("a.c", "#include \"shape.h\"\nint f(struct shape *s, struct hidden *h) { return s->sides + (h != 0); }\n");
    write(
        "b.c",
        "#include \"shape.h\"\nstruct hidden { long x; };\nint g(struct shape *s, struct hidden *h) { return s->sides + (int)h->x; }\n",
    );
    let parser = Parser::load(&Toolchain::default()).unwrap();
    let mut types = Types::default();
    let a = parser.parse(&translation(folder.path(), "a.c"), &mut types).unwrap();
    let b = parser.parse(&translation(folder.path(), "b.c"), &mut types).unwrap();
    let (f, g) = (a.function("f").unwrap(), b.function("g").unwrap());
    assert_eq!(f.parameters[0].ty, g.parameters[0].ty);
    let pointee = |id| match types.kind(id) {
        TypeKind::Pointer { pointee, .. } => *pointee,
        other => panic!("{other:?}"),
    };
    let (declared, defined) = (pointee(f.parameters[1].ty), pointee(g.parameters[1].ty));
    assert_ne!(declared, defined);
    assert_eq!(types.completed(declared), defined);
    assert_eq!(types.get(defined).size, Some(8));
}

#[test]
fn a_missing_library_says_what_to_do() {
    let error = Parser::load(&Toolchain::at("/nonexistent")).err().unwrap().to_string();
    assert!(error.contains("make deps"), "{error}");
}
