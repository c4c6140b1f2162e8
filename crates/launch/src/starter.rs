//! The one thread that starts processes.
//!
//! The kernel ends a process "with its parent" when the *thread* that started it ends. Threads of the engine come and go, so a thread
//! that stays as long as the engine starts everything.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel, sync_channel};

type Work = Box<dyn FnOnce() + Send>;

/// Starts the command on the thread that stays; it keeps these descriptors under their numbers.
pub fn start(mut command: Command, kept: Vec<i32>) -> io::Result<Child> {
    static STARTER: OnceLock<Option<Sender<Work>>> = OnceLock::new();
    let gone = || io::Error::other("no thread to start processes from");
    let starter = STARTER.get_or_init(|| {
        let (send, receive) = channel::<Work>();
        let thread = std::thread::Builder::new().name("starter".to_owned());
        thread.spawn(move || receive.iter().for_each(|work| work())).ok().map(|_| send)
    });
    let (answer, started) = sync_channel(1);
    let work = Box::new(move || {
        // Nobody listens only when the one who asked is gone.
        let _ = answer.send(handing_on(&kept, || command.spawn()));
    });
    starter.as_ref().ok_or_else(gone)?.send(work).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}

/// Descriptors survive `exec` while something is started, and only then: nothing is started by any other thread.
fn handing_on<T>(kept: &[i32], start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let set = |flag: i32| {
        // SAFETY: plain system calls on descriptors that whoever asked holds open.
        let refused = |descriptor: &&i32| unsafe { libc::fcntl(**descriptor, libc::F_SETFD, flag) } != 0;
        kept.iter().find(refused).map_or(Ok(()), |_| Err(io::Error::last_os_error()))
    };
    let started = set(0).and_then(|()| start());
    set(libc::FD_CLOEXEC)?;
    started
}
