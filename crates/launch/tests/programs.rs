//! A program in the sandbox: it runs, it is told how it ended, and what it may not do is refused and counted.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use covet_budget::Deadline;
use covet_launch::{Bounds, End, Limits, Program, Resource, Running};

fn start(folder: &Path, script: &str, limits: Limits, stdout: Stdio) -> Running {
    let bounds = Bounds::default();
    let program = Program {
        arguments: vec!["-c".into(), script.into()],
        variables: vec![(OsString::from("GIVEN"), OsString::from("yes"))],
        stdout,
        limits,
        ..Program::new(Path::new("/bin/sh"), folder, &bounds)
    };
    program.start().unwrap()
}

/// What a script prints, and how it ended.
fn run(script: &str, limits: Limits) -> (String, Option<End>) {
    let folder = tempfile::tempdir().unwrap();
    let printed = folder.path().join("printed");
    let file = std::fs::File::create(&printed).unwrap();
    let mut running = start(folder.path(), script, limits, file.into());
    let end = running.wait(&Deadline::default().within(Duration::from_secs(20))).unwrap();
    (std::fs::read_to_string(printed).unwrap(), end)
}

#[test]
fn it_runs_and_its_end_is_told() {
    assert_eq!(run("exit 7", Limits::default()).1, Some(End::Exited(7)));
    assert_eq!(run("kill -9 $$", Limits::default()).1, Some(End::Killed(9)));
    assert_eq!(run("kill -6 $$", Limits::default()).1, Some(End::Killed(6)));
}

/// The warden goes before all others; what it starts does not.
#[test]
fn it_has_the_usual_priority() {
    let usual = std::process::Command::new("nice").output().unwrap().stdout;
    assert_eq!(run("nice", Limits::default()).0.as_bytes(), usual);
}

#[test]
fn the_environment_is_empty() {
    let (printed, _) = run("env | cut -d= -f1 | sort | tr '\\n' ' '", Limits::default());
    assert_eq!(printed, "GIVEN HOME PATH PWD TMPDIR ");
}

#[test]
fn it_has_no_capabilities() {
    let (printed, _) = run("grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status", Limits::default());
    let values: Vec<&str> = printed.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    let none = "0000000000000000";
    let bounded = if values.get(3) == Some(&none) { none } else { "without the right to drop it" };
    assert_eq!(values, [none, none, none, bounded, none, "1"]);
}

#[test]
fn only_its_folder_can_be_written() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    let script = format!(
        "echo in > file && cat file; echo out > {0}; echo out > {1}/new; rm -f {0}; ln {0} stolen; cat {0}; mv {0} .",
        victim.display(),
        outside.path().display()
    );
    let (printed, _) = run(&script, Limits::default());
    assert_eq!(printed, "in\n");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn refused_calls_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let mut running = start(folder.path(), "chmod 700 file; chmod 700 file", Limits::default(), Stdio::null());
    assert_eq!(running.wait(&Deadline::default()).unwrap(), Some(End::Exited(1)));
    let count = running.refused().into_iter().find(|(call, _)| i64::from(*call) == libc::SYS_fchmodat);
    assert_eq!(count, Some((libc::SYS_fchmodat as u32, 2)));
}

#[test]
fn too_much_of_anything_ends_it() {
    let limits = Limits { memory: 64 << 20, tasks: 16, scratch: 8 << 20, ..Limits::default() };
    let start = Instant::now();
    let memory = "exec awk 'BEGIN { while (1) s = s s \"xxxxxxxxxxxxxxxx\" }'";
    assert_eq!(run(memory, limits.clone()).1, Some(End::Over(Resource::Memory)));
    let disk = "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > f$i; done";
    assert_eq!(run(disk, limits.clone()).1, Some(End::Over(Resource::Scratch)));
    let hidden = "exec 5> f; rm f; while :; do head -c 1000000 /dev/zero >&5; done";
    assert_eq!(run(hidden, limits.clone()).1, Some(End::Over(Resource::Scratch)));
    // Either there are no more to be had, or it is ended.
    let tasks = "bomb() { bomb & bomb & sleep 1; }; bomb; sleep 1; exit 5";
    assert!(matches!(run(tasks, limits).1, Some(End::Over(Resource::Tasks) | End::Exited(2 | 5))));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_deadline_ends_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("{}.{}", std::process::id(), 31_337);
    let script = format!("trap '' TERM HUP; (setsid sleep {mark} & sleep {mark} &) ; kill -STOP $$; sleep {mark}");
    let begun = Instant::now();
    let mut running = start(folder.path(), &script, Limits::default(), Stdio::null());
    assert_eq!(running.wait(&Deadline::default().within(Duration::from_millis(300))).unwrap(), None);
    assert!(begun.elapsed() < Duration::from_secs(3));
    let alive = || {
        std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&format!("sleep\0{mark}")))
        })
    };
    assert!((0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !alive()
    }));
}

/// The warden is asked to end, as it is when the engine is gone, while its program runs.
#[test]
fn a_warden_that_is_asked_to_end_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = start(folder.path(), "sleep 60 & sleep 60", Limits::default(), Stdio::null());
    std::thread::sleep(Duration::from_millis(200));
    running.signal(libc::SIGTERM);
    let begun = Instant::now();
    assert!(running.wait(&Deadline::default().within(Duration::from_secs(20))).unwrap().is_some());
    assert!(begun.elapsed() < Duration::from_secs(10));
}
