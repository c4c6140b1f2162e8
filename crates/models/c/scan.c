/* scanf and its family.
 *
 * Turns characters (of a string, of a stream of ours, of a native stream) and a format into values stored through the
 * arguments. One engine for all three sources; numerals are collected here and converted by the models of strtol and
 * strtod, so that the stored value is an expression over the characters. */
#include "covet/files.h"
#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>

enum { MOST_ARGUMENTS = 32, MOST_NUMERAL = 512 };
enum size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG, SIZE_QUAD };

struct source {
    const char *text;
    struct stream *ours;
    FILE *native;
    /* Characters taken so far (for %n). */
    int taken;
};

struct conversion {
    int suppress, allocate, position;
    /* -1: as many as there are. */
    int width;
    enum size size;
    char kind;
    /* For %[ ]. */
    unsigned char set[256];
};

/* How a directive ended. */
enum result { DONE, MISMATCH, INPUT_ENDED };

static int get(struct source *from) {
    int c;
    if (from->text) c = *from->text ? (unsigned char)*from->text++ : EOF;
    else if (from->ours) c = __covet_model_get(from->ours);
    else c = getc(from->native);
    if (c != EOF) from->taken++;
    return c;
}

static void unget(struct source *from, int c) {
    if (c == EOF) return;
    from->taken--;
    if (from->text) from->text--;
    else if (from->ours) __covet_model_unget(c, from->ours);
    else ungetc(c, from->native);
}

