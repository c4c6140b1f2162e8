//! `covet replay --gdb`: one test under gdb, stopped at the place of its alarm. On a terminal the user goes on from there; elsewhere the call
//! stack is printed.
//!
//! gdb runs outside of the sandbox, because the user drives it. The test in it confines itself, as far as a test that is run by hand does.

use crate::arguments::ReplayArgs;
use crate::failure::Failure;
use crate::place;
use crate::running::Running;
use covet_campaign::{Debuggable, debuggable};
use std::io::{Error, ErrorKind, IsTerminal};
use std::process::{Command, ExitCode};

pub fn perform(args: &ReplayArgs, running: &Running) -> Result<ExitCode, Failure> {
    let [name] = &args.tests[..] else {
        return Err(Failure::User("--gdb takes one test or alarm: covet replay OUT ALARM --gdb".into()));
    };
    // Before anything is compiled for it.
    Command::new("gdb").arg("--version").output().map_err(|error| no_gdb(&error))?;
    let config = place::config(&running.deadline)?;
    let test = running.unkept("compiling", || debuggable(&config, &args.out, name))?;
    tell!(
        "note: gdb runs {} outside of the sandbox; the test itself writes to a folder of its own only and connects to nobody",
        test.test
    );
    let is_interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut command = gdb(&test, is_interactive);
    match command.status() {
        // With commands, gdb says how the last of them went: that there is no stack any more, say.
        Ok(status) if status.success() || (!is_interactive && status.code().is_some()) => Ok(ExitCode::SUCCESS),
        Ok(status) => Err(Failure::Machine(format!("gdb ended with {status}"))),
        Err(error) => Err(no_gdb(&error)),
    }
}

fn no_gdb(error: &Error) -> Failure {
    Failure::Machine(match error.kind() {
        ErrorKind::NotFound => "there is no gdb; install it (apt-get install gdb), or leave --gdb out".into(),
        _ => format!("gdb cannot be started: {error}"),
    })
}

/// Neither the program nor its folder may tell gdb what to do.
const SETTINGS: [&str; 3] = ["set auto-load off", "set debuginfod enabled off", "set confirm off"];

fn gdb(test: &Debuggable, is_interactive: bool) -> Command {
    let mut command = Command::new("gdb");
    command.args(if is_interactive { &["-q"][..] } else { &["-batch", "-nx"] });
    command.args(SETTINGS.iter().flat_map(|setting| ["-iex", setting]));
    // Each test has a process of its own.
    let mut steps = vec!["set follow-fork-mode child".to_string(), "set breakpoint pending on".to_string()];
    steps.extend(test.stop.iter().map(|(file, line)| format!("tbreak {file}:{line}")));
    steps.push("run".into());
    if !is_interactive {
        let stack = ["bt", "info args", "info locals"].map(String::from);
        steps.extend(stack);
        // To where it ends, if it does not end there; and the end itself.
        steps.extend(test.stop.iter().flat_map(|_| ["continue".to_string(), "bt".to_string()]));
        steps.push("continue".into());
    }
    command.args(steps.iter().flat_map(|step| ["-ex", step.as_str()]));
    command.arg("--args").arg(&test.executable).args(["--output", &test.test]);
    command
}
