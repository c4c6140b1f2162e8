/* warden: starts one program in a sandbox and stays to watch it.
 *
 *     warden KEY=VALUE... -- PROGRAM ARGUMENT...
 *
 *     engine ──fork, exec──▶ warden ──fork──▶ init      first process of the namespace: when it ends, the kernel ends all others in it
 *                               │
 *                               └────fork──▶ program    limits, no capabilities, Landlock, seccomp, then exec
 *
 * The warden has no namespace of processes itself, so the program cannot see it. It answers refused system calls, adds up what all
 * processes use, and tells the engine by records on a pipe. Everything ends when the program ends, when the warden ends, and when the
 * engine ends. Where namespaces are not to be had, the program's session is ended process by process instead.
 *
 * What the rules and filters say is the engine's business (launch/src); here they are only put on. */
#define _GNU_SOURCE
#include "warden.h"

struct orders orders = { .status = -1, .rules = -1, .filter = -1, .absent = -1, .counts = -1 };

void tell(uint32_t kind, uint32_t value, uint32_t more)
{
    struct record record = { kind, value, more };
    if (orders.status >= 0 && write(orders.status, &record, sizeof record) != (ssize_t)sizeof record)
        _exit(126); /* the engine is gone */
}

void fail(uint32_t step)
{
    tell(RECORD_FAILED, step, (uint32_t)errno);
    _exit(127);
}

static void read_orders(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        char *word = words[i], *value = strchr(word, '=');
        if (strcmp(word, "--") == 0) {
            orders.program = words + i + 1;
            return;
        }
        if (!value)
            _exit(125);
        *value++ = 0;
        unsigned long long number = strtoull(value, NULL, 10);
        if (strcmp(word, "engine") == 0) orders.engine = (pid_t)number;
        else if (strcmp(word, "status") == 0) orders.status = (int)number;
        else if (strcmp(word, "rules") == 0) orders.rules = (int)number;
        else if (strcmp(word, "filter") == 0) orders.filter = (int)number;
        else if (strcmp(word, "absent") == 0) orders.absent = (int)number;
        else if (strcmp(word, "counts") == 0) orders.counts = (int)number;
        else if (strcmp(word, "keep") == 0) orders.keep = (int)number;
        else if (strcmp(word, "confine") == 0) orders.confine = (int)number;
        else if (strcmp(word, "fixed") == 0) orders.fixed = (int)number;
        else if (strcmp(word, "memory") == 0) orders.memory = number;
        else if (strcmp(word, "tasks") == 0) orders.tasks = number;
        else if (strcmp(word, "scratch") == 0) orders.scratch = number;
        else if (strcmp(word, "folder") == 0) orders.folder = value;
        else if (strcmp(word, "limit") == 0 && orders.limits < MOST_LIMITS) {
            char *colon = strchr(value, ':');
            orders.limit[orders.limits].which = (int)number;
            orders.limit[orders.limits++].most = colon ? strtoull(colon + 1, NULL, 10) : 0;
        } else _exit(125);
    }
    _exit(125);
}

/* Closes what was not meant to be handed on, and hides our own descriptors from the program. */
static void close_others(void)
{
    int ours[] = { orders.status, orders.rules, orders.filter, orders.absent, orders.counts };
    for (int fd = 3; fd < 1024; fd++) {
        int is_ours = fd == orders.keep;
        for (unsigned i = 0; i < sizeof ours / sizeof *ours; i++)
            if (fd == ours[i]) {
                is_ours = 1;
                fcntl(fd, F_SETFD, FD_CLOEXEC);
            }
        if (!is_ours)
            close(fd);
    }
    syscall(SYS_close_range, 1024U, ~0U, 0U);
}

static int put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return done;
}

/* Namespaces of its own, as many as the kernel gives. The user stays who he is. */
static int leave_namespaces(void)
{
    static const int inner = CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWNET;
    char map[64];
    unsigned user = getuid(), group = getgid();
    if (unshare(CLONE_NEWUSER | inner) == 0) {
        put("/proc/self/setgroups", "deny");
        snprintf(map, sizeof map, "%u %u 1", user, user);
        put("/proc/self/uid_map", map);
        snprintf(map, sizeof map, "%u %u 1", group, group);
        put("/proc/self/gid_map", map);
        return CLONE_NEWUSER | inner;
    }
    return unshare(inner) == 0 ? inner : 0;
}

/* The first process of the namespace: orphans become its children and are forgotten. */
static pid_t start_init(void)
{
    pid_t init = fork();
    if (init != 0)
        return init;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    signal(SIGCHLD, SIG_IGN);
    syscall(SYS_close_range, 0U, ~0U, 0U);
    for (;;)
        pause();
}

int main(int count, char **words)
{
    sigset_t all;
    read_orders(count, words);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    /* Asked to end, not ended: the program has to go too. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != orders.engine)
        _exit(126);
    close_others();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* Nothing but the looks of the warden holds the number of root's processes; it must not have to wait its turn among them. */
    int usual = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, -20);
    int spaces = orders.confine ? leave_namespaces() : 0;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* new namespaces may have taken it away */
    pid_t init = 0;
    if (spaces && (init = start_init()) < 0)
        fail(STEP_FORK);
    int talk[2] = { -1, -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0)
        fail(STEP_FORK);
    pid_t program = fork();
    if (program < 0)
        fail(STEP_FORK);
    if (program == 0) {
        close(talk[0]);
        setpriority(PRIO_PROCESS, 0, usual);
        become_program(spaces, talk[1]);
    }
    close(talk[1]);
    tell(RECORD_STARTED, (uint32_t)program, (uint32_t)spaces);
    prctl(PR_SET_DUMPABLE, 0);
    watch(program, init, take_listener(program, talk[0]));
}