static int skip_space(struct source *from) {
    int c;
    do c = get(from);
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

static void store_integer(void *to, enum size size, uint64_t value) {
    switch (size) {
    case SIZE_CHAR: *(unsigned char *)to = (unsigned char)value; break;
    case SIZE_SHORT: *(unsigned short *)to = (unsigned short)value; break;
    case SIZE_INT: *(unsigned *)to = (unsigned)value; break;
    case SIZE_LONG: case SIZE_QUAD: *(uint64_t *)to = value; break;
    }
}

/* A numeral under collection. What is longer than the room is cut: no such numeral fits a type. */
struct numeral {
    char text[MOST_NUMERAL];
    int length, width;
    /* Characters that are a sign: 0 or 1. */
    int signs;
};

static void add(struct numeral *n, int c) {
    if (n->length < MOST_NUMERAL - 1) n->text[n->length++] = (char)c;
    n->text[n->length] = 0;
}

static int next(struct numeral *n, struct source *from) {
    if (n->width > 0) n->width--;
    return get(from);
}

static int digit_of(int c, int base) {
    if (base == 16) return is_digit(c) | ((unsigned)((c | 32) - 'a') < 6u);
    return (unsigned)(c - '0') < (unsigned)base;
}

/* "(nil)" is how a null pointer prints. `*c` is the last character taken. */
static int read_nil(struct numeral *n, struct source *from, int *c) {
    const char *rest = "nil)";
    if (*c != '(' || n->length || (n->width >= 0 && n->width < 5)) return 0;
    for (; *rest; rest++)
        if (to_lower(*c = get(from)) != *rest) return 0;
    add(n, '0');
    return 1;
}

static int read_prefix(struct numeral *n, struct source *from, int c, int *base) {
    if (c == '-' || c == '+') {
        add(n, c);
        n->signs = 1;
        c = next(n, from);
    }
    if (n->width != 0 && c == '0') {
        add(n, c);
        c = next(n, from);
        if (n->width != 0 && (c | 32) == 'x' && (*base == 0 || *base == 16)) {
            *base = 16;
            c = next(n, from);
        } else if (*base == 0) {
            *base = 8;
        }
    }
    if (*base == 0) *base = 10;
    return c;
}

static enum result scan_integer(struct source *from, struct conversion *conversion, void *to, int base, int is_signed) {
    struct numeral n = {.length = 0, .width = conversion->width};
    uint64_t value;
    int c = skip_space(from);
    if (c == EOF) return INPUT_ENDED;
    c = read_prefix(&n, from, c, &base);
    while (c != EOF && n.width != 0 && digit_of(c, base)) {
        add(&n, c);
        c = next(&n, from);
    }
    if (n.length == n.signs) {
        if (conversion->kind != 'p' || !read_nil(&n, from, &c)) {
            unget(from, c);
            return MISMATCH;
        }
    } else {
        unget(from, c);
    }
    if (is_signed) value = (uint64_t)MODEL(strtol)(n.text, NULL, base);
    else value = MODEL(strtoul)(n.text, NULL, base);
    if (to) store_integer(to, conversion->kind == 'p' ? SIZE_LONG : conversion->size, value);
    return DONE;
}

/* Reads the letters of `word`, the first of which is `c`. */
static int read_word(struct numeral *n, struct source *from, const char *word) {
    int c;
    for (; *word; word++) {
        if (n->width == 0) return 0;
        c = get(from);
        if (c == EOF || to_lower(c) != *word) {
            /* the character that does not fit stays taken */
            return 0;
        }
        if (n->width > 0) n->width--;
        add(n, c);
    }
    return 1;
}

/* "nan", "inf" or "infinity" after the first letter `c`. */
static enum result read_special(struct numeral *n, struct source *from, int c) {
    int infinite = to_lower(c) == 'i';
    add(n, c);
    if (!read_word(n, from, infinite ? "nf" : "an")) return MISMATCH;
    if (!infinite || n->width == 0) return DONE;
    c = get(from);
    if (c == EOF) return DONE;
    if (to_lower(c) != 'i') {
        unget(from, c);
        return DONE;
    }
    if (n->width > 0) n->width--;
    add(n, c);
    return read_word(n, from, "nity") ? DONE : MISMATCH;
}

static void read_float_digits(struct numeral *n, struct source *from, int c, int hexadecimal, int digits) {
    int point = 0, exponent = 0;
    char mark = hexadecimal ? 'p' : 'e';
    for (;;) {
        if (c != EOF && is_digit(c)) {
            add(n, c);
            digits = 1;
        } else if (c != EOF && !exponent && hexadecimal && digit_of(c, 16)) {
            add(n, c);
            digits = 1;
        } else if (exponent && n->text[n->length - 1] == mark && (c == '-' || c == '+')) {
            add(n, c);
        } else if (c != EOF && digits && !exponent && to_lower(c) == mark) {
            add(n, mark);
            exponent = point = 1;
        } else if (!point && c == '.') {
            add(n, c);
            point = 1;
        } else {
            unget(from, c);
            return;
        }
        if (n->width == 0 || (c = get(from)) == EOF) return;
        if (n->width > 0) n->width--;
    }
}

/* Collects the characters of a floating-point numeral. */
static enum result read_float(struct numeral *n, struct source *from) {
    int c = skip_space(from), sign = 0, hexadecimal = 0, digits = 0;
    if (c == EOF) return INPUT_ENDED;
    if (n->width > 0) n->width--;
    if (c == '-' || c == '+') {
        sign = 1;
        add(n, c);
        if (n->width == 0 || (c = get(from)) == EOF) return MISMATCH;
        if (n->width > 0) n->width--;
    }
    if (to_lower(c) == 'n' || to_lower(c) == 'i') return read_special(n, from, c);
    if (n->width != 0 && c == '0') {
        add(n, c);
        c = next(n, from);
        if (n->width != 0 && c != EOF && to_lower(c) == 'x') {
            hexadecimal = 1;
            add(n, c);
            c = next(n, from);
        } else {
            digits = 1;
        }
    }
    read_float_digits(n, from, c, hexadecimal, digits);
    return n->length == sign || (hexadecimal && n->length == 2 + sign) ? MISMATCH : DONE;
}

static enum result scan_float(struct source *from, struct conversion *conversion, void *to) {
    struct numeral n = {.length = 0, .width = conversion->width};
    enum result result = read_float(&n, from);
    char *end;
    if (result != DONE) return result;
    if (conversion->size == SIZE_QUAD) {
        long double value = MODEL(strtold)(n.text, &end);
        if (end != n.text && to) *(long double *)to = value;
    } else if (conversion->size == SIZE_LONG) {
        double value = MODEL(strtod)(n.text, &end);
        if (end != n.text && to) *(double *)to = value;
    } else {
        float value = MODEL(strtof)(n.text, &end);
        if (end != n.text && to) *(float *)to = value;
    }
    return end == n.text ? MISMATCH : DONE;
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
        char *bigger = MODEL(realloc)(out->bytes, room * unit);
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
    int c = conversion->kind == 's' || conversion->kind == 'S' ? skip_space(from) : get(from);
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
        c = get(from);
    }
    unget(from, c);
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
    case 'd': return scan_integer(from, c, to, 10, 1);
    case 'i': return scan_integer(from, c, to, 0, 1);
    case 'u': return scan_integer(from, c, to, 10, 0);
    case 'o': return scan_integer(from, c, to, 8, 0);
    case 'x': case 'X': case 'p': return scan_integer(from, c, to, 16, 0);
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': return scan_float(from, c, to);
    case 'c': case 'C': case 's': case 'S': case '[': return scan_text(from, c, to);
    default: unget(from, skip_space(from)); return MISMATCH;
    }
}

static enum result match(struct source *from, char expected) {
    int c = get(from);
    if (c == EOF) return INPUT_ENDED;
    if (c == (unsigned char)expected) return DONE;
    unget(from, c);
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
        unget(from, skip_space(from));
        return DONE;
    }
    if (*f != '%') {
        *format = f + 1;
        return match(from, *f);
    }
    if ((*format = read_conversion(&conversion, f + 1)) == NULL) return MISMATCH;
    if (conversion.kind == '%') {
        unget(from, skip_space(from));
        return match(from, '%');
    }
    to = conversion.suppress ? NULL : argument(arguments, conversion.position);
    if (conversion.kind == 'n') {
        if (to) store_integer(to, conversion.size, (uint64_t)(int64_t)from->taken);
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
