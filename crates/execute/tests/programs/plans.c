/* Entries that look at what a plan has built: pointers, functions, globals, bit-fields, files. */
#include "instrumented.h"

uint64_t counters[64 * COUNTERS_EACH];

const char *__covet_file_name(int file);
int __covet_stdin_symbolic(void);
const unsigned char *__covet_file_data(int file);
uint64_t __covet_file_size(int file);
uint64_t __covet_file_capacity(int file);
extern uint32_t __covet_ret[8];
uint64_t __covet_input(uint32_t kind, uint32_t width, const char *name);

struct pair { int first : 5; int second : 11; struct pair *next; int (*function)(int); };
static int shared_global = 3;
static int constructed;

__attribute__((constructor)) static void construct(void) {
    char *p = __covet_libc_malloc(10);
    p[0] = 42;
    constructed = p[0];
    __covet_libc_free(p);
}

static int twice(int x) { return 2 * x; }

static void walk(void **arguments, void *result) {
    struct pair *p = *(struct pair **)arguments[0];
    COUNT(0, 0);
    *(int *)result = p->first + 100 * p->second + 10000 * p->next->function(shared_global) + (p->next->next != NULL);
}

static int number_of(const char *name) {
    const char *known;
    int file;
    for (file = 1; (known = __covet_file_name(file)); file++)
        if (!__builtin_strcmp(known, name)) return file;
    return -1;
}

/* Size of standard input, of file `data.txt`, their first bytes, and whether the sizes are symbolic. */
static void files(void **arguments, void *result) {
    COUNT(1, 0);
    (void)arguments;
    int file = number_of("data.txt");
    uint64_t size = __covet_file_size(0);
    int symbolic = __covet_ret[0] != 0;
    int marked = __covet_load((uint64_t)__covet_file_data(0), 0, 8, 0) != 0;
    uint64_t other = file < 0 ? 0 : __covet_file_size(file) + 10 * __covet_file_data(file)[0];
    *(long *)result = (long)(size + 100 * other + 1000000 * (uint64_t)symbolic + 2000000 * (uint64_t)marked
        + 10000000 * (uint64_t)__covet_stdin_symbolic() + 20000000 * (uint64_t)(number_of("none") < 0));
}

static void constructor(void **arguments, void *result) {
    COUNT(2, 0);
    (void)arguments;
    *(int *)result = constructed;
}

/* Meets variables on the way. */
static void meets(void **arguments, void *result) {
    COUNT(3, 0);
    int count = *(int *)arguments[0];
    long sum = 0;
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "met.%d", i);
        sum += (long)__covet_input(2, 16, name);
        uint32_t id = __covet_ret[0];
        id = __covet_binary(10, 16, id, 0, 0, (uint64_t)i);
        __covet_branch(7, __covet_binary(30, 16, id, 0, 0, 5), 0);
    }
    *(long *)result = sum;
}

/* Which of its functions are replaced, as bits. */
static uint8_t switches[70];
static void stubbed(void **arguments, void *result) {
    COUNT(5, 0);
    (void)arguments;
    *(long *)result = switches[0] | switches[1] << 1 | (long)switches[64] << 2 | (long)switches[69] << 3;
}

const struct covet_function functions[] = {
    { (void *)1, walk, 0, COUNTERS_EACH }, { (void *)2, files, COUNTERS_EACH, COUNTERS_EACH },
    { (void *)3, constructor, 2 * COUNTERS_EACH, COUNTERS_EACH }, { (void *)4, meets, 3 * COUNTERS_EACH, COUNTERS_EACH },
    { (void *)twice, NULL, 4 * COUNTERS_EACH, COUNTERS_EACH }, { (void *)6, stubbed, 5 * COUNTERS_EACH, COUNTERS_EACH },
};
const struct covet_global globals[] = { { &shared_global, sizeof shared_global, 0 } };
const struct covet_program __covet_program = {
    functions, sizeof functions / sizeof *functions, globals, 1, counters, sizeof counters / sizeof *counters, NULL, 0, NULL, 0,
    switches, sizeof switches,
};
