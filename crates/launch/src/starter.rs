//! The one thread that starts processes.
//!
//! The kernel ends a process "with its parent" when the *thread* that started it ends. Threads of the engine come and go, so a thread
//! that stays as long as the engine starts everything.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel, sync_channel};

type Work = Box<dyn FnOnce() + Send>;

/// Starts the command on the thread that stays.
pub fn start(mut command: Command) -> io::Result<Child> {
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
        let _ = answer.send(command.spawn());
    });
    starter.as_ref().ok_or_else(gone)?.send(work).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}
