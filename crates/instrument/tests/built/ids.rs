//! Ids of functions in a program of several files.

use crate::common::Bench;
use covet_instrument::Options;

const HEADER: &str = "static inline int least(int a, int b) { return a < b ? a : b; }\n";
const ONE: &str = "#include \"../inc/least.h\"\nstatic int own(int x) { return x ? least(x, 1) : 0; }\nint one(int x) { return own(x); }\n";
const TWO: &str = "#include \"least.h\"\nstatic int own(int x) { return least(x, 2); }\nint two(int x) { return own(x); }\nint read(int x) { return x; }\n";

fn build(files: &[(&str, &str)]) -> Vec<(String, u32)> {
    let program = Bench::of(files, Options::default(), |_| {});
    let ids = program.map().ids();
    let users = program.map().functions.iter().filter(|function| !function.is_model);
    let mut found: Vec<(String, u32)> = users
        .map(|function| {
            let id = ids.function_id(function.number).unwrap();
            assert_eq!(ids.function_number(id), Some(function.number));
            (id.to_string(), program.map().sites.iter().filter(|site| site.function == function.number).count() as u32)
        })
        .collect();
    for site in &program.map().sites {
        assert_eq!(ids.site_number(&ids.site_id(site.number).unwrap()), Some(site.number));
    }
    found.sort();
    found
}

#[test]
fn statics_are_named_by_their_unit() {
    let files = [
        ("inc/least.h", HEADER),
        ("src/least.h", "#include \"../inc/least.h\"\n"),
        ("src/one.c", ONE),
        ("src/two.c", TWO),
    ];
    let names = |found: Vec<(String, u32)>| -> Vec<String> { found.into_iter().map(|(name, _)| name).collect() };
    let expected = [
        "src/one.c:least",
        "src/one.c:one",
        "src/one.c:own",
        "src/two.c:least",
        "src/two.c:own",
        // The library has one of this name.
        "src/two.c:read",
        "src/two.c:two",
    ];
    assert_eq!(names(build(&files)), expected);
    // In another order the linker renames others.
    let [header, other, one, two] = files;
    assert_eq!(names(build(&[header, other, two, one])), expected);
    // Another file changes nothing.
    let more = (
        "src/a.c",
        "#include \"least.h\"\nstatic int own(int x) { return least(x, 3); }\nint three(int x) { return own(x); }\n",
    );
    let found = names(build(&[more, header, other, one, two]));
    assert!(expected.iter().all(|name| found.iter().any(|found| found == name)), "{found:?}");
    assert_eq!(found.len(), expected.len() + 3);
}
