/* What every library model shares: the runtime's primitives and the words the models are written in.
 *
 * A model of `X` is called MODEL(X). It is instrumented together with the program, so its branches and arithmetic are
 * followed; a plain call of `X` in a model reaches the native library and gives a concrete result. Invariant: the
 * concrete result of a model is that of the native function; when nothing relevant is symbolic the native function is
 * asked at once. Bytes are moved with __builtin_memcpy and its kin, which are followed wherever they are compiled to. */
#ifndef COVET_MODEL_H
#define COVET_MODEL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MODEL(name) __covet_libc_##name

/* 1 when the value handed in is symbolic. */
uint32_t __covet_is_symbolic(uint64_t value);
/* The value as it is in this run; the run is pinned to it, softly. */
uint64_t __covet_settle(uint64_t value);
int __covet_symbolic_range(const void *start, size_t length);
int __covet_symbolic_string(const char *string);
/* Bytes from `start` to the end of the known object it lies in; 0 when none is known. */
uint64_t __covet_object_left(const void *start);
uint32_t __covet_forget(uint64_t start, uint64_t length);
/* Ends the run when these bytes are not all the program's own. */
void __covet_accessed(uint64_t start, uint64_t length);
void __covet_register_object(const void *start, size_t length);

/* A standard descriptor will not be what it was; the next run gets it back. */
void __covet_descriptor_touched(void);

uint64_t __covet_input(uint32_t kind, uint32_t width, const char *name);
void __covet_make_symbolic(void *start, size_t length, const char *name, const void *leaves, uint32_t count);
void __covet_assume(uint32_t holds);
void __covet_reach_error(void);

/* The name of a symbolic file from 1, empty when it has none; NULL behind the last. */
const char *__covet_file_name(int file);
int __covet_stdin_symbolic(void);
/* The program asks for more of standard input than there is: a run that goes on doing so is ended there. */
void __covet_input_ended(void);
int __covet_file_of_stream(const void *stream);
const unsigned char *__covet_file_data(int file);
uint64_t __covet_file_size(int file);
uint64_t __covet_file_capacity(int file);

/* The program's heap: what a model hands out is freed by the program. What models ask for is never refused. */
void *__covet_heap_malloc(size_t size);
void *__covet_heap_realloc(void *old, size_t size);
void __covet_libc_free(void *old);

static inline void touches(int descriptor) {
    if (descriptor >= 0 && descriptor <= 2) __covet_descriptor_touched();
}

static inline int plain_value(uint64_t value) { return !__covet_is_symbolic(value); }

static inline int plain_string(const char *s) {
    if (!plain_value((uint64_t)s)) return 0;
    return s == NULL || !__covet_symbolic_string(s);
}

static inline int plain_bytes(const void *start, size_t length) {
    return plain_value((uint64_t)start) && plain_value(length) && !__covet_symbolic_range(start, length);
}

/* The value as it is in this run, without its expression. */
static inline int64_t concrete(int64_t value) {
    int64_t copy = value;
    __covet_forget((uint64_t)&copy, sizeof copy);
    return copy;
}

/* The value as it is, for uses that need it concrete. A small one is counted up to, so that each smaller value is a path
 * of its own; a large one is pinned. */
static inline int64_t settled(int64_t value) {
    int64_t now = concrete(value), counted = 0;
    if (now < 0 || now > 64 || plain_value((uint64_t)value)) return (int64_t)__covet_settle((uint64_t)value);
    while (counted < value) counted++;
    return counted;
}

/* Called after a native function has filled memory. */
static inline void written(const void *start, size_t length) {
    if (!length) return;
    __covet_accessed((uint64_t)start, length);
    __covet_forget((uint64_t)start, length);
}

/* After va_start or va_copy: the list itself was written behind our back. */
#define begun(list) written(&(list), sizeof(list))

/* All ones when `condition` (0 or 1) is 1: chooses without a branch. */
static inline int64_t mask_if(int condition) { return -(int64_t)condition; }

static inline int is_space(int c) { return (c == ' ') | ((unsigned)(c - '\t') < 5u); }
static inline int is_digit(int c) { return (unsigned)(c - '0') < 10u; }
static inline int is_upper(int c) { return (unsigned)(c - 'A') < 26u; }
static inline int is_lower(int c) { return (unsigned)(c - 'a') < 26u; }
static inline int to_lower(int c) { return c + (is_upper(c) << 5); }
static inline int to_upper(int c) { return c - (is_lower(c) << 5); }

/* Models used by other models. */
size_t MODEL(strlen)(const char *s);
size_t MODEL(strnlen)(const char *s, size_t most);
size_t MODEL(strspn)(const char *s, const char *accept);
size_t MODEL(strcspn)(const char *s, const char *reject);
char *MODEL(strpbrk)(const char *s, const char *accept);
char *MODEL(strchr)(const char *s, int c);
long MODEL(strtol)(const char *s, char **end, int base);
unsigned long MODEL(strtoul)(const char *s, char **end, int base);
double MODEL(strtod)(const char *s, char **end);
float MODEL(strtof)(const char *s, char **end);
long double MODEL(strtold)(const char *s, char **end);
#endif
