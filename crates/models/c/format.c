/* sprintf and its family: text into memory.
 *
 * Turns values into characters that stay expressions of them: strings are copied, integers are taken apart digit by
 * digit (one branch per digit: is there another). When no argument is symbolic, and for a directive that is not of these
 * kinds, the library does the work. printf to a stream is the library's alone: nobody reads it back. */
#include "covet/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

enum size { SIZE_INT, SIZE_CHAR, SIZE_SHORT, SIZE_LONG };

struct directive {
    int minus, plus, space, zero, hash;
    int width, precision; /* precision -1: none */
    int width_given, precision_given; /* by an argument */
    enum size size;
    int long_double, wide;
    char kind;
    /* Its text, for the library. */
    char text[64];
};

struct output {
    char *to;
    /* Characters that fit, the terminator included; `length` counts all. */
    size_t room, length;
};

static void put(struct output *out, int c) {
    if (out->length + 1 < out->room) out->to[out->length] = (char)c;
    out->length++;
}

static void pad(struct output *out, int c, long count) {
    while (count-- > 0) put(out, c);
}

static void put_text(struct output *out, const char *text, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) put(out, text[i]);
}

static const char *read_count(const char *f, int *value) {
    *value = 0;
    while (is_digit(*f)) *value = *value * 10 + (*f++ - '0');
    return f;
}

static const char *read_flags(struct directive *d, const char *f) {
    for (;; f++) {
        switch (*f) {
        case '-': d->minus = 1; break;
        case '+': d->plus = 1; break;
        case ' ': d->space = 1; break;
        case '0': d->zero = 1; break;
        case '#': d->hash = 1; break;
        case '\'': case 'I': break;
        default: return f;
        }
    }
}

static const char *read_size(struct directive *d, const char *f) {
    for (;; f++) {
        switch (*f) {
        case 'h': d->size = d->size == SIZE_SHORT ? SIZE_CHAR : SIZE_SHORT; break;
        case 'l': case 'q': case 'j': case 'z': case 'Z': case 't': d->size = SIZE_LONG; break;
        case 'L': d->long_double = 1; d->size = SIZE_LONG; break;
        default: return f;
        }
    }
}

/* Reads what follows a `%`. NULL for forms that only the library knows. */
static const char *read_directive(struct directive *d, const char *f) {
    const char *start = f - 1, *end;
    __builtin_memset(d, 0, sizeof *d);
    d->precision = -1;
    f = read_flags(d, f);
    if (*f == '*') {
        d->width_given = 1;
        f++;
    } else {
        f = read_count(f, &d->width);
    }
    if (*f == '$') return NULL;
    if (*f == '.') {
        if (f[1] == '*') {
            d->precision_given = 1;
            f += 2;
        } else {
            f = read_count(f + 1, &d->precision);
        }
    }
    f = read_size(d, f);
    d->kind = *f;
    d->wide = d->size == SIZE_LONG && (*f == 'c' || *f == 's');
    end = f + 1;
    if (*f == 0 || !strchr("diouxXcspneEfFgGaA%m", *f) || (size_t)(end - start) >= sizeof d->text) return NULL;
    __builtin_memcpy(d->text, start, (size_t)(end - start));
    return end;
}

/* A value as fetched from the argument list. */
union value {
    int64_t integer;
    double real;
    long double long_real;
    void *address;
};

static void fetch_counts(struct directive *d, va_list *list) {
    if (d->width_given) {
        d->width = (int)settled(va_arg(*list, int));
        if (d->width < 0) {
            d->minus = 1;
            d->width = -d->width;
        }
    }
    if (d->precision_given) d->precision = (int)settled(va_arg(*list, int));
    if (d->precision < 0) d->precision = -1;
}

/* The next argument. What the library alone can print is tied to its value in this run: the characters say nothing of the input. */
static union value fetch(const struct directive *d, va_list *list) {
    union value v;
    __builtin_memset(&v, 0, sizeof v);
    switch (d->kind) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'c':
        if (d->size == SIZE_LONG && d->kind != 'c') v.integer = va_arg(*list, int64_t);
        else v.integer = va_arg(*list, int);
        break;
    case 's': case 'n': v.address = va_arg(*list, void *); break;
    case 'p':
        v.address = va_arg(*list, void *);
        __covet_settle((uint64_t)v.address);
        break;
    case '%': case 'm': break;
    default:
        if (d->long_double) v.long_real = va_arg(*list, long double);
        else {
            v.real = va_arg(*list, double);
            __covet_settle((uint64_t)v.integer);
        }
    }
    return v;
}

static int is_integer(char kind) { return strchr("diouxX", kind) != NULL; }

