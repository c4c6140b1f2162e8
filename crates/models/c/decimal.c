/* Floating-point numbers from text.
 *
 * Turns a plain decimal numeral into an expression for its value when the arithmetic is exact: a mantissa that the type
 * holds exactly, times or over a power of ten that it holds exactly, is rounded once, as the native function does. Any
 * other numeral (more digits, larger exponents, hexadecimal, inf, nan) is softly pinned character by character and its value
 * is the native one. */
#include "covet/model.h"
#include <stdlib.h>

struct decimal {
    uint64_t mantissa;
    int negative;
    /* Characters that are digits of the mantissa, and how many of them stand after the point. */
    int digits, after_point;
    int exponent;
    /* 1 when the native function has to be asked. */
    int unusual;
    const char *end;
};

static const char *read_mantissa(struct decimal *d, const char *s) {
    int point = 0;
    for (;; s++) {
        if (is_digit(*s)) {
            if (d->digits < 19) d->mantissa = d->mantissa * 10 + (uint64_t)(*s - '0');
            d->digits++;
            d->after_point += point;
        } else if (!point && *s == '.') {
            point = 1;
        } else {
            break;
        }
    }
    /* A point without digits around it belongs to nothing; a trailing one belongs to the number. */
    return s;
}

/* The digit's value by asking for each: the exponent has to be concrete. */
static int settled_digit(int c) {
    int value;
    for (value = 0; value < 9; value++)
        if (c == '0' + value) break;
    return value;
}

static const char *read_exponent(struct decimal *d, const char *s) {
    const char *at = s + 1;
    int negative = 0, value = 0;
    if ((*s | 32) != 'e') return s;
    if (*at == '-') {
        negative = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if (!is_digit(*at)) return s;
    for (; is_digit(*at); at++)
        if (value < 1000) value = value * 10 + settled_digit(*at);
    d->exponent = negative ? -value : value;
    return at;
}

static struct decimal read_decimal(const char *s) {
    struct decimal d = {0, 0, 0, 0, 0, 0, NULL};
    const char *start;
    while (is_space(*s)) s++;
    if (*s == '-') {
        d.negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    start = s;
    s = read_mantissa(&d, s);
    if (d.digits == 0) {
        int first = *start | 32;
        d.unusual = (first == 'i') | (first == 'n');
        return d;
    }
    if (d.digits == 1 && s == start + 1 && (*s | 32) == 'x' && *start == '0') d.unusual = 1;
    else s = read_exponent(&d, s);
    d.exponent -= d.after_point;
    d.end = s;
    return d;
}

/* Ties the run to these very characters. */
static void pin(const char *s, size_t length) {
    size_t i;
    for (i = 0; i < length; i++) __covet_settle((unsigned char)s[i]);
}

static void set_end(char **end, const char *start, const struct decimal *d) {
    if (end) *end = (char *)(d->digits ? d->end : start);
}

static int exact(const struct decimal *d, int digits, int power) {
    return !d->unusual && d->digits <= digits && d->exponent >= -power && d->exponent <= power;
}

double MODEL(strtod)(const char *s, char **end) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal d;
    double value;
    if (plain_string(s)) return strtod(s, end);
    d = read_decimal(s);
    if (!exact(&d, 15, 22)) {
        char *stop;
        value = strtod(s, &stop);
        pin(s, (size_t)(stop - s) + 1);
        if (end) *end = stop;
        return value;
    }
    set_end(end, s, &d);
    value = d.digits <= 4 ? (double)(int16_t)d.mantissa : d.digits <= 9 ? (double)(int32_t)d.mantissa : (double)(int64_t)d.mantissa;
    if (d.exponent < 0) value /= powers[-d.exponent];
    else if (d.exponent > 0) value *= powers[d.exponent];
    return d.negative && d.digits ? -value : value;
}

float MODEL(strtof)(const char *s, char **end) {
    static const float powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    struct decimal d;
    float value;
    if (plain_string(s)) return strtof(s, end);
    d = read_decimal(s);
    if (!exact(&d, 7, 10)) {
        char *stop;
        value = strtof(s, &stop);
        pin(s, (size_t)(stop - s) + 1);
        if (end) *end = stop;
        return value;
    }
    set_end(end, s, &d);
    value = d.digits <= 4 ? (float)(int16_t)d.mantissa : (float)(int32_t)d.mantissa;
    if (d.exponent < 0) value /= powers[-d.exponent];
    else if (d.exponent > 0) value *= powers[d.exponent];
    return d.negative && d.digits ? -value : value;
}

long double MODEL(strtold)(const char *s, char **end) {
    char *stop;
    long double value = strtold(s, &stop);
    if (!plain_string(s)) pin(s, (size_t)(stop - s) + 1);
    if (end) *end = stop;
    return value;
}

double MODEL(atof)(const char *s) { return MODEL(strtod)(s, NULL); }
