//! What an interrupt does: the first asks to stop and keep what there is, the second ends at once.

use crate::failure::INTERRUPTED;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Has `flag` set by the first interrupt.
pub fn catch(flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // Under `nohup`, and in the background of some shells, a signal is not for us.
        if is_ignored(signal) {
            continue;
        }
        signal_hook::flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), Arc::clone(flag))?;
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zeros is a valid value; only what is there is asked.
    unsafe {
        let mut present: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut present) == 0 && present.sa_sigaction == libc::SIG_IGN
    }
}
