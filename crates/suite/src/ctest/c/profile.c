/* ---- When this file is built for llvm-cov: what a test's process has counted reaches the one that watches it, also when the
 * test crashes or is stopped. Otherwise nothing of this does anything. -------------------------------------------------------- */

extern char *covtest_counters(void) __asm__("__llvm_profile_begin_counters") __attribute__((weak));
extern char *covtest_counters_end(void) __asm__("__llvm_profile_end_counters") __attribute__((weak));
extern char *covtest_bitmap(void) __asm__("__llvm_profile_begin_bitmap") __attribute__((weak));
extern char *covtest_bitmap_end(void) __asm__("__llvm_profile_end_bitmap") __attribute__((weak));
extern int covtest_atexit(void (*)(void)) __asm__("atexit");
extern int covtest_sigaction(int, const void *, void *) __asm__("sigaction");
extern int covtest_sigaltstack(const void *, void *) __asm__("sigaltstack");

static char *covtest_counted; /* shared: counters, then the bitmap */

static unsigned long covtest_counters_size(void)
{
    return covtest_counters ? (unsigned long)(covtest_counters_end() - covtest_counters()) : 0;
}

static unsigned long covtest_bitmap_size(void)
{
    return covtest_counters && covtest_bitmap ? (unsigned long)(covtest_bitmap_end() - covtest_bitmap()) : 0;
}

static void covtest_keep_counted(void)
{
    __builtin_memcpy(covtest_counted, covtest_counters(), covtest_counters_size());
    if (covtest_bitmap_size())
        __builtin_memcpy(covtest_counted + covtest_counters_size(), covtest_bitmap(), covtest_bitmap_size());
}

static void covtest_take_counted(void)
{
    if (!covtest_counted)
        return;
    __builtin_memcpy(covtest_counters(), covtest_counted, covtest_counters_size());
    if (covtest_bitmap_size())
        __builtin_memcpy(covtest_bitmap(), covtest_counted + covtest_counters_size(), covtest_bitmap_size());
}

static void covtest_on_signal(int signal)
{
    covtest_keep_counted();
    covtest_syscall(SYS_kill, covtest_syscall(SYS_getpid), (long)signal); /* again, now with its usual effect */
}

/* In the test's process, before the test. */
static void covtest_watch_counted(void)
{
    static const int signals[] = { 4, 5, 6, 7, 8, 11, 15 };
    static char stack[65536];
    struct { void *start; int flags; unsigned long size; } other = { stack, 0, sizeof stack };
    struct { void (*handler)(int); unsigned long mask[16]; int flags; void (*restorer)(void); } action;
    unsigned i;
    if (!covtest_counted)
        return;
    __builtin_memset(&action, 0, sizeof action);
    action.handler = covtest_on_signal;
    action.flags = (int)(0x80000000u | 0x40000000u | 0x08000000u); /* once, not blocked meanwhile, on a stack of its own */
    covtest_sigaltstack(&other, NULL);
    for (i = 0; i < sizeof signals / sizeof signals[0]; i++)
        covtest_sigaction(signals[i], &action, NULL);
    covtest_atexit(covtest_keep_counted);
}

/* In the watching process: before a test ... */
static void covtest_begin_counted(void)
{
    unsigned long size = covtest_counters_size() + covtest_bitmap_size();
    if (size && !covtest_counted)
        covtest_counted = (char *)covtest_syscall(SYS_mmap, (void *)0, size, 3L, 0x21L, -1L, 0L);
    if (covtest_counted)
        covtest_keep_counted();
}

/* ... and when its time is up: it is asked to stop before it is made to. */
static void covtest_ask_to_stop(int child)
{
    long nap[2] = { 0, 20000000 };
    if (!covtest_counted)
        return;
    covtest_syscall(SYS_kill, (long)child, 15L);
    covtest_syscall(SYS_nanosleep, nap, (void *)0);
}

