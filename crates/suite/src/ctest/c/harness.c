/* ---- What the tests need -------------------------------------------------------------------------------------------------
 * No header is included here and every name starts with covtest_, so nothing can clash with the tested source. The C library is
 * reached through its symbol names, the kernel through syscall(2). */
#include <sys/syscall.h>

#ifndef NULL
#define NULL ((void *)0)
#endif
#define COVTEST_UNUSED __attribute__((unused))
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(memory_sanitizer) && !defined(__SANITIZE_MEMORY__)
#define __SANITIZE_MEMORY__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

extern int covtest_fork(void) __asm__("fork");
extern void covtest_exit(int) __asm__("exit") __attribute__((__noreturn__));
extern void *covtest_malloc(unsigned long) __asm__("malloc");
extern void *covtest_calloc(unsigned long, unsigned long) __asm__("calloc");
extern void *covtest_realloc(void *, unsigned long) __asm__("realloc");
extern int covtest_snprintf(char *, unsigned long, const char *, ...) __asm__("snprintf");
extern void *covtest_fdopen(int, const char *) __asm__("fdopen");
extern char *covtest_getenv(const char *) __asm__("getenv");
extern long covtest_syscall(long, ...) __asm__("syscall");
extern int *covtest_errno(void) __asm__("__errno_location");

/* COVTEST_ANYTHING: the test does what C leaves undefined. Build with -fsanitize=address,undefined to see it.
 * COVTEST_UNASSUMED: the source asked for inputs that this test does not give. */
enum covtest_ending { COVTEST_RETURNS, COVTEST_EXITS, COVTEST_DIES, COVTEST_RUNS_ON, COVTEST_ANYTHING, COVTEST_UNASSUMED };

struct covtest_test {
    const char *id;
    void (*run)(void);
    enum covtest_ending expectation;
    int code; /* exit code or signal */
};

/* A value that a test checks. */
enum covtest_kind { COVTEST_NO_VALUE, COVTEST_SIGNED, COVTEST_UNSIGNED, COVTEST_FLOAT, COVTEST_DOUBLE, COVTEST_BITS, COVTEST_POINTER };

struct covtest_value {
    enum covtest_kind kind;
    unsigned size; /* bytes */
    unsigned long long halves[2];
};

/* Shared between a test's process and the one that watches it. */
struct covtest_report {
    volatile int returned, checked, differs, unassumed, has_folder;
    volatile int leaves, code; /* main came back with this exit code, and the process goes on to leave with it */
    struct covtest_value expected, got;
    char failed[240]; /* the first check that failed, in words; empty for that of the result */
    const char *printed; /* what is to be printed: the first bytes, or all */
    unsigned long printed_size;
    int printed_all;
    long blocks, heap_uses; /* of the tested function, when it came back */
    char folder[512];
};

static struct covtest_report *covtest_report;

