/* The program's process, from fork to exec: what it may use, see and ask for. Nothing here can be undone by the program. */
#define _GNU_SOURCE
#include "warden.h"

static void set_limit(int which, unsigned long long most)
{
    struct rlimit limit, now;
    limit.rlim_cur = limit.rlim_max = most;
    /* The user may have less already. */
    if (getrlimit((__rlimit_resource_t)which, &now) == 0 && now.rlim_max < limit.rlim_max)
        limit.rlim_cur = limit.rlim_max = now.rlim_max;
    if (setrlimit((__rlimit_resource_t)which, &limit) != 0)
        fail(STEP_LIMITS);
}

/* Whether processes are counted for each namespace of users, and not for all that the user runs. */
static int counts_by_namespace(void)
{
    struct utsname kernel;
    int major = 0, minor = 0;
    return uname(&kernel) == 0 && sscanf(kernel.release, "%d.%d", &major, &minor) == 2 && (major > 5 || (major == 5 && minor >= 14));
}

static void set_limits(int spaces)
{
    for (int i = 0; i < orders.limits; i++)
        set_limit(orders.limit[i].which, orders.limit[i].most);
    if ((spaces & CLONE_NEWUSER) && orders.tasks && counts_by_namespace())
        set_limit(RLIMIT_NPROC, orders.tasks + 3); /* the warden, its init, and this one */
}

/* Only its own processes are to be seen. Refused in some containers; then all are seen, as before. The rules for files know the old
 * mount, so the new one is added. */
static void mount_own_processes(void)
{
    struct { uint64_t access; int32_t folder; } __attribute__((packed)) rule = { 1 | 4 | 8, -1 }; /* execute, read files, read folders */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
        || mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return;
    rule.folder = open("/proc", O_PATH | O_CLOEXEC);
    if (orders.rules >= 0)
        syscall(SYS_landlock_add_rule, orders.rules, 1, &rule, 0);
    close(rule.folder);
}

/* All of them, from every set, also for root, for whom exec would bring them back. */
static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int capability = 0; capability < 64; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    prctl(PR_SET_SECUREBITS, 0x2f); /* no root, no fix-ups, none kept, locked where it can be */
    syscall(SYS_capset, &header, none);
}

static int put_filter(struct sock_fprog *filter, unsigned flags)
{
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, filter);
}

static struct sock_fprog read_filter(int fd)
{
    struct sock_fprog filter = { 0, NULL };
    struct stat about;
    if (fstat(fd, &about) != 0 || about.st_size == 0)
        fail(STEP_CALLS);
    filter.filter = malloc((size_t)about.st_size);
    if (!filter.filter || pread(fd, filter.filter, (size_t)about.st_size, 0) != about.st_size)
        fail(STEP_CALLS);
    filter.len = (unsigned short)((size_t)about.st_size / sizeof *filter.filter);
    return filter;
}

/* Calls that are not allowed are put to the warden, which counts and refuses them; where that is not to be had, the kernel refuses. */
static void guard_calls(int talk)
{
    struct sock_fprog refusing = read_filter(orders.filter), absent = read_filter(orders.absent), asking = refusing;
    int listener = -1;
    char answer = 0;
    if (put_filter(&absent, 0) != 0)
        fail(STEP_CALLS);
    asking.filter = malloc(refusing.len * sizeof *asking.filter);
    if (!asking.filter)
        fail(STEP_CALLS);
    memcpy(asking.filter, refusing.filter, refusing.len * sizeof *asking.filter);
    for (int i = 0; i < asking.len; i++)
        if (asking.filter[i].code == (BPF_RET | BPF_K) && asking.filter[i].k == (SECCOMP_RET_ERRNO | EPERM))
            asking.filter[i].k = SECCOMP_RET_USER_NOTIF;
    if (orders.counts >= 0)
        listener = put_filter(&asking, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (write(talk, &listener, sizeof listener) != (ssize_t)sizeof listener || read(talk, &answer, 1) != 1)
        _exit(126);
    /* Refusing goes before asking, whichever came first. This way of putting it on is allowed by the other one. */
    if ((listener < 0 || answer != 'y') && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &refusing) != 0)
        fail(STEP_CALLS);
}

void become_program(int spaces, int talk)
{
    sigset_t none;
    if (orders.fixed) {
        int now = personality(0xffffffff);
        personality((unsigned long)now | ADDR_NO_RANDOMIZE); /* refused in some containers; the engine looks */
    }
    if (spaces)
        mount_own_processes();
    set_limits(spaces);
    if (orders.confine) {
        drop_capabilities();
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
            fail(STEP_FILES);
        if (orders.rules >= 0 && syscall(SYS_landlock_restrict_self, orders.rules, 0) != 0)
            fail(STEP_FILES);
    }
    for (int number = 1; number < 65; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Fails when the warden has ended before that. */
    if (orders.confine)
        guard_calls(talk);
    execv(orders.program[0], orders.program);
    fail(STEP_EXEC);
}
