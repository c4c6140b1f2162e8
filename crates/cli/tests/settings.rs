//! `covet.toml` and `--stub` from outside, through the real binary.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(COVET).current_dir(folder).args(arguments).output().unwrap()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Runs `covet cover`, which finds nothing wrong; its tests replay, and pass when compiled with `cc` alone as the file itself says.
fn covered(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["cover", "--json", "--no-official"];
    all.extend(arguments);
    let output = covet(folder, &all);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let replayed = covet(folder, &["replay", "covet-out"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stdout));
    for entry in std::fs::read_dir(folder.join("covet-out")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("tests") && name.ends_with(".c") {
            let text = std::fs::read_to_string(&path).unwrap();
            let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(" *     ")).collect();
            let run = Command::new("sh").args(["-ec", &commands.join("\n")]).current_dir(folder).output().unwrap();
            assert!(run.status.success(), "{commands:?}: {run:?}");
        }
    }
    summary(&output)
}

fn function<'s>(summary: &'s Value, name: &str) -> &'s Value {
    let functions = summary["functions"].as_array().unwrap();
    functions.iter().find(|function| function["name"] == name).unwrap_or_else(|| panic!("{name}: {functions:?}"))
}

fn branches(summary: &Value, name: &str) -> (u64, u64) {
    let branches = &function(summary, name)["branches"];
    (branches["covered"].as_u64().unwrap(), branches["total"].as_u64().unwrap())
}

