/* scanf and its family.
 *
 * Turns characters (of a string, of a stream of ours, of a native stream) and a format into values stored through the
 * arguments. One engine for all three sources; numerals are read in numeral.c. */
#include "covet/scan.h"
#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>

enum { MOST_ARGUMENTS = 32 };

int __covet_model_take(struct source *from) {
    int c;
    if (from->text) c = *from->text ? (unsigned char)*from->text++ : EOF;
    else if (from->ours) c = __covet_model_get(from->ours);
    else c = getc(from->native);
    if (c != EOF) from->taken++;
    return c;
}

void __covet_model_give_back(struct source *from, int c) {
    if (c == EOF) return;
    from->taken--;
    if (from->text) from->text--;
    else if (from->ours) __covet_model_unget(c, from->ours);
    else ungetc(c, from->native);
}

int __covet_model_skip_space(struct source *from) {
    int c;
    do c = __covet_model_take(from);
    while (c != EOF && is_space(c));
    return c;
}

static const char *read_set(struct conversion *into, const char *f) {
    int inverted = 0, from, to, first = 1;
    if (*f == '^') {
        inverted = 1;
        f++;
    }
    __builtin_memset(into->set, inverted, sizeof into->set);
    for (; *f && (first || *f != ']'); f++) {
        first = 0;
        from = to = (unsigned char)*f;
        if (f[1] == '-' && f[2] && f[2] != ']' && (unsigned char)f[2] >= from) {
            to = (unsigned char)f[2];
            f += 2;
        }
        for (; from <= to; from++) into->set[from] = !inverted;
    }
    return *f == ']' ? f + 1 : NULL;
}

static const char *read_number(const char *f, int *value) {
    *value = 0;
    while (is_digit(*f)) *value = *value * 10 + (*f++ - '0');
    return f;
}

/* Reads what follows a `%`. NULL when the format is malformed. */
static const char *read_conversion(struct conversion *c, const char *f) {
    const char *after;
    int value, more = 1;
    c->suppress = c->allocate = c->position = 0;
    c->width = -1;
    c->size = SIZE_INT;
    after = read_number(f, &value);
    if (after != f && *after == '$') {
        c->position = value;
        f = after + 1;
    }
    for (; *f == '*' || *f == '\'' || *f == 'I'; f++)
        if (*f == '*') c->suppress = 1;
    if (is_digit(*f)) {
        f = read_number(f, &value);
        if (value) c->width = value;
    }
    while (more) {
        switch (*f) {
        case 'h': c->size = c->size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT; f++; break;
        case 'l': c->size = c->size == SIZE_LONG ? SIZE_QUAD : SIZE_LONG; f++; break;
        case 'q': case 'L': c->size = SIZE_QUAD; f++; break;
        case 'j': case 'z': case 't': c->size = SIZE_LONG; f++; break;
        case 'm': c->allocate = 1; f++; break;
        default: more = 0; break;
        }
    }
    c->kind = *f++;
    if (c->kind == 0) return NULL;
    return c->kind == '[' ? read_set(c, f) : f;
}

/* Where the characters of %c, %s and %[ go: the caller's memory, memory of our own, or nowhere. */
struct sink {
    char *bytes;
    wchar_t *wide;
    size_t length, room;
    int allocate;
};

static int put(struct sink *out, int c, int is_wide) {
    if (out->allocate && out->length + 1 >= out->room) {
        size_t unit = is_wide ? sizeof(wchar_t) : 1, room = out->room ? out->room * 2 : 100;
        char *bigger = __covet_heap_realloc(out->bytes, room * unit);
        if (!bigger) return 0;
        out->bytes = bigger;
        out->wide = (wchar_t *)bigger;
        out->room = room;
    }
    if (is_wide && out->wide) out->wide[out->length] = c;
    if (!is_wide && out->bytes) out->bytes[out->length] = (char)c;
    return 1;
}

static int accepts(const struct conversion *conversion, int c) {
    switch (conversion->kind) {
    case 'c': case 'C': return 1;
    case 's': case 'S': return !is_space(c);
    default: return conversion->set[c];
    }
}

static enum result scan_text(struct source *from, struct conversion *conversion, void *to) {
    int is_char = conversion->kind == 'c' || conversion->kind == 'C';
    int is_wide = conversion->size == SIZE_LONG || conversion->kind == 'C' || conversion->kind == 'S';
    int width = conversion->width < 0 && is_char ? 1 : conversion->width;
    struct sink out = {to, to, 0, 0, 0};
    int c = conversion->kind == 's' || conversion->kind == 'S' ? __covet_model_skip_space(from) : __covet_model_take(from);
    if (c == EOF) return INPUT_ENDED;
    if (conversion->allocate && to) {
        out.bytes = NULL;
        out.wide = NULL;
        out.allocate = 1;
    }
    while (c != EOF && accepts(conversion, c)) {
        if (is_wide && c > 127) {
            errno = EILSEQ;
            return MISMATCH;
        }
        if (!put(&out, c, is_wide)) return INPUT_ENDED;
        out.length++;
        if (width > 0 && --width == 0) goto full;
        c = __covet_model_take(from);
    }
    __covet_model_give_back(from, c);
    if (out.length == 0) return MISMATCH;
full:
    if (!is_char && !put(&out, 0, is_wide)) return INPUT_ENDED;
    if (out.allocate) *(char **)to = out.bytes;
    return DONE;
}

struct arguments {
    va_list *list;
    void *all[MOST_ARGUMENTS];
    int fetched;
};

