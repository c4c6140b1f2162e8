/* Numbers as scanf reads them.
 *
 * The characters of a numeral are collected here and converted by the models of strtol and strtod, so that the stored value
 * is an expression over the characters. */
#include "covet/scan.h"
#include <stdlib.h>

enum { MOST_NUMERAL = 512 };

void __covet_model_store(void *to, enum size size, uint64_t value) {
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
    return __covet_model_take(from);
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
        if (to_lower(*c = __covet_model_take(from)) != *rest) return 0;
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

enum result __covet_model_scan_integer(struct source *from, struct conversion *conversion, void *to, int base, int is_signed) {
    struct numeral n = {.length = 0, .width = conversion->width};
    uint64_t value;
    int c = __covet_model_skip_space(from);
    if (c == EOF) return INPUT_ENDED;
    c = read_prefix(&n, from, c, &base);
    while (c != EOF && n.width != 0 && digit_of(c, base)) {
        add(&n, c);
        c = next(&n, from);
    }
    if (n.length == n.signs) {
        if (conversion->kind != 'p' || !read_nil(&n, from, &c)) {
            __covet_model_give_back(from, c);
            return MISMATCH;
        }
    } else {
        __covet_model_give_back(from, c);
    }
    if (is_signed) value = (uint64_t)MODEL(strtol)(n.text, NULL, base);
    else value = MODEL(strtoul)(n.text, NULL, base);
    if (to) __covet_model_store(to, conversion->kind == 'p' ? SIZE_LONG : conversion->size, value);
    return DONE;
}

/* Reads the letters of `word`, the first of which is `c`. */
static int read_word(struct numeral *n, struct source *from, const char *word) {
    int c;
    for (; *word; word++) {
        if (n->width == 0) return 0;
        c = __covet_model_take(from);
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
    c = __covet_model_take(from);
    if (c == EOF) return DONE;
    if (to_lower(c) != 'i') {
        __covet_model_give_back(from, c);
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
            __covet_model_give_back(from, c);
            return;
        }
        if (n->width == 0 || (c = __covet_model_take(from)) == EOF) return;
        if (n->width > 0) n->width--;
    }
}

/* Collects the characters of a floating-point numeral. */
static enum result read_float(struct numeral *n, struct source *from) {
    int c = __covet_model_skip_space(from), sign = 0, hexadecimal = 0, digits = 0;
    if (c == EOF) return INPUT_ENDED;
    if (n->width > 0) n->width--;
    if (c == '-' || c == '+') {
        sign = 1;
        add(n, c);
        if (n->width == 0 || (c = __covet_model_take(from)) == EOF) return MISMATCH;
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

enum result __covet_model_scan_float(struct source *from, struct conversion *conversion, void *to) {
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
