/* Markings for replay: the same functions in a plain program, with the values of one recorded input.
 *
 * Turns a table of named values, which the generated test defines, into what the marking functions return. Names are
 * numbered as in the recorded run: the second marking of `x` is `x#2`; the parts of an object are `x[0]`, `x[1]`, ...
 * when they are alike and `x.OFFSET` otherwise. A value the table does not name is 0. An assumption that does not hold
 * ends the program with status 77 (the input says nothing about it); a failed assertion aborts. */
#define COVET_NATIVE 1
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct covet_value {
    const char *name;
    unsigned long long low, high;
};
extern const struct covet_value covet_values[];
extern const unsigned covet_value_count;

#define MODEL(name) name
#define DEFINE(name) __attribute__((weak)) name
_Noreturn void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

/* As many bytes of a name count as in the recorded run. */
enum { NAME_BYTES = 192, LABEL_BYTES = 256, NAMES = 1 << 14 };

static struct {
    char *name;
    unsigned count;
} occurrences[NAMES];

static unsigned occurrence(const char *name) {
    unsigned hash = 2166136261u, i;
    const char *c;
    for (c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (i = 0; i < NAMES; i++) {
        unsigned slot = (hash + i) % NAMES;
        if (occurrences[slot].name == NULL) {
            occurrences[slot].name = malloc(strlen(name) + 1);
            if (occurrences[slot].name == NULL) return 1;
            strcpy(occurrences[slot].name, name);
        }
        if (strcmp(occurrences[slot].name, name) == 0) return ++occurrences[slot].count;
    }
    return 1;
}

/* `name`, or `name#n` from the second marking on. */
static void fresh_label(char label[LABEL_BYTES], const char *name) {
    unsigned count;
    snprintf(label, LABEL_BYTES, "%.*s", NAME_BYTES, name ? name : "unnamed");
    count = occurrence(label);
    if (count > 1) sprintf(label + strlen(label), "#%u", count);
}

/* Values are mostly asked for in the order of the table. */
static const struct covet_value *find(const char *label) {
    static unsigned next;
    unsigned i;
    for (i = 0; i < covet_value_count; i++) {
        const struct covet_value *value = &covet_values[(next + i) % covet_value_count];
        if (strcmp(value->name, label) == 0) {
            next = (unsigned)(value - covet_values) + 1;
            return value;
        }
    }
    return NULL;
}

/* The value under this label, or under the name it got because the plain one was taken by another width. */
static const struct covet_value *find_of_width(const char *label, unsigned width) {
    const struct covet_value *value = find(label);
    char other[LABEL_BYTES + 32];
    unsigned clash;
    for (clash = 2; !value && clash <= 16; clash++) {
        sprintf(other, "%s#w%u.%u", label, width, clash);
        value = find(other);
    }
    return value;
}

static uint64_t __covet_input(uint32_t kind, uint32_t width, const char *name) {
    char label[LABEL_BYTES];
    const struct covet_value *value;
    (void)kind;
    fresh_label(label, name);
    value = find_of_width(label, width);
    if (!value) return 0;
    return width < 64 ? value->low & ((1ull << width) - 1) : value->low;
}

static void put(unsigned char *to, size_t room, const struct covet_value *value) {
    unsigned long long parts[2] = {value->low, value->high};
    memcpy(to, parts, room < sizeof parts ? room : sizeof parts);
}

/* What follows `label` in `name` when it is an index or offset: `[3]` or `.8`. -1 otherwise. */
static long part(const char *name, const char *label, char open) {
    size_t length = strlen(label);
    char *end;
    long number;
    if (strncmp(name, label, length) != 0 || name[length] != open) return -1;
    number = strtol(name + length + 1, &end, 10);
    if (end == name + length + 1) return -1;
    return (open == '[' ? *end == ']' : *end == 0 || *end == '#') ? number : -1;
}

/* Fills parts that are alike: the object's size over the number of parts is the size of each. */
static int put_elements(unsigned char *to, size_t size, const char *label) {
    long count = 0, index;
    size_t width;
    unsigned i;
    for (i = 0; i < covet_value_count; i++)
        if ((index = part(covet_values[i].name, label, '[')) >= count) count = index + 1;
    if (count == 0) return 0;
    width = size / (size_t)count;
    if (width == 0) width = 1;
    for (i = 0; i < covet_value_count; i++) {
        index = part(covet_values[i].name, label, '[');
        if (index >= 0 && ((size_t)index + 1) * width <= size) put(to + (size_t)index * width, width, &covet_values[i]);
    }
    return 1;
}

/* Fills parts that differ, each up to where the next one starts. */
static void put_fields(unsigned char *to, size_t size, const char *label) {
    unsigned i, j;
    for (i = 0; i < covet_value_count; i++) {
        long offset = part(covet_values[i].name, label, '.'), next = (long)size;
        if (offset < 0 || offset >= (long)size) continue;
        for (j = 0; j < covet_value_count; j++) {
            long other = part(covet_values[j].name, label, '.');
            if (other > offset && other < next) next = other;
        }
        put(to + offset, (size_t)(next - offset), &covet_values[i]);
    }
}

static void __covet_make_symbolic(void *start, size_t size, const char *name, const void *leaves, uint32_t count) {
    char label[LABEL_BYTES];
    const struct covet_value *value;
    (void)leaves, (void)count;
    fresh_label(label, name);
    memset(start, 0, size);
    value = find_of_width(label, (unsigned)size * 8);
    if (value) put(start, size, value);
    else if (!put_elements(start, size, label)) put_fields(start, size, label);
}

static void __covet_assume(uint32_t holds) {
    if (holds) return;
    fflush(NULL);
    _Exit(77);
}

static void __covet_reach_error(void) {
    fflush(NULL);
    abort();
}

static uint32_t __covet_is_symbolic(uint64_t value) { return (void)value, 0; }
static void __covet_forget(uint64_t start, uint64_t length) { (void)start, (void)length; }
static void __covet_register_object(const void *start, size_t length) { (void)start, (void)length; }
static uint64_t __covet_object_left(const void *start) { return (void)start, 0; }
static int64_t concrete(int64_t value) { return value; }

void DEFINE(covet_symbolic)(void *start, size_t size, const char *name) {
    __covet_make_symbolic(start, size, name, NULL, 0);
}
void DEFINE(klee_make_symbolic)(void *start, size_t size, const char *name) {
    __covet_make_symbolic(start, size, name, NULL, 0);
}

