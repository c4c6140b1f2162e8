/* What the instrumenter would emit, by hand: tables, drivers, counters, and calls redirected to the runtime. */
#ifndef INSTRUMENTED_H
#define INSTRUMENTED_H
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

typedef void driver(void **arguments, void *result);
struct covet_function { void *address; driver *driver; uint32_t counter_start, counter_len; };
struct covet_global { void *address; uint64_t size, flags; };
struct covet_program {
    const struct covet_function *functions; uint64_t function_count;
    const struct covet_global *globals; uint64_t global_count;
    uint64_t *counters; uint64_t counter_count;
    const char *const *externals; uint64_t external_count;
    uint64_t *vectors; uint64_t vector_count;
    uint8_t *switches; uint64_t switch_count;
};

enum { COUNTERS_EACH = 4 };
extern uint64_t counters[];
/* Counter `n` of function number `f`; 0 is its entry. */
#define COUNT(f, n) (counters[(f) * COUNTERS_EACH + (n)]++)

/* A function `int name(int)` and its driver, which loads the argument when the plan has one. */
#define ENTRY(name)                                                       \
    int name(int x);                                                      \
    static void name##_driver(void **arguments, void *result) {           \
        *(int *)result = name(arguments[0] ? *(int *)arguments[0] : 0);   \
    }
#define FUNCTION(name, number) { (void *)name, name##_driver, (number) * COUNTERS_EACH, COUNTERS_EACH }

void *__covet_libc_malloc(size_t);
void *__covet_libc_calloc(size_t, size_t);
void *__covet_libc_realloc(void *, size_t);
void __covet_libc_free(void *);
void *__covet_libc_aligned_alloc(size_t, size_t);
_Noreturn void __covet_libc_exit(int);
_Noreturn void __covet_libc__exit(int);
_Noreturn void __covet_libc_abort(void);
_Noreturn void __covet_reach_error(void);
int __covet_libc_atexit(void (*)(void));
int __covet_libc_kill(int, int);
int __covet_libc_raise(int);
int __covet_libc_fork(void);
int __covet_libc_system(const char *);
unsigned __covet_libc_sleep(unsigned);
int __covet_libc_rand(void);
void __covet_libc_srand(unsigned);
int __covet_libc_setenv(const char *, const char *, int);
int __covet_libc_chdir(const char *);
long __covet_libc_time(long *);
void *__covet_libc_signal(int, void *);
unsigned __covet_libc_alarm(unsigned);
int __covet_libc_pause(void);
void __covet_libc___assert_fail(const char *, const char *, unsigned, const char *);
int __covet_libc_pthread_create(void *, const void *, void *(*)(void *), void *);
uint32_t __covet_branch(uint32_t site, uint32_t id, uint32_t taken);
uint32_t __covet_load(uint64_t address, uint32_t id, uint32_t bits, uint32_t site);
uint32_t __covet_binary(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t av, uint64_t bv);
#endif
