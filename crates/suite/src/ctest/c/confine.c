/* ---- Where a test runs: in a fresh folder, the only one it may write to, out of reach of other processes and the network ---- */

extern char **covtest_environment __asm__("environ");
extern void covtest_gcov(void) __asm__("__gcov_init") __attribute__((weak));

static int covtest_unconfined;

/* The folder is the working directory and home; the environment has little more. */
static void covtest_enter_folder(void)
{
    static char home[544], temporary[544], path[] = "PATH=/usr/bin:/bin";
    static char *environment[] = { path, home, temporary, NULL };
    const char *where = covtest_getenv("TMPDIR");
    char *folder = covtest_report->folder;
    covtest_snprintf(folder, sizeof covtest_report->folder, "%s/covet-test-%ld", where && *where ? where : "/tmp",
                     covtest_syscall(SYS_getpid));
    if (covtest_syscall(SYS_mkdirat, -100L, folder, 0700L) != 0)
        return;
    covtest_report->has_folder = 1;
    covtest_syscall(SYS_chdir, folder);
    covtest_snprintf(home, sizeof home, "HOME=%s", folder);
    covtest_snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    covtest_environment = environment;
}

static void covtest_remove(long parent, const char *name, int depth)
{
    char entries[4096];
    long folder, size, at;
    if (covtest_syscall(SYS_unlinkat, parent, name, 0L) == 0 || depth > 32)
        return;
    folder = covtest_syscall(SYS_openat, parent, name, 0400000L); /* no link */
    if (folder < 0)
        return;
    while ((size = covtest_syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (at = 0; at < size; at += *(unsigned short *)(entries + at + 16)) {
            const char *entry = entries + at + 19;
            if (__builtin_strcmp(entry, ".") != 0 && __builtin_strcmp(entry, "..") != 0)
                covtest_remove(folder, entry, depth + 1);
        }
    covtest_syscall(SYS_close, folder);
    covtest_syscall(SYS_unlinkat, parent, name, 0x200L);
}

static void covtest_leave_folder(void)
{
    if (covtest_report->has_folder)
        covtest_remove(-100, covtest_report->folder, 0);
}

#ifdef SYS_landlock_create_ruleset
static void covtest_allow(long rules, const char *path, unsigned long long access)
{
    struct { unsigned long long access; int folder; } __attribute__((packed)) rule;
    rule.access = access;
    rule.folder = (int)covtest_syscall(SYS_openat, -100L, path, 010000000L);
    if (rule.folder < 0)
        return;
    if (covtest_syscall(SYS_landlock_add_rule, rules, 1L, &rule, 0L) != 0) {
        rule.access &= 0xc007; /* it is a file, of which less can be allowed */
        covtest_syscall(SYS_landlock_add_rule, rules, 1L, &rule, 0L);
    }
    covtest_syscall(SYS_close, (long)rule.folder);
}

static void covtest_guard_files(void)
{
    unsigned long long handled[3] = { 0x1fff, 0, 0 }; /* files, network, scopes */
    long version = covtest_syscall(SYS_landlock_create_ruleset, (void *)0, 0L, 1L), rules, size;
    unsigned i;
    if (version < 1)
        return;
    handled[0] |= version >= 2 ? 0x2000 : 0;
    handled[0] |= version >= 3 ? 0x4000 : 0;
    handled[0] |= version >= 5 ? 0x8000 : 0;
    handled[1] = version >= 4 ? 3 : 0;
    handled[2] = version >= 6 ? 3 : 0;
    size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    rules = covtest_syscall(SYS_landlock_create_ruleset, handled, size, 0L);
    if (rules < 0)
        return;
    for (i = 0; i < sizeof covtest_readable / sizeof covtest_readable[0]; i++)
        covtest_allow(rules, covtest_readable[i], 0xd); /* execute and read */
    covtest_allow(rules, "/dev/null", handled[0] & 0xc006);
    covtest_allow(rules, "/dev/zero", handled[0] & 0xc006);
    if (covtest_report->has_folder)
        covtest_allow(rules, covtest_report->folder, handled[0]);
    covtest_syscall(SYS_landlock_restrict_self, rules, 0L);
    covtest_syscall(SYS_close, rules);
}
#else
static void covtest_guard_files(void) {}
#endif

/* Signals to others, connections, changes to files' attributes and new processes are refused; threads are not. Exploration refuses
 * the same, so the tested code sees no difference. */
static void covtest_guard_calls(void)
{
    static const long refused[] = {
        SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_ptrace, SYS_setsid, SYS_setpgid, SYS_mount, SYS_umount2, SYS_reboot,
        SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
        SYS_process_vm_writev,
#ifdef SYS_fork
        SYS_fork, SYS_vfork,
#endif
#ifdef SYS_chmod
        SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes,
#endif
    };
    static const long signalling[] = { SYS_kill, SYS_tkill, SYS_tgkill };
    struct { unsigned short code; unsigned char yes, no; unsigned value; } filter[64];
    struct { unsigned short length; void *filter; } program;
    unsigned count = sizeof refused / sizeof refused[0], at = 0, i;
    unsigned self = (unsigned)covtest_syscall(SYS_getpid);
#define COVTEST_STEP(c, y, n, v) \
    (filter[at].code = (c), filter[at].yes = (unsigned char)(y), filter[at].no = (unsigned char)(n), filter[at++].value = (unsigned)(v))
    COVTEST_STEP(0x20, 0, 0, 0); /* the call's number */
    COVTEST_STEP(0x15, 0, 4, SYS_clone);
    COVTEST_STEP(0x20, 0, 0, 16); /* its flags */
    COVTEST_STEP(0x45, 1, 0, 0x10000); /* a thread? */
    COVTEST_STEP(0x06, 0, 0, 0x0005000b); /* EAGAIN */
    COVTEST_STEP(0x06, 0, 0, 0x7fff0000);
#ifdef SYS_clone3
    COVTEST_STEP(0x15, 0, 1, SYS_clone3);
    COVTEST_STEP(0x06, 0, 0, 0x00050026); /* ENOSYS: the library then uses clone */
#endif
    for (i = 0; i < 3; i++)
        COVTEST_STEP(0x15, 2 - i + count + 1, 0, signalling[i]); /* to the check of its target */
    for (i = 0; i < count; i++)
        COVTEST_STEP(0x15, count - i + 3, 0, refused[i]); /* to the refusal */
    COVTEST_STEP(0x06, 0, 0, 0x7fff0000);
    COVTEST_STEP(0x20, 0, 0, 16); /* the target */
    COVTEST_STEP(0x15, 2, 0, self);
    COVTEST_STEP(0x15, 1, 0, 0);
    COVTEST_STEP(0x06, 0, 0, 0x00050001); /* EPERM */
    COVTEST_STEP(0x06, 0, 0, 0x7fff0000);
#undef COVTEST_STEP
    program.length = (unsigned short)at;
    program.filter = filter;
    covtest_syscall(SYS_prctl, 22L, 2L, &program);
}

static void covtest_confine(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_MEMORY__) && !defined(__SANITIZE_THREAD__)
    /* gcov's files are written by the tests themselves. */
    if (covtest_unconfined || covtest_gcov)
        return;
    covtest_syscall(SYS_prctl, 38L, 1L, 0L, 0L, 0L); /* no new privileges */
    covtest_guard_files();
    covtest_guard_calls();
#endif
}

