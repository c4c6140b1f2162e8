
/* ---- When this file is built for llvm-cov: what a test's process has counted reaches the one that watches it, however the test ends. Otherwise nothing
 * of this does anything. ------------------------------------------------------------------------------------------------------- */

extern char *covtest_counters(void) __asm__("__llvm_profile_begin_counters") __attribute__((weak));
extern char *covtest_counters_end(void) __asm__("__llvm_profile_end_counters") __attribute__((weak));
extern char *covtest_bitmap(void) __asm__("__llvm_profile_begin_bitmap") __attribute__((weak));
extern char *covtest_bitmap_end(void) __asm__("__llvm_profile_end_bitmap") __attribute__((weak));
extern int covtest_write_profile(void) __asm__("__llvm_profile_write_file") __attribute__((weak));
extern void covtest_profile_is_written(unsigned) __asm__("lprofSetProfileDumped") __attribute__((weak));

/* The pages that counters and bitmap lie in, with what lies between them; where the watcher sees those of the test's process; what they are shared by. */
static char *covtest_pages, *covtest_counted;
static unsigned long covtest_pages_size;
static int covtest_counted_by;

static long covtest_now(void);

static void covtest_find_counters(void)
{
    char *start = covtest_counters(), *end = covtest_counters_end();
    if (covtest_bitmap && covtest_bitmap() != covtest_bitmap_end()) {
        start = covtest_bitmap() < start ? covtest_bitmap() : start;
        end = covtest_bitmap_end() > end ? covtest_bitmap_end() : end;
    }
    if (start == end)
        return;
    covtest_pages = (char *)((unsigned long)start & ~4095UL);
    covtest_pages_size = ((unsigned long)end - (unsigned long)covtest_pages + 4095) & ~4095UL;
    covtest_counted_by = (int)covtest_syscall(SYS_memfd_create, "counted", 0L);
    covtest_syscall(SYS_ftruncate, (long)covtest_counted_by, covtest_pages_size);
    covtest_counted = (char *)covtest_syscall(SYS_mmap, (void *)0, covtest_pages_size, 3L, 1L, (long)covtest_counted_by, 0L);
    __builtin_memcpy(covtest_counted, covtest_pages, covtest_pages_size);
}

/* In the watching process: before a test ... */
static void covtest_begin_counted(void)
{
    if (covtest_counters && !covtest_counted)
        covtest_find_counters();
}

/* In the test's process, before the test: its counters become those that the watcher sees. */
static void covtest_watch_counted(void)
{
    if (!covtest_counted)
        return;
    __builtin_memcpy(covtest_counted, covtest_pages, covtest_pages_size);
    covtest_syscall(SYS_mmap, covtest_pages, covtest_pages_size, 3L, 0x11L, (long)covtest_counted_by, 0L);
    covtest_syscall(SYS_munmap, covtest_counted, covtest_pages_size);
    covtest_syscall(SYS_close, (long)covtest_counted_by);
    if (covtest_profile_is_written)
        covtest_profile_is_written(1); /* that is for the watcher to do */
}

/* ... and after it. The profile is written now and then, should the watcher be killed: by another process, since writing takes memory of the heap, which
 * the tests to come would see. */
static void covtest_take_counted(void)
{
    static long written;
    long now = covtest_now();
    if (!covtest_counted)
        return;
    __builtin_memcpy(covtest_counters(), covtest_counted + (covtest_counters() - covtest_pages), (unsigned long)(covtest_counters_end() - covtest_counters()));
    if (covtest_bitmap)
        __builtin_memcpy(covtest_bitmap(), covtest_counted + (covtest_bitmap() - covtest_pages), (unsigned long)(covtest_bitmap_end() - covtest_bitmap()));
    if (covtest_write_profile && now - written >= 250) {
        int writer = covtest_fork();
        if (writer == 0) {
            covtest_write_profile();
            covtest_syscall(SYS_exit_group, 0L);
        }
        covtest_syscall(SYS_wait4, (long)writer, (void *)0, 0L, (void *)0);
        written = now;
    }
}
