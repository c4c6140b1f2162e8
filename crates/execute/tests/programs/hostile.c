/* Functions that crash, hang, eat memory or reach for what is not theirs. Each is an entry; see `functions` for numbers. */
#include "instrumented.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <err.h>
#include <pthread.h>
#include <unistd.h>

uint64_t counters[64 * COUNTERS_EACH];
int state = 7;
static char big_state[1 << 20];
static __thread int per_thread = 3;

ENTRY(identity)
ENTRY(crash)
ENTRY(leave)
ENTRY(hang)
ENTRY(eat_heap)
ENTRY(recurse)
ENTRY(remove_outside)
ENTRY(kill_parent)
ENTRY(fork_bomb)
ENTRY(flood)
ENTRY(use_socket)
ENTRY(remember)
ENTRY(branch_on_input)
ENTRY(abort_now)
ENTRY(assert_now)
ENTRY(error_now)
ENTRY(double_free)
ENTRY(exit_handlers)
ENTRY(native_exit)
ENTRY(divide)
ENTRY(call_null)
ENTRY(eat_native)
ENTRY(leave_files)
ENTRY(hidden_state)
ENTRY(ignore_everything)
ENTRY(with_thread)
ENTRY(heap_patterns)
ENTRY(own_handler)
ENTRY(print)
ENTRY(library_state)
ENTRY(crash_in_thread)
ENTRY(signals_and_alarms)
ENTRY(raw_exit)
ENTRY(scribble)

int identity(int x) { COUNT(0, 0); return x; }

int crash(int x) {
    COUNT(1, 0);
    state = 99;
    *(volatile int *)(intptr_t)x = 1;
    return 0;
}

int leave(int x) { COUNT(2, 0); __covet_libc_exit(x); }

int hang(int x) {
    COUNT(3, 0);
    for (volatile int i = x;; i++) {}
}

int eat_heap(int x) {
    COUNT(4, 0);
    for (;;) {
        char *p = __covet_libc_malloc(1 << 20);
        if (p) memset(p, x, 1 << 20);
    }
}

int recurse(int x) {
    volatile char room[1000];
    COUNT(5, 0);
    room[0] = (char)x;
    return recurse(x + 1) + room[0];
}

/* Runs start three folders below the one the test has put its file into. */
int remove_outside(int x) {
    int refused = 0;
    COUNT(6, 0);
    (void)x;
    const char *target = "../../../victim";
    if (access(target, R_OK) != 0) return -1;
    refused += unlink(target) != 0;
    refused += rename(target, "../../../moved") != 0;
    refused += open(target, O_WRONLY) < 0;
    refused += truncate(target, 0) != 0;
    refused += chmod(target, 0) != 0;
    refused += mkdir("../../../folder", 0700) != 0;
    refused += open("../../../new", O_WRONLY | O_CREAT, 0600) < 0;
    return refused;
}

int kill_parent(int x) {
    COUNT(7, 0);
    (void)x;
    int refused = 0;
    /* A parent outside of the namespace is not to be seen; its first process is. */
    int parent = getppid() ? getppid() : 1;
    refused += __covet_libc_kill(parent, SIGKILL) != 0;
    /* Past the stand-ins, straight to the system. */
    refused += kill(parent, SIGKILL) != 0;
    refused += syscall(SYS_kill, parent, SIGKILL) != 0;
    refused += kill(-1, SIGKILL) != 0;
    return refused;
}

int fork_bomb(int x) {
    int refused = 0;
    COUNT(8, 0);
    for (int i = 0; i < 100; i++) refused += __covet_libc_fork() < 0;
    for (int i = 0; i < 100; i++) {
        int child = fork();
        if (child == 0) for (;;) {}
        refused += child < 0;
    }
    refused += vfork() < 0;
    refused += system("true") != 0;
    refused += execl("/bin/true", "true", (char *)0) != 0;
    (void)x;
    return refused;
}

int flood(int x) {
    static char block[1 << 16];
    long failed = 0;
    COUNT(9, 0);
    int f = open("flood", O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 2000; i++) failed += write(f, block, sizeof block) < 0;
    for (int i = 0; i < 2000; i++) failed += write(1, block, sizeof block) < 0;
    (void)x;
    return failed > 1000;
}

int use_socket(int x) {
    COUNT(10, 0);
    (void)x;
    return (socket(AF_INET, SOCK_STREAM, 0) < 0) + (socket(AF_UNIX, SOCK_STREAM, 0) < 0);
}

int remember(int x) {
    COUNT(11, 0);
    int before = state + big_state[12345] + per_thread;
    state += 1;
    memset(big_state, 1, sizeof big_state);
    per_thread++;
    return before + x;
}

