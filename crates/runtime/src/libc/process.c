/* The C side of the process functions: what needs the caller's frame pointer (so that a failed assertion has a call
 * stack) or a variable argument list. Each hands over to `process.rs` at once. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* `frame` is the address of a frame whose first two words are the caller's frame pointer and the return address. */
_Noreturn void covet_process_abort(void *frame);
_Noreturn void covet_process_assert(void *frame, const char *text, const char *file, unsigned line, const char *function);
_Noreturn void covet_process_error(void *frame);
int covet_process_raise(void *frame, int signal);
int covet_process_kill(void *frame, int pid, int signal);
int covet_process_refuse(void);
int covet_process_standalone(void);

#define FRAME __builtin_frame_address(0)

_Noreturn void __covet_libc_abort(void) { covet_process_abort(FRAME); }
_Noreturn void __covet_reach_error(void) { covet_process_error(FRAME); }
int __covet_libc_raise(int signal) { return covet_process_raise(FRAME, signal); }
int __covet_libc_kill(int pid, int signal) { return covet_process_kill(FRAME, pid, signal); }

_Noreturn void __covet_libc___assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    covet_process_assert(FRAME, text, file, line, function);
}
_Noreturn void __covet_libc___assert(const char *text, const char *file, int line) {
    covet_process_assert(FRAME, text, file, (unsigned)line, NULL);
}
_Noreturn void __covet_libc___assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
    (void)error;
    covet_process_assert(FRAME, "unexpected error", file, line, function);
}

enum { MAX_ARGUMENTS = 4096 };

/* Collects `first, ..., NULL` into `argv`; the list is left just behind the NULL. */
static void collect(char **argv, const char *first, va_list *list) {
    size_t count = 0;
    argv[count++] = (char *)first;
    while (argv[count - 1] != NULL && count < MAX_ARGUMENTS - 1) argv[count++] = va_arg(*list, char *);
    argv[count] = NULL;
}

int __covet_libc_execl(const char *path, const char *first, ...) {
    if (!covet_process_standalone()) return covet_process_refuse();
    char *argv[MAX_ARGUMENTS];
    va_list list;
    va_start(list, first);
    collect(argv, first, &list);
    va_end(list);
    return execv(path, argv);
}

int __covet_libc_execlp(const char *file, const char *first, ...) {
    if (!covet_process_standalone()) return covet_process_refuse();
    char *argv[MAX_ARGUMENTS];
    va_list list;
    va_start(list, first);
    collect(argv, first, &list);
    va_end(list);
    return execvp(file, argv);
}

int __covet_libc_execle(const char *path, const char *first, ...) {
    if (!covet_process_standalone()) return covet_process_refuse();
    char *argv[MAX_ARGUMENTS];
    va_list list;
    va_start(list, first);
    collect(argv, first, &list);
    char **envp = va_arg(list, char **);
    va_end(list);
    return execve(path, argv, envp);
}
