/* While the program runs: its end is told, refused calls are counted, and what it uses is held against its limits. */
#define _GNU_SOURCE
#include "warden.h"

/* The program has put on its filter: takes the descriptor by which refused calls are asked about. -1 without one. */
int take_listener(pid_t program, int talk)
{
    int there = -1, here = -1;
    if (!orders.confine || read(talk, &there, sizeof there) != (ssize_t)sizeof there) {
        close(talk);
        return -1;
    }
    if (there >= 0) {
        int process = (int)syscall(SYS_pidfd_open, program, 0);
        here = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, there, 0);
        close(process);
    }
    if (write(talk, here >= 0 ? "y" : "n", 1) != 1 || close(talk) != 0)
        _exit(126);
    return here;
}

static void refuse(int listener, volatile uint32_t *counts)
{
    struct seccomp_notif call;
    struct seccomp_notif_resp answer;
    memset(&call, 0, sizeof call);
    memset(&answer, 0, sizeof answer);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return; /* the caller was ended meanwhile */
    counts[(uint32_t)call.data.nr % COUNTED_CALLS] += 1;
    answer.id = call.id;
    answer.error = -EPERM;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

static void end_all(pid_t program, pid_t init)
{
    if (init > 0) {
        kill(init, SIGKILL);
        /* It is gone only after all others are, and the program is ours to reap. */
        while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
            ;
    } else {
        kill(program, SIGKILL);
        end_session(getpid());
    }
    _exit(0);
}

/* Reaps what has ended; true once the program has, which is told. */
static int has_ended(pid_t program)
{
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0)
        if (child == program) {
            tell(RECORD_ENDED, (uint32_t)status, 0);
            return 1;
        }
    return 0;
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

void watch(pid_t program, pid_t init, int listener)
{
    enum { LOOK = 40 }; /* milliseconds between two looks at what is used */
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    int signals = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    volatile uint32_t *counts = orders.counts < 0 ? MAP_FAILED
        : mmap(NULL, COUNTED_CALLS * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, orders.counts, 0);
    struct pollfd wait[2] = { { signals, POLLIN, 0 }, { counts == MAP_FAILED ? -1 : listener, POLLIN, 0 } };
    long long next = now() + LOOK;
    for (int fd = 0; fd < 3; fd++)
        close(fd); /* a pipe is at its end when the program's side is closed */
    for (;;) {
        long long left = next - now();
        poll(wait, 2, left < 0 ? 0 : (int)left);
        if (wait[0].revents & POLLIN) {
            struct signalfd_siginfo seen;
            while (read(signals, &seen, sizeof seen) == (ssize_t)sizeof seen)
                if (seen.ssi_signo == SIGTERM)
                    end_all(program, init);
            if (has_ended(program))
                end_all(program, init);
        }
        if (wait[1].revents & POLLIN)
            refuse(wait[1].fd, counts);
        else if (wait[1].revents)
            wait[1].fd = -1;
        if (now() >= next) {
            uint32_t what = used_too_much(getpid());
            if (what) {
                tell(RECORD_OVER, what, 0);
                end_all(program, init);
            }
            next = now() + LOOK;
        }
    }
}
