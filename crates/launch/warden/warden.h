/* What the parts of the warden share; the numbers are also in launch/src/warden.rs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_LIMITS = 16, COUNTED_CALLS = 1024, MOST_ENTRIES = 20000 };

/* What the engine wants; -1 or 0 where it does not. */
struct orders {
    pid_t engine;
    int status, rules, filter, absent, counts; /* descriptors of ours */
    int keep;                                /* a descriptor for the program */
    int confine, fixed;
    unsigned long long memory, tasks, scratch;
    const char *folder;
    struct { int which; unsigned long long most; } limit[MOST_LIMITS];
    int limits;
    char **program;
};
extern struct orders orders;

/* What the engine is told. */
struct record { uint32_t kind, value, more; };
enum { RECORD_STARTED = 1, RECORD_FAILED, RECORD_ENDED, RECORD_OVER };
enum { STEP_FORK = 1, STEP_LIMITS, STEP_FILES, STEP_CALLS, STEP_EXEC };
enum { OVER_MEMORY = 1, OVER_TASKS, OVER_SCRATCH };

void tell(uint32_t kind, uint32_t value, uint32_t more);
void fail(uint32_t step) __attribute__((noreturn));
void become_program(int spaces, int talk) __attribute__((noreturn));
int take_listener(pid_t program, int talk);
void watch(pid_t program, pid_t init, int listener) __attribute__((noreturn));
/* What is used beyond its limit, if anything. */
uint32_t used_too_much(pid_t session);
/* Ends every process of the session but the caller. */
void end_session(pid_t session);
