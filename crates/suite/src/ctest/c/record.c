/* ---- Recording: what a test finds in memory after the call, for covet to make checks of. A second run under --otherwise has other
 * addresses, other bytes in fresh memory and another order of objects: what then differs is no property of the tested code. ------------- */

enum { COVTEST_REGIONS = 160, COVTEST_BLOCKS = 8192, COVTEST_SHOWN = 2048, COVTEST_ROOM = 1 << 20 };

/* Shared with the watching process: a list in JSON. */
struct covtest_observed {
    volatile unsigned long size;
    volatile int overflow;
    char text[COVTEST_ROOM];
};

/* kind: object of the test, global, result, heap, image (constants, mostly). */
struct covtest_region {
    char kind, is_freed;
    const char *start;
    unsigned long size;
    char *before;
};

static struct covtest_observed *covtest_observed;
static int covtest_otherwise;
static struct covtest_region covtest_regions[COVTEST_REGIONS];
static unsigned covtest_region_count;
static struct { char *start; unsigned long size; } covtest_blocks[COVTEST_BLOCKS];
static unsigned covtest_block_count;
static char *covtest_arena, *covtest_low, *covtest_high;
static char covtest_locked;

extern const char covtest_image[] __asm__("__executable_start");
extern const char covtest_image_end[] __asm__("_end");

static int covtest_filling(void)
{
    return covtest_otherwise ? 0xa6 : 0; /* as fresh pages are */
}

#ifndef COVTEST_OWN_HEAP
/* The heap, with contents that change and a list of its blocks. */
extern void *covtest_libc_malloc(unsigned long) __asm__("__libc_malloc");
extern void *covtest_libc_realloc(void *, unsigned long) __asm__("__libc_realloc");
extern void *covtest_libc_calloc(unsigned long, unsigned long) __asm__("__libc_calloc");
extern void covtest_libc_free(void *) __asm__("__libc_free");

static void covtest_lock(void)
{
    while (__atomic_test_and_set(&covtest_locked, __ATOMIC_ACQUIRE))
        ;
}

static void covtest_unlock(void)
{
    __atomic_clear(&covtest_locked, __ATOMIC_RELEASE);
}

static void covtest_fill(char *from, unsigned long size)
{
    __builtin_memset(from, covtest_filling(), size < 1UL << 16 ? size : 1UL << 16);
}

static void *covtest_born(void *block, unsigned long size)
{
    covtest_lock();
    if (block && covtest_block_count < COVTEST_BLOCKS) {
        covtest_blocks[covtest_block_count].start = (char *)block;
        covtest_blocks[covtest_block_count++].size = size;
    }
    covtest_unlock();
    return block;
}

/* The size of a block that is one no more; 0 of others. */
static unsigned long covtest_gone(void *block)
{
    unsigned long size = 0;
    unsigned i;
    covtest_lock();
    for (i = covtest_block_count; i-- > 0;)
        if (covtest_blocks[i].start == (char *)block) {
            size = covtest_blocks[i].size;
            covtest_blocks[i] = covtest_blocks[--covtest_block_count];
            break;
        }
    covtest_unlock();
    return size;
}

static int covtest_is_placed(const void *object)
{
    return covtest_arena && (const char *)object >= covtest_arena && (const char *)object < covtest_arena + (64L << 20);
}

/* The size of an object of the test that is given back. */
static unsigned long covtest_mark_freed(const void *object)
{
    unsigned i;
    for (i = 0; i < covtest_region_count; i++)
        if (covtest_regions[i].start == (const char *)object) {
            covtest_regions[i].is_freed = 1;
            return covtest_regions[i].size;
        }
    return 0;
}

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

static void *covtest_made(unsigned long size)
{
    char *block = (char *)covtest_libc_malloc(size);
    if (block)
        covtest_fill(block, size);
    return covtest_count_made(covtest_born(block, size));
}

void *covtest_new(unsigned long size)
{
    return COVTEST_REFUSED() ? NULL : covtest_made(size);
}

void *covtest_new_zeroed(unsigned long count, unsigned long size)
{
    return COVTEST_REFUSED() ? NULL : covtest_count_made(covtest_born(covtest_libc_calloc(count, size), count * size));
}

void *covtest_resized(void *block, unsigned long size)
{
    unsigned long before;
    char *now;
    if (COVTEST_REFUSED())
        return NULL;
    if (covtest_is_placed(block)) {
        now = (char *)covtest_made(size);
        before = now ? covtest_mark_freed(block) : 0;
        covtest_count_released(now ? block : NULL);
        if (now)
            __builtin_memcpy(now, block, size < before ? size : before);
        return now;
    }
    before = covtest_gone(block);
    now = (char *)covtest_libc_realloc(block, size);
    covtest_count_resized(block, now, size);
    if (now && size > before)
        covtest_fill(now + before, size - before);
    if (!now && size)
        return covtest_born(block, before), NULL;
    return covtest_born(now, size);
}

void covtest_released(void *block)
{
    unsigned long size;
    covtest_count_released(block);
    if (covtest_is_placed(block)) {
        covtest_mark_freed(block);
        return;
    }
    size = covtest_gone(block);
    if (size)
        covtest_fill((char *)block, size);
    covtest_libc_free(block);
}

