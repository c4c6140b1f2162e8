//! A tool ends when it must, whatever it does.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use covet_budget::Deadline;
use covet_launch::{Error, keep, tool};

const LIMIT: usize = 1 << 20;

fn shell(text: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", text]);
    command
}

fn soon() -> Deadline {
    Deadline::default().within(Duration::from_millis(300))
}

fn is_alive(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn gone_soon(process: &str) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !is_alive(process)
    })
}

#[test]
fn output_and_status_are_told() {
    let output = tool(shell("echo out; echo err >&2; exit 3"), &Deadline::default(), LIMIT).unwrap();
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn full_pipes_do_not_block() {
    let both = "head -c 800000 /dev/zero; head -c 3000000 /dev/zero >&2";
    let output = tool(shell(both), &Deadline::default(), LIMIT).unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (800_000, LIMIT));
}

#[test]
fn a_flood_is_cut() {
    let error = tool(shell("cat /dev/zero"), &Deadline::default(), LIMIT).unwrap_err();
    assert!(matches!(error, Error::TooMuchOutput { .. }), "{error}");
}

#[test]
fn what_is_missing_is_said() {
    let error = tool(Command::new("covet-no-such-tool"), &Deadline::default(), LIMIT).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error}");
    let error = tool(Command::new("/etc"), &Deadline::default(), LIMIT).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }), "{error}");
}

#[test]
fn the_deadline_ends_all_of_it() {
    let file = std::env::temp_dir().join(format!("covet-launch-{}", std::process::id()));
    let text = format!("trap '' TERM; sleep 60 & echo $! > {}; cat /dev/zero >&2 & sleep 60", file.display());
    let start = Instant::now();
    assert!(tool(shell(&text), &soon(), LIMIT).unwrap_err().is_cut());
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(gone_soon(std::fs::read_to_string(&file).unwrap().trim()));
    std::fs::remove_file(file).unwrap();
    assert!(tool(shell("true"), &Deadline::default().within(Duration::ZERO), LIMIT).unwrap_err().is_cut());
}

#[test]
fn an_interrupt_ends_it() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let deadline = Deadline::on(&interrupt);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupt.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    assert!(tool(shell("sleep 60"), &deadline, LIMIT).unwrap_err().is_cut());
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn what_is_left_behind_is_ended_too() {
    let output = tool(shell("sleep 60 & echo $!"), &Deadline::default(), LIMIT).unwrap();
    assert!(gone_soon(String::from_utf8(output.stdout).unwrap().trim()));
}

#[test]
fn one_that_is_kept_lives_as_long_as_its_handle_and_no_thread_less() {
    use std::io::{BufRead, BufReader, Write};
    let started = std::thread::spawn(|| keep(Command::new("cat")).unwrap());
    let mut kept = started.join().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let (mut questions, answers) = kept.pipes().unwrap();
    writeln!(questions, "still there").unwrap();
    let mut line = String::new();
    BufReader::new(answers).read_line(&mut line).unwrap();
    assert_eq!(line, "still there\n");
}
