/* Stand-ins for the runtime, so that models run in a plain program and can be compared with the library.
 *
 * `shim_mode` says what counts as symbolic: 0 nothing, 1 everything, 2 some addresses. The library's answer and the
 * model's must agree in every mode. */
#ifndef SHIM_H
#define SHIM_H
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int shim_mode;
/* 1: every scalar counts as symbolic too. */
extern int shim_values;
/* The object whose end the models may learn; NULL: none is known. */
extern const char *shim_object;
extern size_t shim_object_size;
/* The symbolic file "sym" and its contents; also standard input when `shim_stdin` is set. */
extern unsigned char shim_file[];
extern size_t shim_file_size;
extern int shim_stdin;

/* A reproducible sequence. */
uint32_t roll(uint32_t below);
extern long checks, failures;
#define CHECK(condition, ...)                                   \
    do {                                                        \
        checks++;                                               \
        if (!(condition)) {                                     \
            failures++;                                         \
            if (failures < 30) {                                \
                printf("mode %d, line %d: ", shim_mode, __LINE__); \
                printf(__VA_ARGS__);                            \
                printf("\n");                                   \
            }                                                   \
        }                                                       \
    } while (0)
/* A random string over an alphabet, at most `most` long. */
void random_text(char *to, size_t most, const char *alphabet);
int finish(void);
#endif