/* if (x > 5), as instrumented code does it. */
int branch_on_input(int x) {
    COUNT(12, 0);
    int local = x;
    uint32_t id = __covet_load((uint64_t)&local, 0, 32, 0);
    (void)id;
    return local > 5;
}
static void branch_driver(void **arguments, void *result) {
    COUNT(12, 0);
    int *x = arguments[0];
    uint32_t id = __covet_load((uint64_t)x, 0, 32, 1);
    uint32_t condition = id ? __covet_binary(33 /* Slt */, 32, 0, id, 5, (uint32_t)*x) : 0;
    int taken = 5 < *x;
    if (condition) __covet_branch(2, condition, taken);
    if (taken) COUNT(12, 1); else COUNT(12, 2);
    *(int *)result = taken;
}

int abort_now(int x) { COUNT(13, 0); (void)x; __covet_libc_abort(); }
int assert_now(int x) { COUNT(14, 0); __covet_libc___assert_fail("x", "f.c", (unsigned)x, "f"); return 0; }
int error_now(int x) { COUNT(15, 0); (void)x; __covet_reach_error(); }
int double_free(int x) {
    COUNT(16, 0);
    char *p = __covet_libc_malloc(x ? 100 : 200000);
    __covet_libc_free(p);
    __covet_libc_free(p);
    return 0;
}

static void at_exit(void) { COUNT(17, 1); }
int exit_handlers(int x) {
    COUNT(17, 0);
    __covet_libc_atexit(at_exit);
    __covet_libc_atexit(at_exit);
    __covet_libc_exit(x);
}

/* The library ends the process itself. */
int native_exit(int x) { COUNT(18, 0); errx(x, "gone"); }
int divide(int x) { COUNT(19, 0); volatile int zero = 0; return x / zero; }
int call_null(int x) { COUNT(20, 0); int (*volatile f)(int) = NULL; return f(x) + 1; }

int eat_native(int x) {
    COUNT(21, 0);
    long got = 0;
    for (int i = 0; i < 64; i++) {
        char *p = mmap(NULL, 1 << 28, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        got += p != MAP_FAILED;
    }
    (void)x;
    return got < 60;
}

int leave_files(int x) {
    COUNT(22, 0);
    struct stat s;
    int known = stat("left", &s) == 0 || stat("deep/er/left", &s) == 0;
    int f = open("left", O_WRONLY | O_CREAT, 0600);
    int g = mkdir("deep", 0700) + mkdir("deep/er", 0700);
    int h = open("deep/er/left", O_WRONLY | O_CREAT, 0600);
    if (known) COUNT(22, 1);
    return known * 100 + (f >= 0 && g == 0 && h >= 0) + f * 1000 + x;
}

/* State that no reset knows: not in the table of globals. */
int unlisted;
int hidden_state(int x) {
    COUNT(23, 0);
    if (unlisted++ % 2) COUNT(23, 1);
    return x;
}

int ignore_everything(int x) {
    COUNT(24, 0);
    /* Past the stand-ins. */
    for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
    for (volatile int i = x;; i++) {}
}

static void *in_thread(void *p) { *(int *)p = 5; __covet_libc_free(__covet_libc_malloc(10)); return NULL; }
int with_thread(int x) {
    COUNT(25, 0);
    pthread_t t;
    int got = 0;
    if (__covet_libc_pthread_create(&t, NULL, in_thread, &got) != 0) return -1;
    pthread_join(t, NULL);
    return got + x;
}

int heap_patterns(int x) {
    COUNT(26, 0);
    enum { N = 3000 };
    static unsigned char *p[N];
    static size_t n[N];
    unsigned seed = (unsigned)x, bad = 0;
    memset(p, 0, sizeof p);
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1103515245u + 12345u;
        int at = (int)(seed >> 8) % N;
        size_t size = (seed >> 4) % ((i % 50) ? 300 : 200000);
        if (p[at]) {
            for (size_t j = 0; j < n[at]; j += 97) bad += p[at][j] != (unsigned char)at;
            if (seed & 64) { __covet_libc_free(p[at]); p[at] = NULL; continue; }
            size_t kept = n[at] < size ? n[at] : size;
            unsigned char *q = __covet_libc_realloc(p[at], size);
            if (size == 0) { p[at] = NULL; continue; }
            if (!q) { bad++; continue; }
            for (size_t j = 0; j < kept; j += 97) bad += q[j] != (unsigned char)at;
            p[at] = q;
        } else if (seed & 128) {
            p[at] = __covet_libc_calloc(1, size);
            for (size_t j = 0; j < size; j += 31) bad += p[at][j] != 0;
        } else {
            p[at] = seed & 256 ? __covet_libc_malloc(size) : __covet_libc_aligned_alloc(256, size);
            bad += ((uintptr_t)p[at] % 16) != 0;
            if (!(seed & 256)) bad += ((uintptr_t)p[at] % 256) != 0;
        }
        n[at] = size;
        memset(p[at], at, size);
    }
    return (int)bad;
}

