/* ---- What the tests need -------------------------------------------------------------------------------------------------
 * No header is included here and every name starts with covet_, so nothing can clash with the tested source. The C library is
 * reached through its symbol names, the kernel through syscall(2). */
#include <sys/syscall.h>

#ifndef NULL
#define NULL ((void *)0)
#endif
#define COVET_UNUSED __attribute__((unused))

extern int covet_fork(void) __asm__("fork");
extern void covet_exit(int) __asm__("exit") __attribute__((noreturn));
extern void *covet_malloc(unsigned long) __asm__("malloc");
extern int covet_snprintf(char *, unsigned long, const char *, ...) __asm__("snprintf");
extern long covet_syscall(long, ...) __asm__("syscall");

enum covet_expectation { COVET_RETURNS, COVET_EXITS, COVET_DIES, COVET_RUNS_ON };

struct covet_test {
    const char *id;
    void (*run)(void);
    enum covet_expectation expectation;
    int code; /* exit code or signal */
};

/* Shared between a test's process and the one that watches it. */
struct covet_report {
    volatile int returned, differs, reached_error, has_folder;
    char expected[160], got[160], folder[64];
};

static struct covet_report *covet_report;

/* Bit patterns as numbers: for values that have no literal. */
COVET_UNUSED static float covet_float(unsigned bits)
{
    float number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

COVET_UNUSED static double covet_double(unsigned long long bits)
{
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

COVET_UNUSED static long double covet_long_double(unsigned long long low, unsigned long long high)
{
    long double number = 0;
    unsigned long long halves[2];
    halves[0] = low;
    halves[1] = high;
    __builtin_memcpy(&number, halves, sizeof number < sizeof halves ? sizeof number : sizeof halves);
    return number;
}

/* A heap object with these contents. */
COVET_UNUSED static void *covet_object(const void *contents, unsigned long size)
{
    void *object = covet_malloc(size ? size : 1);
    if (object && size)
        __builtin_memcpy(object, contents, size);
    return object;
}

/* The tested function came back. */
COVET_UNUSED static void covet_returned(void)
{
    covet_report->returned = 1;
}

COVET_UNUSED static void covet_check_int(long long got, long long expected)
{
    covet_snprintf(covet_report->expected, sizeof covet_report->expected, "returned %lld", expected);
    covet_snprintf(covet_report->got, sizeof covet_report->got, "returned %lld", got);
    covet_report->differs = got != expected;
    covet_returned();
}

COVET_UNUSED static void covet_check_unsigned(unsigned long long got, unsigned long long expected)
{
    covet_snprintf(covet_report->expected, sizeof covet_report->expected, "returned %llu", expected);
    covet_snprintf(covet_report->got, sizeof covet_report->got, "returned %llu", got);
    covet_report->differs = got != expected;
    covet_returned();
}

/* The low `size` bytes of what was returned. Any NaN is as good as another. */
COVET_UNUSED static void covet_check_bits(const void *got, const void *expected, unsigned size, int both_nan)
{
    const unsigned char *bytes[2];
    char *text[2];
    unsigned which, i;
    bytes[0] = (const unsigned char *)expected;
    bytes[1] = (const unsigned char *)got;
    text[0] = covet_report->expected;
    text[1] = covet_report->got;
    for (which = 0; which < 2; which++) {
        int at = covet_snprintf(text[which], 160, "returned bits 0x");
        for (i = size; i > 0; i--)
            at += covet_snprintf(text[which] + at, 160 - (unsigned long)at, "%02x", (unsigned)bytes[which][i - 1]);
    }
    covet_report->differs = __builtin_memcmp(got, expected, size) != 0 && !both_nan;
    covet_returned();
}

COVET_UNUSED static void covet_check_float(float got, float expected)
{
    covet_check_bits(&got, &expected, sizeof got, got != got && expected != expected);
    covet_snprintf(covet_report->expected, sizeof covet_report->expected, "returned %a (%g)", (double)expected, (double)expected);
    covet_snprintf(covet_report->got, sizeof covet_report->got, "returned %a (%g)", (double)got, (double)got);
}

COVET_UNUSED static void covet_check_double(double got, double expected)
{
    covet_check_bits(&got, &expected, sizeof got, got != got && expected != expected);
    covet_snprintf(covet_report->expected, sizeof covet_report->expected, "returned %a (%g)", expected, expected);
    covet_snprintf(covet_report->got, sizeof covet_report->got, "returned %a (%g)", got, got);
}

COVET_UNUSED static void covet_check_pointer(const volatile void *got, int expected)
{
    covet_snprintf(covet_report->expected, sizeof covet_report->expected, "returned %s", expected ? "a pointer" : "NULL");
    covet_snprintf(covet_report->got, sizeof covet_report->got, "returned %s", got ? "a pointer" : "NULL");
    covet_report->differs = (got != NULL) != expected;
    covet_returned();
}

static void covet_write_all(int to, const char *bytes, unsigned long size)
{
    while (size > 0) {
        long written = covet_syscall(SYS_write, (long)to, bytes, size);
        if (written <= 0)
            return;
        bytes += written;
        size -= (unsigned long)written;
    }
}

static void covet_move_descriptor(int from, int to)
{
    if (from >= 0 && from != to) {
        covet_syscall(SYS_dup3, (long)from, (long)to, 0L);
        covet_syscall(SYS_close, (long)from);
    }
}

/* What the tested code reads from standard input. */
COVET_UNUSED static void covet_stdin(const char *bytes, unsigned long size)
{
    int file = (int)covet_syscall(SYS_memfd_create, "stdin", 0L);
    covet_write_all(file, bytes, size);
    covet_syscall(SYS_lseek, (long)file, 0L, 0L);
    covet_move_descriptor(file, 0);
}

/* A file in the folder the test runs in: a fresh one, removed afterwards. */
COVET_UNUSED static void covet_file(const char *name, const char *bytes, unsigned long size)
{
    int file;
    if (!covet_report->has_folder) {
        covet_snprintf(covet_report->folder, sizeof covet_report->folder, "/tmp/covet-test-%ld", covet_syscall(SYS_getpid));
        if (covet_syscall(SYS_mkdirat, -100L, covet_report->folder, 0700L) != 0)
            return;
        covet_report->has_folder = 1;
        covet_syscall(SYS_chdir, covet_report->folder);
    }
    file = (int)covet_syscall(SYS_openat, -100L, name, 01L | 0100L | 01000L, 0600L); /* write, create, truncate */
    covet_write_all(file, bytes, size);
    covet_syscall(SYS_close, (long)file);
}
