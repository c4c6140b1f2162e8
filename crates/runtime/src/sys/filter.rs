//! The worker's last restriction, put on by itself: no new programs, no new processes, no signals to others.
//!
//! The engine has restricted the process before it started; what it still needed then (to become this program, to fork runs)
//! goes away here. Invariant: put on only where the engine has asked for a sandbox.

use core::ffi::c_long;

const NUMBER_AT: u32 = 0;
const FIRST_ARGUMENT_AT: u32 = 16;

fn load(at: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at)
}

fn answer(what: u32) -> libc::sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, what)
}

fn statement(code: u32, value: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: 0, jf: 0, k: value }
}

/// Skips `yes` instructions when the loaded word equals `value`, otherwise `no`.
fn equal(value: u32, yes: u8, no: u8) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16, jt: yes, jf: no, k: value }
}

/// Skips `yes` instructions when the loaded word has a bit of `bits`, otherwise `no`.
fn has(bits: u32, yes: u8, no: u8) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16, jt: yes, jf: no, k: bits }
}

#[cfg(target_arch = "x86_64")]
const FORKS: [c_long; 2] = [libc::SYS_fork, libc::SYS_vfork];
/// There these are `clone` already.
#[cfg(target_arch = "aarch64")]
const FORKS: [c_long; 2] = [libc::SYS_execve, libc::SYS_execveat];

/// From now on this process stays alone.
pub fn no_more_processes() {
    // SAFETY: plain questions and a filter that outlives the call.
    unsafe {
        if libc::prctl(libc::PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 {
            return;
        }
        let own = libc::getpid() as u32;
        let refuse = |error: i32| answer(libc::SECCOMP_RET_ERRNO | error as u32);
        let allow = answer(libc::SECCOMP_RET_ALLOW);
        // Jumps count the instructions they skip.
        let mut filter = [
            load(NUMBER_AT),
            equal(libc::SYS_execve as u32, 14, 0),
            equal(libc::SYS_execveat as u32, 13, 0),
            equal(FORKS[0] as u32, 12, 0),
            equal(FORKS[1] as u32, 11, 0),
            equal(libc::SYS_tkill as u32, 10, 0),
            // The library asks for threads by this one first, and by `clone` when it is not there.
            equal(libc::SYS_clone3 as u32, 10, 0),
            equal(libc::SYS_clone as u32, 3, 0),
            equal(libc::SYS_kill as u32, 4, 0),
            equal(libc::SYS_tgkill as u32, 3, 0),
            allow,
            // clone: threads only
            load(FIRST_ARGUMENT_AT),
            has(libc::CLONE_THREAD as u32, 2, 3),
            // kill, tgkill: itself only
            load(FIRST_ARGUMENT_AT),
            equal(own, 0, 1),
            allow,
            refuse(libc::EPERM),
            refuse(libc::ENOSYS),
        ];
        let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
        libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program);
    }
}
