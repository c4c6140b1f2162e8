
/* ---- Blocks of the heap are counted: those that a function leaves behind, and those that it gives back. Only where the heap is that of
 * glibc, which lets programs have one of their own in front of it; elsewhere CHECK_BLOCKS says nothing. ---------------------------------- */
#if defined(__has_include)
#if __has_include(<features.h>)
#include <features.h>
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_MEMORY__) && !defined(__SANITIZE_THREAD__)
extern void *covtest_libc_malloc(unsigned long) __asm__("__libc_malloc");
extern void *covtest_libc_realloc(void *, unsigned long) __asm__("__libc_realloc");
extern void *covtest_libc_calloc(unsigned long, unsigned long) __asm__("__libc_calloc");
extern void covtest_libc_free(void *) __asm__("__libc_free");

__attribute__((weak)) void *covtest_new(unsigned long size) __asm__("malloc");
__attribute__((weak)) void *covtest_new_zeroed(unsigned long count, unsigned long size) __asm__("calloc");
__attribute__((weak)) void *covtest_resized(void *block, unsigned long size) __asm__("realloc");
__attribute__((weak)) void covtest_released(void *block) __asm__("free");

extern const char covtest_first_code __asm__("__executable_start"), covtest_last_code __asm__("etext");

static int covtest_is_refused(const void *caller)
{
    static unsigned long count;
    if (!covtest_refusals || (const char *)caller < &covtest_first_code || (const char *)caller > &covtest_last_code || count == 64)
        return 0;
    return covtest_refusals >> count++ & 1;
}
#define COVTEST_REFUSED() covtest_is_refused(__builtin_return_address(0))

void *covtest_new(unsigned long size)
{
    return COVTEST_REFUSED() ? NULL : covtest_count_made(covtest_libc_malloc(size));
}

void *covtest_new_zeroed(unsigned long count, unsigned long size)
{
    return COVTEST_REFUSED() ? NULL : covtest_count_made(covtest_libc_calloc(count, size));
}

void *covtest_resized(void *block, unsigned long size)
{
    void *now;
    if (COVTEST_REFUSED())
        return NULL;
    now = covtest_libc_realloc(block, size);
    covtest_count_resized(block, now, size);
    return now;
}

void covtest_released(void *block)
{
    covtest_count_released(block);
    covtest_libc_free(block);
}

static void covtest_check_blocks(long expected)
{
    char wanted[24], seen[24];
    if (covtest_report->blocks == expected)
        return;
    covtest_snprintf(wanted, sizeof wanted, "%ld", expected);
    covtest_snprintf(seen, sizeof seen, "%ld", covtest_report->blocks);
    covtest_fail("blocks of the heap", wanted, seen);
}
#define CHECK_BLOCKS(expected) covtest_check_blocks(expected)
#else
#define CHECK_BLOCKS(expected) ((void)0)
#endif