/* Bit patterns as numbers: for values that have no literal. */
COVTEST_UNUSED static float covtest_float(unsigned bits)
{
    float number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

COVTEST_UNUSED static double covtest_double(unsigned long long bits)
{
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

#ifdef __FLT16_MAX__
COVTEST_UNUSED static _Float16 covtest_half(unsigned short bits)
{
    _Float16 number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}
#endif

#ifdef __SIZEOF_FLOAT128__
typedef __float128 covtest_quad_float;
#else
typedef long double covtest_quad_float;
#endif

COVTEST_UNUSED static covtest_quad_float covtest_quad(unsigned long long low, unsigned long long high)
{
    covtest_quad_float number = 0;
    unsigned long long halves[2];
    halves[0] = low;
    halves[1] = high;
    __builtin_memcpy(&number, halves, sizeof number < sizeof halves ? sizeof number : sizeof halves);
    return number;
}

COVTEST_UNUSED static long double covtest_long_double(unsigned long long low, unsigned long long high)
{
    long double number = 0;
    unsigned long long halves[2];
    halves[0] = low;
    halves[1] = high;
    __builtin_memcpy(&number, halves, sizeof number < sizeof halves ? sizeof number : sizeof halves);
    return number;
}

/* A heap object with these contents. Behind it are zeros, as in the recorded run, unless a sanitizer is to see every step too far. */
#if defined(__SANITIZE_ADDRESS__)
#define COVTEST_BEHIND 0UL
#else
#define COVTEST_BEHIND 256UL
#endif
#ifdef COVTEST_RECORD
static void *covtest_place(unsigned long size);
#else
#define covtest_place covtest_malloc
#endif

COVTEST_UNUSED static void *covtest_object(const void *contents, unsigned long size)
{
    char *object = (char *)covtest_place(size + COVTEST_BEHIND ? size + COVTEST_BEHIND : 1);
    if (!object)
        return NULL;
    if (size && contents)
        __builtin_memcpy(object, contents, size);
    else if (size)
        __builtin_memset(object, 0, size);
    if (COVTEST_BEHIND)
        __builtin_memset(object + size, 0, COVTEST_BEHIND);
    return object;
}

/* A program that came back from main still has its exit handlers to call. */
COVTEST_UNUSED static int covtest_leaving(int code)
{
    covtest_report->leaves = 1;
    covtest_report->code = code;
    return code;
}

/* Blocks of the heap made, less those given back, and how often either was done. */
static volatile long covtest_heap_blocks, covtest_heap_uses;

/* Allocations of the tested code that fail, a bit for each of its first 64 calls; those of the library and of this file are not counted. */
static unsigned long covtest_refusals;
#define REFUSE_ALLOCATION(number) (covtest_refusals |= 1UL << ((number) - 1))

COVTEST_UNUSED static void *covtest_count_made(void *block)
{
    __atomic_fetch_add(&covtest_heap_uses, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&covtest_heap_blocks, block != NULL, __ATOMIC_RELAXED);
    return block;
}

COVTEST_UNUSED static void covtest_count_released(const void *block)
{
    __atomic_fetch_add(&covtest_heap_uses, block != NULL, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&covtest_heap_blocks, block != NULL, __ATOMIC_RELAXED);
}

COVTEST_UNUSED static void covtest_count_resized(const void *before, const void *now, unsigned long size)
{
    __atomic_fetch_add(&covtest_heap_uses, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&covtest_heap_blocks, (now != NULL && before == NULL) - (now == NULL && before != NULL && size == 0), __ATOMIC_RELAXED);
}

/* The tested function came back. */
COVTEST_UNUSED static void covtest_returned(void)
{
    covtest_refusals = 0;
    covtest_report->blocks = covtest_heap_blocks;
    covtest_report->heap_uses = covtest_heap_uses;
    covtest_report->returned = 1;
}

/* ---- What tests check. The first check that fails is told, with its expression. ------------------------------------------------------ */
#undef CHECK_INT
#undef CHECK_UNSIGNED
#undef CHECK_BITS
#undef CHECK_FLOAT
#undef CHECK_DOUBLE
#undef CHECK_POINTER
#undef CHECK_NOT_NULL
#undef CHECK_STRING
#undef CHECK_BYTES
#undef CHECK_DIGEST
#undef CHECK_KEPT
#undef KEEP
#undef BUT
#undef BUT_BYTES
#undef COUNT_BLOCKS
#undef CHECK_BLOCKS
#undef EXPECT_PRINTED
#undef EXPECT_PRINTED_FIRST
#undef USE
#define CHECK_INT(what, expected) covtest_check_int(#what, what, expected)
#define CHECK_UNSIGNED(what, expected) covtest_check_unsigned(#what, what, expected)
/* The low bytes, as many as were seen. */
#define CHECK_BITS(what, expected, bytes) covtest_check_bits(#what, &what, &(const unsigned __int128){ expected }, bytes)
#define CHECK_FLOAT(what, expected) covtest_check_float(#what, what, expected)
#define CHECK_DOUBLE(what, expected) covtest_check_double(#what, what, expected)
#define CHECK_POINTER(what, expected) covtest_check_pointer(#what, (const volatile void *)(what), (const volatile void *)(expected), #expected)
#define CHECK_NOT_NULL(what) covtest_check_there(#what, (const volatile void *)(what))
#define CHECK_STRING(what, expected) covtest_check_text(#what, (const char *)(what), expected, sizeof expected, 1)
#define CHECK_BYTES(what, expected) covtest_check_text(#what, (const char *)(what), expected, sizeof expected - 1, 0)
/* So many bytes, by their digest (FNV-1a): tables that are too long to be written out. */
#define CHECK_DIGEST(what, bytes, expected) covtest_check_digest(#what, (const void *)(what), bytes, expected)
/* An object that the tested function must leave as it is, but for some parts: KEEP before the call, CHECK_KEPT after it. */
#define KEEP(what, ...) covtest_keep((const void *)(what), __VA_ARGS__, (const void *)0)
#define BUT(what) (const void *)&(what), (unsigned long)sizeof(what)
#define BUT_BYTES(what, from, count) (const void *)((const char *)(what) + (from)), (unsigned long)(count)
#define CHECK_KEPT(what) covtest_check_kept(#what, (const void *)(what))
/* A result that the compiler is to make although nothing is done with it. */
#define USE(what) __asm__ volatile("" : : "r"(&(what)) : "memory")
/* Blocks of the heap that the call has made and left, less those that it has given back: COUNT_BLOCKS before it, CHECK_BLOCKS after it, where blocks are counted. */
#define COUNT_BLOCKS() (covtest_heap_blocks = covtest_heap_uses = 0)
/* All that is printed, and the first of it. */
#define EXPECT_PRINTED(text) covtest_expect_printed(text, sizeof text - 1, 1)
#define EXPECT_PRINTED_FIRST(text) covtest_expect_printed(text, sizeof text - 1, 0)

static void covtest_note(struct covtest_value *value, enum covtest_kind kind, const void *bytes, unsigned size)
{
    value->kind = kind;
    value->size = size < sizeof value->halves ? size : sizeof value->halves;
    __builtin_memcpy(value->halves, bytes, value->size);
}

static void covtest_say_value(char *text, unsigned long size, const struct covtest_value *value);

static void covtest_check(const char *what, enum covtest_kind kind, const void *got, const void *expected, unsigned size, int same)
{
    int is_result = __builtin_strcmp(what, "result") == 0;
    struct covtest_value wanted, seen;
    char wanted_text[64], seen_text[64];
    if (covtest_report->differs || (same && !is_result))
        return;
    covtest_note(&wanted, kind, expected, size);
    covtest_note(&seen, kind, got, size);
    covtest_report->differs = !same;
    if (is_result) {
        covtest_report->expected = wanted;
        covtest_report->got = seen;
        return;
    }
    covtest_say_value(wanted_text, sizeof wanted_text, &wanted);
    covtest_say_value(seen_text, sizeof seen_text, &seen);
    covtest_snprintf(covtest_report->failed, sizeof covtest_report->failed, "%.100s: expected %s, got %s", what, wanted_text, seen_text);
}

COVTEST_UNUSED static void covtest_check_int(const char *what, long long got, long long expected)
{
    covtest_check(what, COVTEST_SIGNED, &got, &expected, sizeof got, got == expected);
}

COVTEST_UNUSED static void covtest_check_unsigned(const char *what, unsigned long long got, unsigned long long expected)
{
    covtest_check(what, COVTEST_UNSIGNED, &got, &expected, sizeof got, got == expected);
}

/* The low `size` bytes of what was returned. */
COVTEST_UNUSED static void covtest_check_bits(const char *what, const void *got, const void *expected, unsigned size)
{
    covtest_check(what, COVTEST_BITS, got, expected, size, __builtin_memcmp(got, expected, size) == 0);
}

/* Any NaN is as good as another. */
COVTEST_UNUSED static void covtest_check_float(const char *what, float got, float expected)
{
    int both_nan = got != got && expected != expected;
    covtest_check(what, COVTEST_FLOAT, &got, &expected, sizeof got, both_nan || __builtin_memcmp(&got, &expected, sizeof got) == 0);
}

COVTEST_UNUSED static void covtest_check_double(const char *what, double got, double expected)
{
    int both_nan = got != got && expected != expected;
    covtest_check(what, COVTEST_DOUBLE, &got, &expected, sizeof got, both_nan || __builtin_memcmp(&got, &expected, sizeof got) == 0);
}

static void covtest_fail(const char *what, const char *expected, const char *got)
{
    if (covtest_report->differs)
        return;
    covtest_report->differs = 1;
    covtest_snprintf(covtest_report->failed, sizeof covtest_report->failed, "%.100s: expected %.60s, got %.60s", what, expected, got);
}

COVTEST_UNUSED static void covtest_check_pointer(const char *what, const volatile void *got, const volatile void *expected, const char *name)
{
    if (got != expected)
        covtest_fail(what, name, got ? "another pointer" : "NULL");
}

COVTEST_UNUSED static void covtest_check_there(const char *what, const volatile void *got)
{
    if (!got)
        covtest_fail(what, "a pointer", "NULL");
}

COVTEST_UNUSED static void covtest_check_text(const char *what, const char *got, const char *expected, unsigned long size, int is_text)
{
    char wanted[60], seen[60];
    unsigned long i, shown = 0;
    if (covtest_report->differs)
        return;
    if (!got) {
        covtest_fail(what, "bytes", "NULL");
        return;
    }
    for (i = 0; i < size && got[i] == expected[i]; i++)
        ;
    if (i == size)
        return;
    for (shown = 0; shown < 8 && i + shown < size && (shown == 0 || !is_text || got[i + shown - 1]); shown++) {
        covtest_snprintf(wanted + shown * 3, 4, "%02x ", (unsigned)(unsigned char)expected[i + shown]);
        covtest_snprintf(seen + shown * 3, 4, "%02x ", (unsigned)(unsigned char)got[i + shown]);
    }
    covtest_snprintf(wanted + shown * 3 - 1, 20, " from byte %lu", i);
    seen[shown * 3 - 1] = 0;
    covtest_fail(what, wanted, seen);
}

static unsigned long covtest_digest(const void *bytes, unsigned long size)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    unsigned long digest = 0xcbf29ce484222325UL, i;
    for (i = 0; i < size; i++)
        digest = (digest ^ byte[i]) * 0x100000001b3UL;
    return digest;
}

COVTEST_UNUSED static void covtest_check_digest(const char *what, const void *got, unsigned long size, unsigned long expected)
{
    char wanted[40], seen[40];
    unsigned long digest = got ? covtest_digest(got, size) : 0;
    if (digest == expected)
        return;
    covtest_snprintf(wanted, sizeof wanted, "digest 0x%016lx", expected);
    covtest_snprintf(seen, sizeof seen, "0x%016lx", digest);
    covtest_fail(what, wanted, got ? seen : "NULL");
}

static struct { const char *object; char *copy; unsigned long size; } covtest_kept[32];
static unsigned covtest_kept_count;
/* Which part of which object may change. */
static struct { unsigned object; unsigned long from, size; } covtest_free_parts[128];
static unsigned covtest_free_part_count;

COVTEST_UNUSED static void covtest_keep(const void *object, unsigned long size, ...)
{
    char *copy = (char *)covtest_malloc(size ? size : 1);
    const char *part;
    __builtin_va_list parts;
    if (!object || !copy || covtest_kept_count == 32)
        return;
    __builtin_memcpy(copy, object, size);
    __builtin_va_start(parts, size);
    while ((part = (const char *)__builtin_va_arg(parts, const void *)) && covtest_free_part_count < 128) {
        covtest_free_parts[covtest_free_part_count].object = covtest_kept_count;
        covtest_free_parts[covtest_free_part_count].from = (unsigned long)(part - (const char *)object);
        covtest_free_parts[covtest_free_part_count++].size = __builtin_va_arg(parts, unsigned long);
    }
    __builtin_va_end(parts);
    covtest_kept[covtest_kept_count].object = (const char *)object;
    covtest_kept[covtest_kept_count].copy = copy;
    covtest_kept[covtest_kept_count++].size = size;
}

COVTEST_UNUSED static void covtest_check_kept(const char *what, const void *object)
{
    unsigned i, part;
    for (i = 0; i < covtest_kept_count; i++) {
        if (covtest_kept[i].object != (const char *)object)
            continue;
        for (part = 0; part < covtest_free_part_count; part++)
            if (covtest_free_parts[part].object == i)
                __builtin_memcpy(covtest_kept[i].copy + covtest_free_parts[part].from, (const char *)object + covtest_free_parts[part].from, covtest_free_parts[part].size);
        covtest_check_text(what, (const char *)object, covtest_kept[i].copy, covtest_kept[i].size, 0);
    }
}

COVTEST_UNUSED static void covtest_expect_printed(const char *text, unsigned long size, int all)
{
    covtest_report->printed = text;
    covtest_report->printed_size = size;
    covtest_report->printed_all = all;
}

static void covtest_write_all(int to, const char *bytes, unsigned long size)
{
    while (size > 0) {
        long written = covtest_syscall(SYS_write, (long)to, bytes, size);
        if (written <= 0)
            return;
        bytes += written;
        size -= (unsigned long)written;
    }
}

static void covtest_move_descriptor(int from, int to)
{
    if (from >= 0 && from != to) {
        covtest_syscall(SYS_dup3, (long)from, (long)to, 0L);
        covtest_syscall(SYS_close, (long)from);
    }
}

/* What the tested code reads from standard input. */
COVTEST_UNUSED static void covtest_stdin(const char *bytes, unsigned long size)
{
    int file = (int)covtest_syscall(SYS_memfd_create, "stdin", 0L);
    covtest_write_all(file, bytes, size);
    covtest_syscall(SYS_lseek, (long)file, 0L, 0L);
    covtest_move_descriptor(file, 0);
}

/* A stream that can be read and written, over a file with these bytes. */
COVTEST_UNUSED static void *covtest_stream(const char *bytes, unsigned long size)
{
    int file = (int)covtest_syscall(SYS_memfd_create, "stream", 0L);
    covtest_write_all(file, bytes, size);
    covtest_syscall(SYS_lseek, (long)file, 0L, 0L);
    return covtest_fdopen(file, "r+");
}

/* A file in the folder the test runs in. */
COVTEST_UNUSED static void covtest_file(const char *name, const char *bytes, unsigned long size)
{
    int file = (int)covtest_syscall(SYS_openat, -100L, name, 01L | 0100L | 01000L, 0600L); /* write, create, truncate */
    covtest_write_all(file, bytes, size);
    covtest_syscall(SYS_close, (long)file);
}

