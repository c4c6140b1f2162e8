//! The system calls a program may make: a list of what is allowed; everything else is refused with EPERM.
//!
//! Allowed is what computes, what works on files that Landlock allows, and what concerns the program's own processes. Calls of another
//! architecture (`int 0x80`) end the process; those of x32 have numbers that no list holds.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Allowed whatever their arguments are.
const ALLOWED: &[i64] = &[
    // the runtime watches its own folder
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    // files: which, says Landlock
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_copy_file_range,
    libc::SYS_umask,
    libc::SYS_memfd_create,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    // waiting
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_restart_syscall,
    // what happens in its folder: the runtime looks for files that a run has left
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_inotify_rm_watch,
    // memory
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_brk,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_mlockall,
    libc::SYS_munlockall,
    libc::SYS_membarrier,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    // threads and processes of its own
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getattr,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_getcpu,
    // Made absent by the other filter, so that libraries use `clone`, whose flags can be seen.
    libc::SYS_clone3,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_setpgid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // signals: Landlock and the namespace keep them inside
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    // who and where it is
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_getpriority,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_gettimeofday,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrandom,
    // to be what it is already; without capabilities nothing else can come of it
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    // more walls inside these
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// The same under the names that only this architecture has.
#[cfg(target_arch = "x86_64")]
const ALSO_ALLOWED: &[i64] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_arch_prctl,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_pause,
    libc::SYS_alarm,
    libc::SYS_getpgrp,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const ALSO_ALLOWED: &[i64] = &[];

/// Requests of `ioctl` that ask what a descriptor is or how it is read: TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
const REQUESTS: &[u64] = &[0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/// Options of `prctl` about the caller alone.
const OPTIONS: &[i32] = &[
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_DUMPABLE,
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_SET_VMA,
];

/// Flags of `clone` for namespaces.
const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Allows the list and refuses the rest.
pub fn allowed() -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    rules.extend(ALLOWED.iter().chain(ALSO_ALLOWED).map(|call| (*call, Vec::new())));
    let equal = |argument, value| condition(argument, SeccompCmpOp::Eq, value);
    rules.insert(libc::SYS_ioctl, any_of(REQUESTS.iter().map(|request| vec![equal(1, *request)]))?);
    let options = OPTIONS.iter().map(|option| vec![equal(0, *option as u64)]);
    // Its end with its parent may be asked for, not forgone.
    let with_parent = vec![equal(0, libc::PR_SET_PDEATHSIG as u64), equal(1, libc::SIGKILL as u64)];
    rules.insert(libc::SYS_prctl, any_of(options.chain([with_parent]))?);
    // Its own limits, not those of others.
    rules.insert(libc::SYS_prlimit64, any_of([vec![equal(0, 0)]])?);
    // The question, not the change.
    rules.insert(libc::SYS_personality, any_of([vec![equal(0, 0xffff_ffff)]])?);
    let no_namespaces = condition(0, SeccompCmpOp::MaskedEq(NAMESPACES as u32 as u64), 0);
    rules.insert(libc::SYS_clone, any_of([vec![no_namespaces]])?);
    filter(rules, SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow)
}

/// Calls that libraries can do without when they are told that there is no such call.
pub fn absent() -> Result<BpfProgram, BackendError> {
    let rules = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    filter(rules, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32))
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, listed, arch)?.try_into()
}

type Condition = Result<SeccompCondition, BackendError>;

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Condition {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

/// Each a conjunction.
fn any_of(all: impl IntoIterator<Item = Vec<Condition>>) -> Result<Vec<SeccompRule>, BackendError> {
    let rule = |conditions: Vec<Condition>| SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?);
    all.into_iter().map(rule).collect()
}

/// Calls that programs are refused most, by name.
const NAMES: &[(i64, &str)] = &[
    (libc::SYS_socket, "socket"),
    (libc::SYS_socketpair, "socketpair"),
    (libc::SYS_fchmod, "fchmod"),
    (libc::SYS_fchmodat, "fchmodat"),
    (libc::SYS_fchown, "fchown"),
    (libc::SYS_fchownat, "fchownat"),
    (libc::SYS_utimensat, "utimensat"),
    (libc::SYS_mknodat, "mknodat"),
    (libc::SYS_setsid, "setsid"),
    (libc::SYS_ptrace, "ptrace"),
    (libc::SYS_prctl, "prctl"),
    (libc::SYS_ioctl, "ioctl"),
    (libc::SYS_clone, "clone"),
    (libc::SYS_unshare, "unshare"),
    (libc::SYS_mount, "mount"),
    (libc::SYS_chroot, "chroot"),
    (libc::SYS_setpriority, "setpriority"),
    (libc::SYS_sched_setaffinity, "sched_setaffinity"),
    (libc::SYS_sched_setscheduler, "sched_setscheduler"),
    (libc::SYS_shmget, "shmget"),
    (libc::SYS_semget, "semget"),
    (libc::SYS_msgget, "msgget"),
    (libc::SYS_mq_open, "mq_open"),
    (libc::SYS_clock_settime, "clock_settime"),
    (libc::SYS_settimeofday, "settimeofday"),
    (libc::SYS_io_uring_setup, "io_uring_setup"),
    (libc::SYS_perf_event_open, "perf_event_open"),
    (libc::SYS_bpf, "bpf"),
    (libc::SYS_personality, "personality"),
    (libc::SYS_sethostname, "sethostname"),
    (libc::SYS_reboot, "reboot"),
    (libc::SYS_setgroups, "setgroups"),
    (libc::SYS_sync, "sync"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, "chmod"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, "chown"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_lchown, "lchown"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, "mknod"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utime, "utime"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_utimes, "utimes"),
];

/// What a system call is called.
pub fn call_name(number: u32) -> String {
    let known = NAMES.iter().find(|(known, _)| *known == i64::from(number));
    known.map_or_else(|| format!("system call {number}"), |(_, name)| (*name).to_owned())
}

/// A filter as the kernel reads it.
pub fn bytes(filter: &BpfProgram) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(filter.len() * 8);
    for step in filter {
        bytes.extend(step.code.to_ne_bytes());
        bytes.extend([step.jt, step.jf]);
        bytes.extend(step.k.to_ne_bytes());
    }
    bytes
}