/* Every argument is a pointer, so numbered ones can be fetched in order. */
static void *argument(struct arguments *a, int position) {
    if (position == 0) return va_arg(*a->list, void *);
    while (a->fetched < position && a->fetched < MOST_ARGUMENTS) a->all[a->fetched++] = va_arg(*a->list, void *);
    return position <= MOST_ARGUMENTS ? a->all[position - 1] : NULL;
}

static enum result convert(struct source *from, struct conversion *c, void *to) {
    switch (c->kind) {
    case 'd': return __covet_model_scan_integer(from, c, to, 10, 1);
    case 'i': return __covet_model_scan_integer(from, c, to, 0, 1);
    case 'u': return __covet_model_scan_integer(from, c, to, 10, 0);
    case 'o': return __covet_model_scan_integer(from, c, to, 8, 0);
    case 'x': case 'X': case 'p': return __covet_model_scan_integer(from, c, to, 16, 0);
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': return __covet_model_scan_float(from, c, to);
    case 'c': case 'C': case 's': case 'S': case '[': return scan_text(from, c, to);
    default: __covet_model_give_back(from, __covet_model_skip_space(from)); return MISMATCH;
    }
}

static enum result match(struct source *from, char expected) {
    int c = __covet_model_take(from);
    if (c == EOF) return INPUT_ENDED;
    if (c == (unsigned char)expected) return DONE;
    __covet_model_give_back(from, c);
    return MISMATCH;
}

/* One directive of the format at `*format`. Counts values stored in `*stored`. */
static enum result directive(struct source *from, const char **format, struct arguments *arguments, int *stored) {
    struct conversion conversion;
    enum result result;
    const char *f = *format;
    void *to;
    if (is_space(*f)) {
        while (is_space(*f)) f++;
        *format = f;
        /* Space is skipped only once it is known that a sound directive follows. */
        if (*f == '%' && !read_conversion(&conversion, f + 1)) return MISMATCH;
        __covet_model_give_back(from, __covet_model_skip_space(from));
        return DONE;
    }
    if (*f != '%') {
        *format = f + 1;
        return match(from, *f);
    }
    if ((*format = read_conversion(&conversion, f + 1)) == NULL) return MISMATCH;
    if (conversion.kind == '%') {
        __covet_model_give_back(from, __covet_model_skip_space(from));
        return match(from, '%');
    }
    to = conversion.suppress ? NULL : argument(arguments, conversion.position);
    if (conversion.kind == 'n') {
        if (to) __covet_model_store(to, conversion.size, (uint64_t)(int64_t)from->taken);
        return DONE;
    }
    result = convert(from, &conversion, to);
    if (result == DONE && !conversion.suppress) ++*stored;
    return result;
}

static int scan(struct source *from, const char *format, va_list list) {
    struct arguments arguments;
    va_list copy;
    int stored = 0;
    enum result result = DONE;
    va_copy(copy, list);
    begun(copy);
    arguments.list = &copy;
    arguments.fetched = 0;
    while (result == DONE && *format) result = directive(from, &format, &arguments, &stored);
    va_end(copy);
    return result == INPUT_ENDED && stored == 0 ? EOF : stored;
}

static int scan_file(FILE *file, const char *format, va_list list) {
    struct source from = {NULL, __covet_model_stream(file), file, 0};
    return scan(&from, format, list);
}

static int scan_string(const char *text, const char *format, va_list list) {
    struct source from = {text, NULL, NULL, 0};
    return scan(&from, format, list);
}

/* The registers were saved behind our back, where earlier frames may have left marks; arguments here are places. */
#ifdef __x86_64__
#define saved_registers(list) written(list->reg_save_area, 6 * sizeof(void *))
#else
#define saved_registers(list) (void)0
#endif

/* Each function under its plain name and the names that language standards give it. */
#define NAMES(FAMILY) FAMILY() FAMILY(__isoc99_) FAMILY(__isoc23_)
#define PASTE(prefix, name) __covet_libc_##prefix##name
#define FAMILY(prefix)                                                                  \
    int PASTE(prefix, vfscanf)(FILE *file, const char *format, va_list list) {          \
        return scan_file(file, format, list);                                           \
    }                                                                                   \
    int PASTE(prefix, vscanf)(const char *format, va_list list) {                       \
        return scan_file(stdin, format, list);                                          \
    }                                                                                   \
    int PASTE(prefix, vsscanf)(const char *text, const char *format, va_list list) {    \
        return scan_string(text, format, list);                                         \
    }                                                                                   \
    int PASTE(prefix, fscanf)(FILE *file, const char *format, ...) {                    \
        va_list list;                                                                   \
        int stored;                                                                     \
        va_start(list, format);                                                         \
        begun(list);                                                                    \
        saved_registers(list);                                                          \
        stored = scan_file(file, format, list);                                         \
        va_end(list);                                                                   \
        return stored;                                                                  \
    }                                                                                   \
    int PASTE(prefix, scanf)(const char *format, ...) {                                 \
        va_list list;                                                                   \
        int stored;                                                                     \
        va_start(list, format);                                                         \
        begun(list);                                                                    \
        saved_registers(list);                                                          \
        stored = scan_file(stdin, format, list);                                        \
        va_end(list);                                                                   \
        return stored;                                                                  \
    }                                                                                   \
    int PASTE(prefix, sscanf)(const char *text, const char *format, ...) {              \
        va_list list;                                                                   \
        int stored;                                                                     \
        va_start(list, format);                                                         \
        begun(list);                                                                    \
        saved_registers(list);                                                          \
        stored = scan_string(text, format, list);                                       \
        va_end(list);                                                                   \
        return stored;                                                                  \
    }
NAMES(FAMILY)