/* Whether characters of this directive depend on input in a way the library would lose. */
static int is_tracked(const struct directive *d, const union value *v) {
    if (is_integer(d->kind) || (d->kind == 'c' && !d->wide)) return !plain_value((uint64_t)v->integer);
    if (d->kind != 's' || d->wide || !v->address) return 0;
    if (!plain_value((uint64_t)v->address)) return 1;
    if (d->precision < 0) return !plain_string(v->address);
    return !plain_bytes(v->address, strnlen(v->address, (size_t)d->precision));
}

/* 1: something is tracked; 0: nothing is; -1: the format is the library's to read. */
static int needs_tracking(const char *format, va_list arguments) {
    struct directive d;
    va_list list;
    int tracked = 0;
    va_copy(list, arguments);
    begun(list);
    while (*format && !tracked) {
        union value v;
        if (*format++ != '%') continue;
        if ((format = read_directive(&d, format)) == NULL) {
            tracked = -1;
            break;
        }
        fetch_counts(&d, &list);
        v = fetch(&d, &list);
        tracked = is_tracked(&d, &v);
    }
    va_end(list);
    return tracked;
}

/* Digits from the last to the first; gives how many. */
static int take_apart(char *digits, uint64_t value, unsigned base, int upper, int narrow) {
    int n = 0;
    uint32_t small = (uint32_t)value;
    while (narrow ? small != 0 : value != 0) {
        unsigned digit;
        if (narrow) {
            digit = small % base;
            small /= base;
        } else {
            digit = (unsigned)(value % base);
            value /= base;
        }
        if (base > 10) digit += (unsigned)mask_if(digit > 9) & (upper ? 'A' - '9' - 1 : 'a' - '9' - 1);
        digits[n++] = (char)('0' + digit);
    }
    return n;
}

static int64_t narrowed(const struct directive *d, int64_t value) {
    int is_signed = d->kind == 'd' || d->kind == 'i';
    switch (d->size) {
    case SIZE_CHAR: return is_signed ? (signed char)value : (unsigned char)value;
    case SIZE_SHORT: return is_signed ? (short)value : (unsigned short)value;
    case SIZE_INT: return is_signed ? (int)value : (int64_t)(unsigned)value;
    case SIZE_LONG: return value;
    }
    return value;
}

static void put_integer(struct output *out, const struct directive *d, int64_t argument) {
    char digits[72];
    const char *prefix = "";
    int64_t value = narrowed(d, argument);
    unsigned base = d->kind == 'o' ? 8 : d->kind == 'x' || d->kind == 'X' ? 16 : 10;
    uint64_t magnitude = (uint64_t)value;
    int n, zeros;
    long space;
    if (d->kind == 'd' || d->kind == 'i') {
        prefix = d->plus ? "+" : d->space ? " " : "";
        if (value < 0) {
            prefix = "-";
            magnitude = 0 - magnitude;
        }
    }
    n = take_apart(digits, magnitude, base, d->kind == 'X', d->size != SIZE_LONG);
    if (d->hash && base == 16 && n > 0) prefix = d->kind == 'X' ? "0X" : "0x";
    zeros = (d->precision < 0 ? 1 : d->precision) - n;
    if (zeros < 0) zeros = 0;
    if (d->hash && base == 8 && zeros == 0) zeros = 1;
    space = d->width - (long)strlen(prefix) - n - zeros;
    if (space > 0 && d->zero && !d->minus && d->precision < 0) {
        zeros += (int)space;
        space = 0;
    }
    if (!d->minus) pad(out, ' ', space);
    put_text(out, prefix, strlen(prefix));
    pad(out, '0', zeros);
    while (n-- > 0) put(out, digits[n]);
    if (d->minus) pad(out, ' ', space);
}

static void put_string(struct output *out, const struct directive *d, const char *text) {
    size_t length = d->precision < 0 ? MODEL(strlen)(text) : MODEL(strnlen)(text, (size_t)d->precision);
    if (!d->minus) pad(out, ' ', d->width - (long)length);
    put_text(out, text, length);
    if (d->minus) pad(out, ' ', d->width - (long)length);
}

static void put_char(struct output *out, const struct directive *d, int c) {
    if (!d->minus) pad(out, ' ', d->width - 1);
    put(out, c);
    if (d->minus) pad(out, ' ', d->width - 1);
}

/* One directive, or its first argument as a string, by the library. */
#define BY_LIBRARY(value)                                                                                  \
    do {                                                                                                   \
        char small[128], *big = small;                                                                     \
        int n = render(small, sizeof small, value);                                                        \
        if (n >= (int)sizeof small && (big = malloc((size_t)n + 1)) != NULL) render(big, (size_t)n + 1, value); \
        written(big, n < 0 || !big ? 0 : (size_t)n);                                                       \
        if (n > 0 && big) put_text(out, big, (size_t)n);                                                   \
        if (big != small) free(big);                                                                       \
    } while (0)
