/* A loop and nested calls, with the logs that instrumented code keeps of them. */
#include "instrumented.h"

uint64_t counters[64 * COUNTERS_EACH];

uint32_t __covet_counted(uint32_t counter);
uint32_t __covet_entered(uint32_t function);
uint32_t __covet_argument(uint32_t id, uint32_t width, uint64_t low, uint64_t high);
uint32_t __covet_returned(uint32_t function);
extern uint64_t __covet_logs;

/* As instrumented code does: a look at `__covet_logs` first. */
#define BUMP(f, n) (COUNT(f, n), __covet_logs & 1 ? __covet_counted((f) * COUNTERS_EACH + (n)) : 0)
#define CALLED (__covet_logs & 2)

enum { LOOP, OUTER, MIDDLE, INNER, DIES };

ENTRY(loop)
int loop(int x) {
    BUMP(LOOP, 0);
    int i = 0;
    for (; i < x; i++) BUMP(LOOP, 2);
    BUMP(LOOP, 1);
    return i;
}

static int inner(int x, uint32_t id) {
    if (CALLED) __covet_entered(INNER), __covet_argument(id, 32, (uint32_t)x, 0);
    if (CALLED) __covet_returned(INNER);
    return x;
}

static int middle(int x, uint32_t id) {
    if (CALLED) __covet_entered(MIDDLE), __covet_argument(id, 32, (uint32_t)x, 0);
    int result = inner(7, 0) + inner(x, id);
    if (CALLED) __covet_returned(MIDDLE);
    return result;
}

static void outer(void **arguments, void *result) {
    int *x = arguments[0];
    if (CALLED) __covet_entered(OUTER);
    *(int *)result = middle(*x, __covet_load((uint64_t)x, 0, 32, 0));
    if (CALLED) __covet_returned(OUTER);
}

ENTRY(dies)
int dies(int x) {
    BUMP(DIES, 0);
    if (CALLED) __covet_entered(DIES);
    if (x) __covet_libc__exit(x);
    return *(volatile int *)8;
}

static const struct covet_function functions[] = {
    FUNCTION(loop, LOOP), { (void *)outer, outer, OUTER * COUNTERS_EACH, COUNTERS_EACH },
    { (void *)middle, NULL, MIDDLE * COUNTERS_EACH, COUNTERS_EACH }, { (void *)inner, NULL, INNER * COUNTERS_EACH, COUNTERS_EACH },
    FUNCTION(dies, DIES),
};
const struct covet_program __covet_program = {
    functions, sizeof functions / sizeof *functions, NULL, 0, counters, sizeof counters / sizeof *counters, NULL, 0,
};
