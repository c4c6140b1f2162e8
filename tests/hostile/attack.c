/* What a hostile program tries. Compiled apart and linked in, so that nothing of ours has seen it.
 *
 * `reach` runs before anything of the test program does: as the resolver of an indirect function, from .preinit_array and as a
 * constructor. Where an attack succeeds by its own account the process ends with code 99. Nothing here harms a machine without a
 * sandbox: victims are files and processes of the test's own (VICTIM, PROCESS, PORT), the time that is set does not exist. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static long raw(long number, long a, long b, long c, long d, long e)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
}

#define CALL(number, a, b, c, d) raw(number, (long)(a), (long)(b), (long)(c), (long)(d), 0)
#define FILE_OF(name) VICTIM "/" name

static void fails(long result)
{
    if (result >= 0)
        raw(SYS_exit_group, 99, 0, 0, 0, 0);
}

static void reach_files(void)
{
    static const struct timespec times[2];
    fails(CALL(SYS_open, FILE_OF("new"), O_WRONLY | O_CREAT, 0644, 0));
    fails(CALL(SYS_open, FILE_OF("file"), O_WRONLY | O_TRUNC, 0, 0));
    fails(CALL(SYS_open, FILE_OF("secret"), O_RDONLY, 0, 0));
    fails(CALL(SYS_open, "/etc/shadow", O_RDONLY, 0, 0));
    fails(CALL(SYS_truncate, FILE_OF("file"), 0, 0, 0));
    fails(CALL(SYS_rename, FILE_OF("file"), FILE_OF("moved"), 0, 0));
    fails(CALL(SYS_unlink, FILE_OF("file"), 0, 0, 0));
    fails(CALL(SYS_link, FILE_OF("file"), "stolen", 0, 0));
    fails(CALL(SYS_symlink, "x", FILE_OF("link"), 0, 0));
    fails(CALL(SYS_mkdir, FILE_OF("folder"), 0755, 0, 0));
    fails(CALL(SYS_mknodat, AT_FDCWD, FILE_OF("pipe"), S_IFIFO | 0644, 0));
    fails(CALL(SYS_chmod, FILE_OF("file"), 0777, 0, 0));
    fails(CALL(SYS_chown, FILE_OF("file"), 1, 1, 0));
    fails(CALL(SYS_utimensat, AT_FDCWD, FILE_OF("file"), times, 0));
    fails(CALL(SYS_setxattr, FILE_OF("file"), "user.x", "y", 1));
    fails(CALL(SYS_open, "/dev/shm/covet-hostile", O_WRONLY | O_CREAT, 0644, 0));
    fails(CALL(SYS_open, "/tmp/covet-hostile", O_WRONLY | O_CREAT, 0644, 0));
    fails(CALL(SYS_mount, "none", VICTIM, "tmpfs", 0));
    fails(CALL(SYS_chroot, "/", 0, 0, 0));
}

static void reach_network(void)
{
    struct sockaddr_in there = { .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = { htonl(0x7f000001) } };
    for (int kind = SOCK_STREAM; kind <= SOCK_DGRAM; kind++) {
        long fd = CALL(SYS_socket, AF_INET, kind, 0, 0);
        if (fd >= 0) {
            CALL(SYS_connect, fd, &there, sizeof there, 0);
            CALL(SYS_write, fd, "x", 1, 0);
        }
        fails(fd);
    }
    fails(CALL(SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0));
    fails(CALL(SYS_io_uring_setup, 1, 0, 0, 0));
}

static void reach_processes(void)
{
    char path[64];
    struct iovec one = { path, 1 };
    fails(CALL(SYS_kill, PROCESS, SIGUSR1, 0, 0));
    fails(CALL(SYS_tkill, PROCESS, SIGUSR1, 0, 0));
    fails(CALL(SYS_pidfd_open, PROCESS, 0, 0, 0));
    fails(CALL(SYS_ptrace, PTRACE_ATTACH, PROCESS, 0, 0));
    fails(raw(SYS_process_vm_writev, PROCESS, (long)&one, 1, (long)&one, 1));
    fails(CALL(SYS_prlimit64, PROCESS, 7, 0, path));
    snprintf(path, sizeof path, "/proc/%d/mem", PROCESS);
    fails(CALL(SYS_open, path, O_RDWR, 0, 0));
    snprintf(path, sizeof path, "/proc/%d/environ", PROCESS);
    fails(CALL(SYS_open, path, O_RDONLY, 0, 0));
    fails(CALL(SYS_unshare, CLONE_NEWUSER, 0, 0, 0));
    fails(CALL(SYS_setsid, 0, 0, 0, 0) > 0 ? 0 : -1);
    fails(CALL(SYS_shmget, 0, 4096, 01600, 0));
}

static void reach_machine(void)
{
    struct timespec never = { 0, 2000000000 };
    if (CALL(SYS_clock_settime, CLOCK_REALTIME, &never, 0, 0) != -EPERM)
        fails(0);
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || getenv("COVET_HOSTILE_SECRET"))
        fails(0);
    fails(CALL(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0));
    fails(CALL(SYS_bpf, 0, 0, 0, 0));
    fails(CALL(SYS_perf_event_open, 0, 0, 0, 0));
    fails(CALL(SYS_personality, ADDR_NO_RANDOMIZE_BIT, 0, 0, 0));
    fails(CALL(SYS_sethostname, "x", 1, 0, 0));
}

static void reach(void)
{
    reach_files();
    reach_network();
    reach_processes();
    reach_machine();
}

__attribute__((constructor)) static void at_start(void) { reach(); }

static void before_start(void) { reach_files(); }
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before_start;

static int indirect_body(void) { return 1; }
static int (*resolve(void))(void)
{
    fails(CALL(SYS_open, FILE_OF("resolver"), O_WRONLY | O_CREAT, 0644, 0));
    return indirect_body;
}
int indirect(void) __attribute__((ifunc("resolve")));

static void old_calls(int which)
{
    static const char path[] = FILE_OF("old");
    long result = -1;
    if (which == 1) { /* creat by the 32-bit gate; its pointers are short, so the path is copied low */
        char *low = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        memcpy(low, path, sizeof path);
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(8), "b"(low), "c"(0644) : "memory");
    } else {
        result = CALL(SYS_creat | 0x40000000, path, 0644, 0, 0);
    }
    fails(result);
}

