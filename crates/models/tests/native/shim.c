#include "shim.h"

int shim_mode;
const char *shim_object;
size_t shim_object_size;
unsigned char shim_file[1 << 20];
size_t shim_file_size;
int shim_stdin;
long checks, failures;

int shim_values;
uint32_t __covet_is_symbolic(uint64_t value) { return shim_values || (shim_mode == 2 && (value & 63) == 7); }
uint64_t __covet_settle(uint64_t value) { return value; }
void __covet_descriptor_touched(void) {}
void __covet_input_ended(void) {}
static int odd(const char *p) { return ((uintptr_t)p * 2654435761u >> 7) & 1; }
int __covet_symbolic_range(const void *start, size_t length) {
    size_t i;
    if (shim_mode != 2) return shim_mode && length;
    for (i = 0; i < length && i < 4096; i++)
        if (odd((const char *)start + i)) return 1;
    return 0;
}
int __covet_symbolic_string(const char *s) { return __covet_symbolic_range(s, strlen(s) + 1); }
uint64_t __covet_object_left(const void *start) {
    const char *p = start;
    if (shim_object && p >= shim_object && p < shim_object + shim_object_size)
        return (uint64_t)(shim_object + shim_object_size - p);
    return 0;
}
uint32_t __covet_forget(uint64_t start, uint64_t length) { return (void)start, (void)length, 0; }
void __covet_register_object(const void *start, size_t length) { (void)start, (void)length; }
uint64_t __covet_input(uint32_t kind, uint32_t width, const char *name) { return (void)kind, (void)width, (void)name, 0; }
void __covet_make_symbolic(void *start, size_t length, const char *name, const void *leaves, uint32_t count) {
    (void)start, (void)length, (void)name, (void)leaves, (void)count;
}
void __covet_assume(uint32_t holds) { (void)holds; }
void __covet_reach_error(void) { abort(); }
const char *__covet_file_name(int file) { return file == 1 ? "sym" : NULL; }
int __covet_stdin_symbolic(void) { return shim_stdin; }
int __covet_surrounded(void) { return 0; }
const unsigned char *__covet_file_data(int file) { return (void)file, shim_file; }
uint64_t __covet_file_size(int file) { return (void)file, shim_file_size; }
uint64_t __covet_file_capacity(int file) { return (void)file, shim_file_size + 10; }
void *__covet_heap_malloc(size_t size) { return malloc(size); }
void *__covet_heap_realloc(void *old, size_t size) { return realloc(old, size); }
void __covet_libc_free(void *old) { free(old); }
void __covet_accessed(uint64_t start, uint64_t length) { (void)start, (void)length; }
_Noreturn void __covet_libc___assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    abort();
}
int __covet_file_of_stream(const void *stream) {
    (void)stream;
    return -1;
}
_Noreturn void __covet_libc_abort(void) { abort(); }
_Noreturn void __covet_libc__exit(int code) { _Exit(code); }

uint32_t roll(uint32_t below) {
    static uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % below);
}

void random_text(char *to, size_t most, const char *alphabet) {
    size_t n = roll((uint32_t)most + 1), i;
    for (i = 0; i < n; i++) to[i] = alphabet[roll((uint32_t)strlen(alphabet))];
    to[n] = 0;
}

int finish(void) {
    printf("%ld checks, %ld failures\n", checks, failures);
    return failures != 0;
}
