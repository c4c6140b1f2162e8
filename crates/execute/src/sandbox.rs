//! What a worker may not do: Landlock for files, network and signals, seccomp for system calls that have no business in a run.
//!
//! Files can be read everywhere and written in the worker's own folder only. Invariant: everything is prepared before the
//! process is made; between `fork` and `exec` only system calls happen.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use crate::Error;

pub struct Sandbox {
    files: Option<RulesetCreated>,
    calls: BpfProgram,
    pub warnings: Vec<String>,
}

impl Sandbox {
    /// Prepares a sandbox that may write below `folder`.
    pub fn new(folder: &Path) -> Result<Sandbox, Error> {
        let mut warnings = Vec::new();
        let files = landlock(folder, &mut warnings).map_err(Error::Sandbox)?;
        let calls = forbidden_calls().map_err(|error| Error::Sandbox(error.to_string()))?;
        Ok(Sandbox { files, calls, warnings })
    }

    /// Restricts the calling process for good.
    pub fn enter(&mut self) -> io::Result<()> {
        // SAFETY: a plain system call.
        if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
            return Err(io::Error::last_os_error());
        }
        if let Some(rules) = self.files.take() {
            rules.restrict_self().map_err(|_| io::Error::from_raw_os_error(libc::EPERM))?;
        }
        seccompiler::apply_filter(&self.calls).map_err(|_| io::Error::from_raw_os_error(libc::EPERM))
    }
}

fn landlock(folder: &Path, warnings: &mut Vec<String>) -> Result<Option<RulesetCreated>, String> {
    let version = landlock_version();
    if version < 1 {
        warnings.push("this kernel has no Landlock: files outside the scratch folder are not protected".to_string());
        return Ok(None);
    }
    if version < 6 {
        warnings.push("this kernel's Landlock cannot confine signals; the runtime refuses them itself".to_string());
    }
    let abi = ABI::V6;
    let rules = || -> Result<RulesetCreated, landlock::RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()
    };
    let mut rules = rules().map_err(|error| error.to_string())?;
    let may = |rules: RulesetCreated, path: &Path, access| -> Result<RulesetCreated, String> {
        let opened = PathFd::new(path).map_err(|error| error.to_string())?;
        rules.add_rule(PathBeneath::new(opened, access)).map_err(|error| error.to_string())
    };
    rules = may(rules, Path::new("/"), AccessFs::from_read(abi))?;
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
    rules = may(rules, folder, AccessFs::from_all(abi) & !devices)?;
    for device in ["/dev/null", "/dev/zero", "/dev/full"] {
        if Path::new(device).exists() {
            rules = may(rules, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
        }
    }
    Ok(Some(rules))
}

/// What the kernel offers; below 1 nothing.
fn landlock_version() -> i64 {
    const ASK_VERSION: u32 = 1;
    // SAFETY: this form of the call only asks.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, ASK_VERSION) }
}

/// Calls that fail with EPERM: what reaches other processes, the network, the machine, or file attributes that Landlock
/// does not guard.
const FORBIDDEN: &[i64] = &[
    // network
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    // other processes
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_unshare,
    libc::SYS_setns,
    // attributes and ownership
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // what outlives the process
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // the machine
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_mount_setattr,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_personality,
];

#[cfg(target_arch = "x86_64")]
const ALSO_FORBIDDEN: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
    libc::SYS_modify_ldt,
    // fchmodat2 and setxattrat, which have no name in the library yet
    452,
    463,
];
#[cfg(not(target_arch = "x86_64"))]
const ALSO_FORBIDDEN: &[i64] = &[452, 463];

fn forbidden_calls() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in FORBIDDEN.iter().chain(ALSO_FORBIDDEN) {
        rules.insert(*call, Vec::new());
    }
    // Limits of other processes.
    let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![other])?]);
    // New namespaces by way of clone.
    let namespaces = (libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET) as u64;
    let mut by_clone = Vec::new();
    for bit in (0..64).map(|shift| 1u64 << shift).filter(|bit| namespaces & bit != 0) {
        let wanted = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(bit), bit)?;
        by_clone.push(SeccompRule::new(vec![wanted])?);
    }
    rules.insert(libc::SYS_clone, by_clone);
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)?.try_into()
}