/* Objects of tests: one behind the other, or one before the other and further apart. */
static void *covtest_place(unsigned long size)
{
    unsigned long room = (size + 31 + (covtest_otherwise ? 112 : 0)) & ~15UL;
    if (!covtest_arena) {
        /* The lower halves of addresses differ in sign, also of two and four times them: some code makes an int of that. */
        void *wanted = (void *)(covtest_otherwise ? 0x1000e0000000UL : 0x100008000000UL);
        covtest_arena = (char *)covtest_syscall(SYS_mmap, wanted, 64UL << 20, 3L, 0x22L, -1L, 0L);
        covtest_low = covtest_arena;
        covtest_high = covtest_arena + (64UL << 20);
    }
    if (room > (unsigned long)(covtest_high - covtest_low))
        return covtest_libc_malloc(size);
    if (covtest_otherwise)
        return covtest_high -= room;
    covtest_low += room;
    return covtest_low - room;
}
#else
static void *covtest_place(unsigned long size)
{
    return covtest_malloc(size);
}
#endif

__attribute__((noinline)) static void covtest_fill_stack(void)
{
    volatile char space[200000];
    unsigned i;
    for (i = 0; i < sizeof space; i++)
        space[i] = (char)covtest_filling();
}

/* Memory to look at after the call. */
COVTEST_UNUSED static void covtest_watch(char kind, const volatile void *start, unsigned long size)
{
    struct covtest_region *region = &covtest_regions[covtest_region_count];
    if (covtest_region_count == COVTEST_REGIONS)
        return;
    covtest_region_count++;
    region->kind = kind;
    region->start = (const char *)start;
    region->size = size;
    region->before = NULL;
#ifdef COVTEST_OWN_HEAP
    region->is_freed = kind == 'o'; /* nobody would tell */
#endif
    if ((kind == 'o' || kind == 'g') && start) {
        region->before = (char *)covtest_syscall(SYS_mmap, (void *)0, size + 1, 3L, 0x22L, -1L, 0L);
        __builtin_memcpy(region->before, region->start, size);
    }
}

static void covtest_put(const char *text)
{
    unsigned long length = __builtin_strlen(text);
    if (covtest_observed->size + length >= COVTEST_ROOM) {
        covtest_observed->overflow = 1;
        return;
    }
    __builtin_memcpy(covtest_observed->text + covtest_observed->size, text, length);
    covtest_observed->size += length;
}

static void covtest_put_bytes(const char *name, const char *bytes, unsigned long size)
{
    char digits[3];
    unsigned long i;
    covtest_put(",\"");
    covtest_put(name);
    covtest_put("\":\"");
    for (i = 0; i < size && !covtest_observed->overflow; i++) {
        covtest_snprintf(digits, sizeof digits, "%02x", (unsigned)(unsigned char)bytes[i]);
        covtest_put(digits);
    }
    covtest_put("\"");
}

static int covtest_is_watched(const char *at)
{
    unsigned i;
    for (i = 0; i < covtest_region_count; i++)
        if (at >= covtest_regions[i].start && at <= covtest_regions[i].start + covtest_regions[i].size)
            return 1;
    return 0;
}

/* What a word found in memory points at, if it is a pointer, is looked at too. */
static void covtest_follow(const char *at)
{
    unsigned i;
    int file;
    long size;
    if (!at || covtest_is_watched(at))
        return;
    for (i = 0; i < covtest_block_count; i++)
        if (at >= covtest_blocks[i].start && at < covtest_blocks[i].start + covtest_blocks[i].size) {
            covtest_watch('h', covtest_blocks[i].start, covtest_blocks[i].size);
            return;
        }
    if (at < covtest_image || at >= covtest_image_end)
        return;
    /* The kernel tells how much can be read there. */
    file = (int)covtest_syscall(SYS_memfd_create, "probe", 0L);
    size = covtest_syscall(SYS_write, (long)file, at, 256L);
    covtest_syscall(SYS_close, (long)file);
    if (size > 0)
        covtest_watch('i', at, (unsigned long)size);
}

/* After the call. */
COVTEST_UNUSED static void covtest_observe(void)
{
    unsigned i;
    unsigned long at, shown;
    char line[96];
    for (i = 0; i < covtest_region_count; i++) {
        const struct covtest_region *region = &covtest_regions[i];
        int is_same;
        shown = region->is_freed || !region->start ? 0 : region->size < COVTEST_SHOWN ? region->size : COVTEST_SHOWN;
        is_same = region->before && (!shown || __builtin_memcmp(region->before, region->start, region->size) == 0);
        for (at = 0; !is_same && region->kind != 'i' && at + sizeof(char *) <= shown; at += sizeof(char *)) {
            char *word;
            __builtin_memcpy(&word, region->start + at, sizeof word);
            covtest_follow(word);
        }
        covtest_snprintf(line, sizeof line, "%s{\"kind\":\"%c\",\"at\":\"%lx\",\"size\":%lu,\"freed\":%s,\"kept\":%s", i ? "," : "", region->kind,
                         (unsigned long)region->start, region->size, region->is_freed ? "true" : "false", is_same ? "true" : "false");
        covtest_put(line);
        if (!is_same)
            covtest_put_bytes("bytes", region->start, shown);
        if (!is_same && shown < region->size && !region->is_freed) {
            covtest_snprintf(line, sizeof line, ",\"digest\":\"%016lx\"", covtest_digest(region->start, region->size));
            covtest_put(line);
        }
        if (!is_same && region->before)
            covtest_put_bytes("before", region->before, shown);
        covtest_put("}");
    }
}