static void *idle(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* Bombs are bounded, so that they are none where they are not stopped. */
static void bomb(int which)
{
    static char block[1 << 20];
    char name[32];
    pthread_t thread;
    memset(block, 1, sizeof block);
    for (int i = 0; i < 3000; i++) {
        if (which == 3) {
            char *more = (char *)CALL(SYS_mmap, 0, sizeof block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
            if ((unsigned long)more < (unsigned long)-4096)
                memset(more, 1, sizeof block);
        } else if (which == 4) {
            pthread_create(&thread, NULL, idle, NULL);
        } else if (which == 5 && i < 600 && CALL(SYS_fork, 0, 0, 0, 0) == 0) {
            idle(NULL);
        } else if (which == 6) {
            snprintf(name, sizeof name, "file%d", i);
            int fd = open(name, O_WRONLY | O_CREAT, 0644);
            if (write(fd, block, sizeof block) < 0)
                return;
            close(fd);
        } else if (which == 7) {
            if (write(2, block, sizeof block) < 0)
                return;
        }
    }
}

/* The pages that the engine shares with a worker, if this is one. */
static void *shared_pages(size_t *size)
{
    char line[512];
    unsigned long from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    void *found = NULL;
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:covet") && strstr(line, "rw-s") && sscanf(line, "%lx-%lx", &from, &to) == 2 && !found) {
            found = (void *)from;
            *size = to - from;
        }
    if (maps)
        fclose(maps);
    return found;
}

static void *lie(void *pages)
{
    for (uint32_t i = 0;; i++)
        for (int word = 4; word < 200; word++)
            ((volatile uint32_t *)pages)[word] = i * 2654435761u >> (i & 15);
    return NULL;
}

static void spoil(int which)
{
    size_t size = 0;
    pthread_t thread;
    void *pages = shared_pages(&size);
    if (which == 10)
        for (int fd = 3; fd < 1024; fd++)
            if (ftruncate(fd, 0) != 0)
                continue;
    if (which == 11 && pages)
        memset(pages, 0xff, size < 65536 ? size : 65536);
    if (which == 12)
        for (int fd = 0; fd < 1024; fd++)
            close(fd);
    if (which == 14 && pages)
        pthread_create(&thread, NULL, lie, pages);
}

static void stay(int which)
{
    sigset_t all;
    sigfillset(&all);
    if (which == 8)
        CALL(SYS_kill, getpid(), SIGSTOP, 0, 0);
    if (which == 9) {
        raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0);
        idle(NULL);
    }
    if (which == 13 && CALL(SYS_fork, 0, 0, 0, 0) == 0) {
        CALL(SYS_setsid, 0, 0, 0, 0);
        if (CALL(SYS_fork, 0, 0, 0, 0) == 0) {
            CALL(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0);
            CALL(SYS_prctl, PR_SET_NAME, DAEMON, 0, 0);
            CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
            idle(NULL);
        }
        CALL(SYS_exit_group, 0, 0, 0, 0);
    }
}

int attack(int which)
{
    switch (which) {
    case 0: reach(); break;
    case 1: case 2: old_calls(which); break;
    case 3: case 4: case 5: case 6: case 7: bomb(which); break;
    case 8: case 9: case 13: stay(which); break;
    case 10: case 11: case 12: case 14: spoil(which); break;
    case 15: abort();
    default: break;
    }
    return indirect();
}