static volatile int caught;
static void on_signal(int s) { caught = s; }
int own_handler(int x) {
    COUNT(27, 0);
    (void)x;
    caught = 0;
    if (__covet_libc_signal(SIGUSR1, (void *)on_signal) != SIG_DFL) return -1;
    __covet_libc_raise(SIGUSR1);
    return caught;
}

int print(int x) { COUNT(28, 0); printf("printed %d\n", x); return 0; }

int library_state(int x) {
    COUNT(29, 0);
    int r = __covet_libc_rand() & 0xff;
    int e = getenv("COVET_TEST") != NULL;
    int where = access("nothing-here", F_OK) != 0;
    long t = __covet_libc_time(NULL);
    __covet_libc_srand((unsigned)x + 5);
    __covet_libc_setenv("COVET_TEST", "1", 1);
    __covet_libc_chdir("/");
    return r + e * 100000 + where * 200000 + (int)(t % 1000) * 1000000;
}

static void *crashing(void *p) { *(volatile int *)p = 1; return NULL; }
int crash_in_thread(int x) {
    COUNT(30, 0);
    pthread_t t;
    (void)x;
    __covet_libc_pthread_create(&t, NULL, crashing, (void *)8);
    pthread_join(t, NULL);
    return 0;
}

int signals_and_alarms(int x) {
    COUNT(31, 0);
    caught = 0;
    __covet_libc_signal(SIGALRM, (void *)on_signal);
    __covet_libc_alarm(3);
    __covet_libc_sleep(2);
    int early = caught;
    __covet_libc_sleep(2);
    int late = caught;
    if (x == 1) __covet_libc_raise(SIGTERM);
    if (x == 2) __covet_libc_pause();
    return early == 0 && late == SIGALRM;
}

int raw_exit(int x) { COUNT(32, 0); syscall(SYS_exit_group, x); return 0; }

/* Writes all over its own variables' neighbourhood and its stack. */
int scribble(int x) {
    COUNT(33, 0);
    volatile char *volatile p = (volatile char *)&x;
    for (int i = 0; i < 4096; i++) p[i] = (char)0xff;
    return 0;
}

const struct covet_function functions[] = {
    FUNCTION(identity, 0), FUNCTION(crash, 1), FUNCTION(leave, 2), FUNCTION(hang, 3), FUNCTION(eat_heap, 4),
    FUNCTION(recurse, 5), FUNCTION(remove_outside, 6), FUNCTION(kill_parent, 7), FUNCTION(fork_bomb, 8),
    FUNCTION(flood, 9), FUNCTION(use_socket, 10), FUNCTION(remember, 11),
    { (void *)branch_on_input, branch_driver, 12 * COUNTERS_EACH, COUNTERS_EACH },
    FUNCTION(abort_now, 13), FUNCTION(assert_now, 14), FUNCTION(error_now, 15), FUNCTION(double_free, 16),
    FUNCTION(exit_handlers, 17), FUNCTION(native_exit, 18), FUNCTION(divide, 19), FUNCTION(call_null, 20),
    FUNCTION(eat_native, 21), FUNCTION(leave_files, 22), FUNCTION(hidden_state, 23), FUNCTION(ignore_everything, 24),
    FUNCTION(with_thread, 25), FUNCTION(heap_patterns, 26), FUNCTION(own_handler, 27), FUNCTION(print, 28),
    FUNCTION(library_state, 29), FUNCTION(crash_in_thread, 30), FUNCTION(signals_and_alarms, 31),
    FUNCTION(raw_exit, 32), FUNCTION(scribble, 33),
};
const struct covet_global globals[] = {
    { &state, sizeof state, 0 }, { big_state, sizeof big_state, 0 }, { (void *)&caught, sizeof caught, 0 },
    { NULL, sizeof per_thread, 4 },
};
const struct covet_program __covet_program = {
    functions, sizeof functions / sizeof *functions, globals, sizeof globals / sizeof *globals,
    counters, sizeof counters / sizeof *counters, NULL, 0,
};

int __covet_user_main(int argc, char **argv) {
    printf("alone with %d\n", argc);
    if (argc > 1 && !strcmp(argv[1], "abort")) __covet_libc_abort();
    if (argc > 1 && !strcmp(argv[1], "crash")) crash(0);
    if (argc > 1) __covet_libc_exit(atoi(argv[1]));
    return 5;
}