#define render(to, room, value)                                                                            \
    (d->width_given && d->precision_given ? snprintf(to, room, d->text, width, d->precision, value)        \
     : d->width_given                     ? snprintf(to, room, d->text, width, value)                      \
     : d->precision_given                 ? snprintf(to, room, d->text, d->precision, value)               \
                                          : snprintf(to, room, d->text, value))

static void put_natively(struct output *out, const struct directive *d, const union value *v) {
    int width = d->minus ? -d->width : d->width;
    if (is_integer(d->kind) && d->size == SIZE_LONG) BY_LIBRARY(v->integer);
    else if (is_integer(d->kind) || d->kind == 'c') BY_LIBRARY((int)v->integer);
    else if (d->kind == 's' || d->kind == 'p' || d->kind == '%' || d->kind == 'm') BY_LIBRARY(v->address);
    else if (d->long_double) BY_LIBRARY(v->long_real);
    else BY_LIBRARY(v->real);
}

static void store_count(const struct directive *d, void *to, size_t length) {
    switch (d->size) {
    case SIZE_CHAR: *(signed char *)to = (signed char)length; break;
    case SIZE_SHORT: *(short *)to = (short)length; break;
    case SIZE_INT: *(int *)to = (int)length; break;
    case SIZE_LONG: *(int64_t *)to = (int64_t)length; break;
    }
}

static int tracked_format(char *to, size_t room, const char *format, va_list arguments) {
    struct output out = {to, room, 0};
    struct directive d;
    va_list list;
    va_copy(list, arguments);
    begun(list);
    while (*format) {
        union value v;
        if (*format != '%') {
            put(&out, *format++);
            continue;
        }
        format = read_directive(&d, format + 1);
        if (!format) break;
        fetch_counts(&d, &list);
        v = fetch(&d, &list);
        if (d.kind == 'n') store_count(&d, v.address, out.length);
        else if (!is_tracked(&d, &v)) put_natively(&out, &d, &v);
        else if (d.kind == 's') put_string(&out, &d, v.address);
        else if (d.kind == 'c') put_char(&out, &d, (int)v.integer);
        else put_integer(&out, &d, v.integer);
    }
    va_end(list);
    if (room) to[out.length < room ? out.length : room - 1] = 0;
    return (int)out.length;
}

static int into(char *to, size_t room, const char *format, va_list list) {
    int n;
    if (plain_string(format) && needs_tracking(format, list) == 1) return tracked_format(to, room, format, list);
    n = vsnprintf(to, room, format, list);
    if (n >= 0 && room) written(to, (size_t)n < room ? (size_t)n + 1 : room);
    return n;
}

static int allocated(char **to, const char *format, va_list list) {
    va_list copy;
    int n;
    va_copy(copy, list);
    begun(copy);
    n = into(NULL, 0, format, copy);
    va_end(copy);
    if (n < 0 || (*to = __covet_heap_malloc((size_t)n + 1)) == NULL) return -1;
    return into(*to, (size_t)n + 1, format, list);
}

int MODEL(vsnprintf)(char *to, size_t room, const char *format, va_list list) { return into(to, room, format, list); }
int MODEL(vsprintf)(char *to, const char *format, va_list list) { return into(to, INT_MAX, format, list); }
int MODEL(vasprintf)(char **to, const char *format, va_list list) { return allocated(to, format, list); }
int MODEL(__vsnprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, va_list list) {
    (void)flag, (void)size;
    return into(to, room, format, list);
}
int MODEL(__vsprintf_chk)(char *to, int flag, size_t size, const char *format, va_list list) {
    (void)flag, (void)size;
    return into(to, INT_MAX, format, list);
}

#define VARIADIC(call)                  \
    do {                                \
        va_list list;                   \
        int n;                          \
        va_start(list, format);         \
        begun(list);                    \
        n = call;                       \
        va_end(list);                   \
        return n;                       \
    } while (0)

int MODEL(snprintf)(char *to, size_t room, const char *format, ...) { VARIADIC(into(to, room, format, list)); }
int MODEL(sprintf)(char *to, const char *format, ...) { VARIADIC(into(to, INT_MAX, format, list)); }
int MODEL(asprintf)(char **to, const char *format, ...) { VARIADIC(allocated(to, format, list)); }
int MODEL(__snprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, ...) {
    (void)flag, (void)size;
    VARIADIC(into(to, room, format, list));
}
int MODEL(__sprintf_chk)(char *to, int flag, size_t size, const char *format, ...) {
    (void)flag, (void)size;
    VARIADIC(into(to, INT_MAX, format, list));
}
