// Variadic functions: arguments of the types that va_arg reads, or as a format asks for them.
// covet: cover % --function total
// covet: cover % --function joined
// covet: cover % --function logged
// covet: cover % --function formatted
// covet: cover % --function vlogged
// covet: cover % --function worst
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Correct: a caller passes as many as it says, so reading more of them is nobody's fault. */
int total(int count, ...) {
    va_list list;
    int sum = 0, at;
    va_start(list, count);
    for (at = 0; at < count; at++) {
        int next = va_arg(list, int);
        if (next == 1234 && at == 2) sum = -1000000;
        sum += next;
    }
    va_end(list);
    return sum;
}

/* Correct: strings up to NULL. */
int joined(char out[24], const char *first, ...) {
    va_list list;
    const char *next;
    size_t used = 0;
    va_start(list, first);
    for (next = first; next; next = va_arg(list, const char *)) {
        size_t length = strlen(next);
        if (used + length + 1 > 24) {
            va_end(list);
            return -1;
        }
        memcpy(out + used, next, length);
        used += length;
    }
    va_end(list);
    out[used] = 0;
    return strcmp(out, "ab") == 0;
}

static char buffer[32];

/* Correct: the library reads what the format asks for. */
int logged(int level, const char *format, ...) {
    va_list list;
    int length;
    if (level < 0 || format == NULL) return -1;
    va_start(list, format);
    length = vsnprintf(buffer, sizeof buffer, format, list);
    va_end(list);
    return level > 3 ? length : 0;
}

/* Seeded: a reader of formats of its own that divides by what it was given. */
int formatted(const char *format, ...) {
    va_list list;
    int result = 0;
    if (format == NULL) return -1;
    va_start(list, format);
    for (; *format; format++) {
        if (*format != '%') continue;
        switch (*++format) {
        case 'd': result += 100 / va_arg(list, int); break;
        case 's': result += va_arg(list, const char *)[0] == 'x'; break;
        case 'f': result += va_arg(list, double) > 2.5 ? 50 : 0; break;
        case 0: va_end(list); return -2;
        default: result++;
        }
    }
    va_end(list);
    return result;
}

/* Correct: the same over a va_list. */
int vlogged(const char *format, va_list list) {
    int result = 0;
    if (format == NULL) return -1;
    if (format[0] == '%' && format[1] == 'd') {
        int number = va_arg(list, int);
        result = number == 77 ? 1 : 2;
        if (format[2] == '%' && format[3] == 's') result += strcmp(va_arg(list, const char *), "no") == 0 ? 10 : 20;
    }
    return result;
}

/* Seeded: the third number may be any, and is an index. */
int worst(int *table, va_list list) {
    static int weights[3] = {3, 1, 2};
    long first = va_arg(list, long);
    double second = va_arg(list, double);
    int third = va_arg(list, int);
    if (table == NULL || first < 10 || second < 0.5) return 0;
    return weights[third];
}
