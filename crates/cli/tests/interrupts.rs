//! Interrupts and saving, through the real binary.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const COVET: &str = env!("CARGO_BIN_EXE_covet");

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let quiet = || Stdio::null();
    Command::new(COVET).current_dir(folder).args(arguments).stdout(quiet()).stderr(quiet()).spawn().unwrap()
}

fn terminate(child: &Child) {
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// How the process ends, and how long that takes.
fn ends(mut child: Child) -> (ExitStatus, Duration) {
    let began = Instant::now();
    (child.wait().unwrap(), began.elapsed())
}

/// Never exhausted, and one branch that is never reached.
const ENDLESS: &str =
    "unsigned long step(unsigned long x) { return x * 6364136223846793005ul + 1442695040888963407ul; }
int endless(const unsigned char *bytes, unsigned long count)
{
    unsigned long state = 1;
    for (unsigned long i = 0; i < count; i++)
        state = step(state ^ bytes[i]);
    if (bytes[0] == 'x')
        return 1;
    return state == 12345678901234567ul ? 2 : 0;
}
";

#[test]
fn an_interrupted_exploration_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unit.c"), ENDLESS).unwrap();
    let arguments = ["cover", "unit.c", "--function", "endless", "--time", "300"];
    // Prepared once, so that the second command explores from the start.
    let first = Command::new(COVET).current_dir(folder.path()).args(["cover", "unit.c", "--iterations", "1"]).output();
    assert!(first.unwrap().status.success());
    let child = start(folder.path(), &arguments);
    std::thread::sleep(Duration::from_secs(3));
    terminate(&child);
    let (status, _) = ends(child);
    assert_eq!(status.code(), Some(130));
    let replayed = Command::new(COVET).current_dir(folder.path()).args(["replay", "covet-out"]).output().unwrap();
    assert!(replayed.status.success(), "{replayed:?}");
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("endless-"), "{replayed:?}");
}

#[test]
fn an_interrupt_while_code_is_generated_ends_at_once_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let function = |n: u32| {
        format!("int f{n}(int a, int b) {{ if (a == {n}) return b / 3; for (; a > b; b++) a ^= b; return a; }}\n")
    };
    std::fs::write(folder.path().join("unit.c"), (0..3000).map(function).collect::<String>()).unwrap();
    let child = start(folder.path(), &["cover", "unit.c"]);
    std::thread::sleep(Duration::from_millis(1500));
    terminate(&child);
    let (status, waited) = ends(child);
    assert_eq!(status.code(), Some(130));
    assert!(waited < Duration::from_secs(5), "{waited:?}");
    assert!(!folder.path().join("covet-out").exists());
}