/// The text of the first block of this kind in the page that describes the file.
fn documented(kind: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/covet-toml.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_documented_example_does_what_the_page_says() {
    let folder = folder(&[("src/thermostat.c", &documented("c")), ("covet.toml", &documented("toml"))]);
    let summary = covered(folder.path(), &["src"]);
    let mut names: Vec<_> = summary["functions"].as_array().unwrap().iter().map(|f| f["name"].clone()).collect();
    names.sort_by_key(Value::to_string);
    assert_eq!(names, ["average", "decide"]);
    let (covered, total) = branches(&summary, "decide");
    assert_eq!(covered + 1, total, "all but `return -1`");
    assert!(function(&summary, "decide")["iterations"].as_u64().unwrap() <= 200);
    let is_sensed = |test: &Value| test["inputs"].as_object().unwrap().contains_key("stub.read_sensor");
    assert!(summary["tests"].as_array().unwrap().iter().any(is_sensed));
}

const LIMITS: &str = "#define LIMIT 10
int mode;
int within(int n, const char *text)
{
    if (n > LIMIT)
        return 1;
    return mode == 3 ? 2 : text[0] == 'a';
}
";

#[test]
fn what_is_wrong_in_the_file_is_said_and_nothing_is_written() {
    for (text, words) in [
        ("[function.within]\nasume = [\"n > 0\"]\n", &["covet.toml:2:1", "asume", "`assume`"][..]),
        ("[function.within]\nassume = [\"m > 0\"]\n", &["covet.toml:2:12", "undeclared", "'m'"]),
        ("[function.within]\nassume = [\"n = 3\"]\n", &["covet.toml:2:9", "changes something"]),
        ("[function.within]\nassume = [\"n >\"]\n", &["covet.toml:2", "expected expression"]),
        ("[function.whithin]\nskip = true\n", &["covet.toml:1:11", "whithin", "`within`"]),
        ("[function.within]\nsizes = { txt = 3 }\n", &["covet.toml:2:11", "txt", "`text`"]),
        ("symbolic-globals = [\"mod\"]\n", &["covet.toml:1:22", "mod", "`mode`"]),
        ("stubs = [\"helper\"]\n", &["covet.toml:1:11", "helper"]),
        ("[stub.nothing]\noutputs = []\n", &["covet.toml:1:7", "nothing"]),
        ("[stub.within]\noutputs = []\n", &["covet.toml:1:7", "`stubs`"]),
        ("[options]\ntme = 3\n", &["covet.toml:2:1", "tme", "`time`"]),
        ("[options]\nstrategy = \"best\"\n", &["covet.toml:2:1", "best", "generational"]),
        ("[options]\nquiet = 3\n", &["covet.toml:2:1", "true or false"]),
        ("[options]\ntime = -1\n", &["covet.toml:2:1", "above 0"]),
        ("[options\n", &["covet.toml:1"]),
    ] {
        let folder = folder(&[("unit.c", LIMITS), ("covet.toml", text)]);
        let output = covet(folder.path(), &["cover", "."]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {errors}");
        assert!(words.iter().all(|word| errors.contains(word)) && errors.contains("error: "), "{text}: {errors}");
        assert!(!folder.path().join("covet-out").exists(), "{text}: something was written");
    }
}

#[test]
fn a_file_of_the_project_needs_only_what_speaks_of_it_and_what_is_typed_goes_first() {
    let settings = "[options]\niterations = 1\n[function.elsewhere]\nassume = [\"x > 0\"]\n";
    let folder = folder(&[
        ("src/unit.c", LIMITS),
        ("covet.toml", settings),
        ("other.toml", "[function.within]\nassume = [\"n <= LIMIT\"]\n"),
    ]);
    let summary = |arguments: &[&str]| {
        let output = covet(folder.path(), &[&["cover", "src/unit.c", "--json", "--no-official"], arguments].concat());
        summary(&output)["totals"].clone()
    };
    assert_eq!(summary(&[])["iterations"], 1);
    assert!(summary(&["--iterations", "2"])["iterations"].as_u64().unwrap() == 2);
    let assumed = summary(&["--config", "other.toml", "--symbolic-globals"]);
    assert_eq!((assumed["branches"]["covered"].as_u64(), assumed["branches"]["total"].as_u64()), (Some(3), Some(4)));
}

const REPLACED: [(&str, &str); 2] = [
    (
        "main.c",
        "struct pair { int a; short b; char *name; };
int scale(int x);
struct pair lookup(int key, struct pair *more);
static int hashed(int x) { return (int)(x * 2654435761u >> 7); }
int (*volatile chosen)(int) = hashed;
int by_hash(int x)
{
    if (hashed(x) == 12345)
        return 1;
    return chosen(x) == 777 ? 2 : 0;
}
int by_scale(int x)
{
    struct pair more = { 0 }, found = lookup(x, &more);
    if (scale(x) == 99 && found.b == 5)
        return more.a == -7 ? 3 : 1;
    return found.name && found.name[0] == 'k' ? 4 : 2;
}
",
    ),
    (
        "other.c",
        "struct pair { int a; short b; char *name; };
static int slow(int x) { for (volatile int i = 0; i < 1000; i++) x = x * 31 + i; return x; }
int scale(int x) { return slow(x) / 2; }
struct pair lookup(int key, struct pair *more) { struct pair none = { key }; *more = none; return none; }
",
    ),
];

#[test]
fn functions_with_a_body_are_replaced_by_stubs_here_and_in_the_tests() {
    let folder = folder(&REPLACED);
    let with =
        ["--stub", "hashed", "--stub", "slow", "--stub", "lookup", "--function", "by_hash", "--function", "by_scale"];
    let summary = covered(folder.path(), &[&["main.c", "other.c"], &with[..]].concat());
    assert_eq!(branches(&summary, "by_hash"), (4, 4));
    let (reached, total) = branches(&summary, "by_scale");
    assert_eq!(reached, total, "{}", function(&summary, "by_scale"));
    let names: Vec<&str> = summary["tests"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|t| t["inputs"].as_object().unwrap().keys())
        .map(|k| k.as_str())
        .collect();
    for name in
        ["stub.hashed", "stub.hashed#2", "stub.slow", "stub.lookup.b", "stub.lookup->more.a", "stub.lookup.name->[0]"]
    {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // The function itself is still what it is.
    let own = covered(folder.path(), &["main.c", "other.c", "--stub", "hashed", "--function", "hashed"]);
    assert!(!own["tests"][0]["inputs"].as_object().unwrap().contains_key("stub.hashed"));
    let unknown = covet(folder.path(), &["cover", "main.c", "--stub", "hashd"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean `hashed`"));
}

#[test]
fn stubs_of_missing_functions_keep_promises_and_fill_buffers() {
    let source = "int receive(void *buffer, unsigned long room, int *flags);
int check(void)
{
    unsigned char bytes[4] = { 0 };
    int flags = 1, got = receive(bytes, sizeof bytes, &flags);
    if (got < 0 || got > 4)
        return -1;
    if (flags != 1)
        return -2;
    return bytes[0] == 'o' && bytes[3] == 'k';
}
";
    let settings =
        "[stub.receive]\nassume = [\"result >= 0\", \"(unsigned long)result <= room\"]\noutputs = [\"buffer[room]\"]\n";
    let folder = folder(&[("unit.c", source), ("covet.toml", settings)]);
    let summary = covered(folder.path(), &["."]);
    // Neither `got` out of its range nor other flags.
    assert_eq!(branches(&summary, "check"), (7, 10));
}

#[test]
fn pure_functions_are_those_of_libraries() {
    let source = "double mix(double x, int n);\nint found(double x) { return mix(x, 3) > 40 ? 1 : 0; }\n";
    let folder = folder(&[("unit.c", source), ("covet.toml", "[pure]\nmix = \"double(double, int)\"\n")]);
    let output = covet(folder.path(), &["cover", ".", "--trust-project"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("covet.toml:2:1: error: no library that is linked has `mix`"), "{errors}");
    std::fs::write(folder.path().join("mix.c"), "double mix(double x, int n) { return x / 2 - n * 1e6; }\n").unwrap();
    let compiled = Command::new("cc").current_dir(folder.path()).args(["-c", "-fPIC", "mix.c", "-o", "mix.o"]).status();
    assert!(compiled.unwrap().success());
    std::fs::remove_file(folder.path().join("mix.c")).unwrap();
    let settings = "flags = [\"mix.o\"]\n[pure]\nmix = \"double(double, int)\"\n";
    std::fs::write(folder.path().join("covet.toml"), settings).unwrap();
    assert_eq!(branches(&covered(folder.path(), &[".", "--config", "covet.toml"]), "found"), (2, 2));
    std::fs::write(folder.path().join("mix.c"), "double mix(double x, int n) { return x - n; }\n").unwrap();
    let output = covet(folder.path(), &["cover", ".", "--trust-project"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has a body here"));
}

#[test]
fn programs_of_one_folder_are_kept_apart_and_a_line_names_its_function() {
    let one = "static int helper(int x) { return x == 11; }\nint main(void) { return helper(3); }\n";
    let two = "int helper(int x)\n{\n    if (x > 500)\n        return 1;\n    return x == 22;\n}\nint main(int n, char **v)\n{\n    return v[0][0] == 'x' ? helper(n) : 0;\n}\n";
    let folder = folder(&[
        ("one.c", one),
        ("two.c", two),
        ("deep/three.c", "int main(void) { return 3; }\nint third(int x) { return x ? 1 : 2; }\n"),
    ]);
    let summary = covered(folder.path(), &["."]);
    let mut names: Vec<_> = summary["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| format!("{} {}", f["file"].as_str().unwrap().rsplit('/').next().unwrap(), f["name"].as_str().unwrap()))
        .collect();
    names.sort();
    assert_eq!(names, ["one.c helper", "three.c third", "two.c helper"]);
    let around = covered(folder.path(), &["two.c:4"]);
    assert_eq!(branches(&around, "helper"), (2, 2));
    let beside = covered(folder.path(), &[".", "two.c:3"]);
    assert_eq!(beside["functions"].as_array().unwrap().len(), 1);
    let nowhere = covet(folder.path(), &["cover", "two.c:99"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("the nearest is `main`"));
}
