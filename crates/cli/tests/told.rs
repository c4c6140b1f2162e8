//! What is told of alarms, through the real binary: verdicts and exit codes, stories, fingerprints, baselines, changes since a revision, and
//! alarms run again by their names.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const COVET: &str = env!("CARGO_BIN_EXE_covet");

/// A folder with one C file `unit.c`.
fn folder(source: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), source).unwrap();
    folder
}

fn covet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(COVET).current_dir(folder).args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn alarms(output: &Output) -> Vec<Value> {
    summary(output)["alarms"].as_array().unwrap().clone()
}

/// A division whose divisor is checked in one caller and not in the other.
const SHARES: &str = "static int share(int sum, int heads)
{
    return sum / heads;
}

int split(int sum, int heads)
{
    if (sum < 100)
        return 0;
    return share(sum, heads);
}
";

#[test]
fn what_needs_an_assumption_is_counted_but_neither_shown_nor_a_reason_to_fail() {
    let folder = folder("int first(int *list)\n{\n    return list[0];\n}\n");
    let quiet = covet(folder.path(), &["cover", "unit.c"]);
    assert_eq!(code(&quiet), 0, "{quiet:?}");
    assert!(text(&quiet).contains("1 latent alarm rests on assumptions: --show latent"), "{}", text(&quiet));
    assert!(!text(&quiet).contains("null-dereference"), "{}", text(&quiet));
    let shown = covet(folder.path(), &["cover", "unit.c", "--show", "latent"]);
    assert_eq!(code(&shown), 0, "{shown:?}");
    assert!(text(&shown).contains("latent") && text(&shown).contains("assumes: `list` is NULL"), "{}", text(&shown));
}

#[test]
fn the_story_of_an_alarm_has_values_conditions_and_calls() {
    let folder = folder(SHARES);
    let output = covet(folder.path(), &["hunt", "unit.c", "--function", "split", "--json"]);
    assert_eq!(code(&output), 1, "{output:?}");
    let alarms = alarms(&output);
    let [alarm] = &alarms[..] else { panic!("{alarms:?}") };
    assert_eq!((&alarm["verdict"], &alarm["kind"]), (&"confirmed".into(), &"division-by-zero".into()));
    let story = alarm["story"].as_str().unwrap();
    for words in [
        "share divides by `heads`, which is 0, in `sum / heads`, at unit.c:3.",
        "`heads` = 0 (checked nowhere on the way)",
        "Called by split (unit.c:10)",
        "Run it: covet replay covet-out division-by-zero-1 --gdb",
    ] {
        assert!(story.contains(words), "{words:?} in {story:?}");
    }
    let functions: Vec<&str> =
        alarm["chain"].as_array().unwrap().iter().filter_map(|step| step["function"].as_str()).collect();
    assert_eq!(functions, ["split", "share"]);
    let table = text(&covet(folder.path(), &["hunt", "unit.c", "--function", "split"]));
    assert!(table.contains("division-by-zero-1 (confirmed)\n  share divides by `heads`"), "{table}");
}

#[test]
fn alarms_of_one_cause_are_one() {
    let folder = folder(
        "struct item { int size, used; };
int room(struct item *item, int wanted)
{
    if (wanted > 7)
        return item->size;
    if (wanted > 5)
        return item->used;
    return 0;
}
",
    );
    let output = covet(folder.path(), &["hunt", "unit.c", "--function", "room", "--json"]);
    let alarms = alarms(&output);
    let [alarm] = &alarms[..] else { panic!("{alarms:?}") };
    let same = alarm["same"].as_array().unwrap();
    let mut lines = vec![alarm["line"].as_u64().unwrap(), same[0]["line"].as_u64().unwrap()];
    lines.sort_unstable();
    assert_eq!(lines, [5, 7]);
}

#[test]
fn a_baseline_hides_what_is_known_and_tells_what_is_gone() {
    let folder = folder(SHARES);
    let at = folder.path();
    let hunt = ["hunt", "unit.c", "--function", "split"];
    let with = |more: &[&str]| covet(at, &[&hunt[..], more].concat());
    let first = with(&["--json", "--write-baseline", "known.txt"]);
    assert_eq!(code(&first), 1, "{first:?}");
    let print = alarms(&first)[0]["fingerprint"].as_str().unwrap().to_string();
    let written = std::fs::read_to_string(at.join("known.txt")).unwrap();
    assert!(written.contains(&format!("{print} division-by-zero share unit.c:3")), "{written}");
    // An edit elsewhere changes nothing.
    std::fs::write(
        at.join("unit.c"),
        format!("/* Shares. */\n\n{}", SHARES.replace("sum / heads", "sum / /* of */ heads")),
    )
    .unwrap();
    std::fs::write(at.join("summary.json"), &first.stdout).unwrap();
    for baseline in ["known.txt", "summary.json", "covet-out"] {
        let again = with(&["--json", "--baseline", baseline]);
        assert_eq!(code(&again), 0, "{baseline}: {again:?}");
        assert_eq!((alarms(&again).len(), &summary(&again)["baseline"]["known"]), (0, &1.into()), "{baseline}");
    }
    std::fs::write(at.join("unit.c"), SHARES.replace("sum / heads", "heads ? sum / heads : 0")).unwrap();
    let mended = with(&["--baseline", "known.txt"]);
    assert_eq!(code(&mended), 0, "{mended:?}");
    assert!(errors(&mended).contains("gone from the baseline: 1 alarm"), "{}", errors(&mended));
    let wrong = with(&["--baseline", "unit.c"]);
    assert_eq!(code(&wrong), 2, "{wrong:?}");
    assert!(errors(&wrong).contains("no fingerprint"), "{}", errors(&wrong));
}

#[test]
fn an_alarm_is_replayed_by_its_name_and_shown_by_gdb() {
    let folder = folder(SHARES);
    let at = folder.path();
    assert_eq!(code(&covet(at, &["hunt", "unit.c", "--function", "split", "--quiet"])), 1);
    let replayed = covet(at, &["replay", "covet-out", "division-by-zero-1"]);
    assert_eq!(code(&replayed), 0, "{replayed:?}");
    assert!(text(&replayed).contains("1 of 1 tests behave as recorded"), "{}", text(&replayed));
    let unknown = covet(at, &["replay", "covet-out", "division-by-zero-7"]);
    assert_eq!(code(&unknown), 2, "{unknown:?}");
    assert!(errors(&unknown).contains("no test or alarm `division-by-zero-7`"), "{}", errors(&unknown));
    if Command::new("gdb").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let stack = covet(at, &["replay", "covet-out", "division-by-zero-1", "--gdb"]);
        assert_eq!(code(&stack), 0, "{stack:?}");
        assert!(text(&stack).contains("share (sum=") && text(&stack).contains("split (sum="), "{}", text(&stack));
        assert!(text(&stack).contains("SIGFPE"), "{}", text(&stack));
        assert!(errors(&stack).contains("outside of the sandbox"), "{}", errors(&stack));
    }
    // clang finds its linker by the path.
    let programs = at.join("bin");
    std::fs::create_dir(&programs).unwrap();
    std::os::unix::fs::symlink("/usr/bin/ld", programs.join("ld")).unwrap();
    let missing = Command::new(COVET)
        .current_dir(at)
        .env("PATH", &programs)
        .args(["replay", "covet-out", "division-by-zero-1", "--gdb"])
        .output()
        .unwrap();
    assert_eq!(code(&missing), 3, "{missing:?}");
    assert!(errors(&missing).contains("there is no gdb"), "{}", errors(&missing));
}

fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]);
    let output = command.current_dir(folder).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {output:?}");
}

#[test]
fn only_what_a_change_brought_is_told() {
    let old = "#include \"unit.h\"
int before(int n)
{
    return LIMIT / n;
}

int after(int n)
{
    return n;
}
";
    let folder = folder(old);
    let at = folder.path();
    std::fs::write(at.join("unit.h"), "#define LIMIT 100\n").unwrap();
    let nowhere = covet(at, &["hunt", "unit.c", "--since", "HEAD"]);
    assert_eq!(code(&nowhere), 2, "{nowhere:?}");
    assert!(errors(&nowhere).contains("no git repository"), "{}", errors(&nowhere));
    git(at, &["init", "-q"]);
    git(at, &["add", "unit.c", "unit.h"]);
    git(at, &["commit", "-q", "-m", "one"]);
    let hunt = |revision: &str| covet(at, &["hunt", "unit.c", "--json", "--since", revision]);
    let wrong = hunt("v1");
    assert_eq!(code(&wrong), 2, "{wrong:?}");
    assert!(errors(&wrong).contains("no revision `v1`"), "{}", errors(&wrong));
    let nothing = hunt("HEAD");
    assert_eq!(code(&nothing), 0, "{nothing:?}");
    assert!(errors(&nothing).contains("no function has changed"), "{}", errors(&nothing));
    std::fs::write(at.join("unit.c"), old.replace("return n;", "return 7 % n;").replace("LIMIT / n", "LIMIT / n + 0"))
        .unwrap();
    let changed = hunt("HEAD");
    assert_eq!(code(&changed), 1, "{changed:?}");
    let told: Vec<String> =
        alarms(&changed).iter().map(|alarm| alarm["function"].as_str().unwrap().to_string()).collect();
    assert_eq!(told, ["after"], "{}", errors(&changed));
    assert!(errors(&changed).contains("not shown, for HEAD shows the same: 1 alarm"), "{}", errors(&changed));
    // What stands outside of functions concerns all that see it.
    std::fs::write(at.join("unit.c"), old).unwrap();
    std::fs::write(at.join("unit.h"), "#define LIMIT 200\n").unwrap();
    let header = hunt("HEAD");
    assert_eq!((code(&header), alarms(&header).len()), (0, 0), "{header:?}");
    assert_eq!(summary(&header)["functions"].as_array().unwrap().len(), 2);
}
