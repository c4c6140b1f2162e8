/* String and memory comparison.
 *
 * Turns the bytes compared into one expression without a branch per byte, so that one query answers
 * `strcmp(s, "hello") == 0`. The bytes read never pass a terminator that is there for all inputs, nor the end of the
 * known object; where that is not known, the walk branches per byte. The value returned is the native one. */
#include "covet/model.h"
#include <strings.h>

/* Beyond this many bytes an expression would be dearer than the branches. */
enum { EXPRESSION_BYTES = 512 };

/* How many bytes from `s` may be read whatever the input: up to a NUL that is concrete, or to the end of the object. */
static size_t readable(const char *s) {
    size_t left = __covet_object_left(s), at = 0;
    if (!left) {
        size_t length = strlen(s);
        return __covet_symbolic_range(s + length, 1) ? 0 : length + 1;
    }
    while (at < left) {
        const char *nul = memchr(s + at, 0, left - at);
        if (!nul) return left;
        at = (size_t)(nul - s) + 1;
        if (!__covet_symbolic_range(nul, 1)) return at;
    }
    return left;
}

static int fold(int c, int ignore_case) { return ignore_case ? to_lower(c) : c; }

/* Gives the tracked difference the magnitude that the native function showed: libraries differ in it. */
static int as_native(int difference, int native) {
    int low, high;
    if ((int)concrete(difference) == native) return difference;
    low = native < 0 ? native : -native;
    high = native < 0 ? -native : native;
    return (int)((mask_if(difference < 0) & low) | (mask_if(difference > 0) & high));
}

static int walk(const void *start_a, const void *start_b, size_t most, int stop_at_nul, int ignore_case) {
    const unsigned char *a = start_a, *b = start_b;
    size_t i;
    for (i = 0; i < most; i++) {
        int x = fold(a[i], ignore_case), y = fold(b[i], ignore_case);
        if (x != y) return x - y;
        if (stop_at_nul && x == 0) return 0;
    }
    return 0;
}

/* Difference at the first of `n` places where the bytes differ or both end. */
static int expression(const unsigned char *a, const unsigned char *b, size_t n, int stop_at_nul, int ignore_case) {
    int result = 0;
    while (n-- > 0) {
        int x = fold(a[n], ignore_case), y = fold(b[n], ignore_case);
        int stop = (x != y) | (stop_at_nul & (x == 0));
        result = (x - y) | (result & (stop - 1));
    }
    return result;
}

/* Whether the strings, as they are now, are decided within their first `n` bytes. */
static int decided(const char *a, const char *b, size_t n, int ignore_case) {
    int differ = ignore_case ? strncasecmp(a, b, n) : strncmp(a, b, n);
    return differ || memchr(a, 0, n) != NULL;
}

static int compare_strings(const char *a, const char *b, size_t most, int ignore_case, int native) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    size_t n, of_a, of_b;
    if (most == 0) return 0;
    of_a = readable(a), of_b = readable(b);
    n = of_a < of_b ? of_a : of_b;
    if (n > most) n = most;
    if (n == 0 || n > EXPRESSION_BYTES || !(n == most || decided(a, b, n, ignore_case)))
        return as_native(walk(x, y, most, 1, ignore_case), native);
    return as_native(expression(x, y, n, 1, ignore_case), native);
}

/* Where the strings lie, or how much of them counts, depends on input: no native answer to compare with. */
static int lies_anywhere(const void *a, const void *b, size_t most) {
    return !plain_value((uint64_t)a) || !plain_value((uint64_t)b) || !plain_value(most);
}

int MODEL(strcmp)(const char *a, const char *b) {
    int native;
    if (lies_anywhere(a, b, 0)) return walk(a, b, SIZE_MAX, 1, 0);
    native = strcmp(a, b);
    if (!__covet_symbolic_string(a) && !__covet_symbolic_string(b)) return native;
    return compare_strings(a, b, SIZE_MAX, 0, native);
}

int MODEL(strcoll)(const char *a, const char *b) {
    if (plain_string(a) && plain_string(b)) return strcoll(a, b);
    return MODEL(strcmp)(a, b);
}

int MODEL(strcasecmp)(const char *a, const char *b) {
    int native;
    if (lies_anywhere(a, b, 0)) return walk(a, b, SIZE_MAX, 1, 1);
    native = strcasecmp(a, b);
    if (!__covet_symbolic_string(a) && !__covet_symbolic_string(b)) return native;
    return compare_strings(a, b, SIZE_MAX, 1, native);
}

/* Whether the first `most` bytes, or those up to the end, hold nothing symbolic. */
static int plain_prefix(const char *s, size_t most) {
    size_t length = strnlen(s, most);
    return !__covet_symbolic_range(s, length < most ? length + 1 : most);
}

int MODEL(strncmp)(const char *a, const char *b, size_t most) {
    int native;
    if (lies_anywhere(a, b, most)) return walk(a, b, most, 1, 0);
    native = strncmp(a, b, most);
    if (plain_prefix(a, most) && plain_prefix(b, most)) return native;
    return compare_strings(a, b, most, 0, native);
}

int MODEL(strncasecmp)(const char *a, const char *b, size_t most) {
    int native;
    if (lies_anywhere(a, b, most)) return walk(a, b, most, 1, 1);
    native = strncasecmp(a, b, most);
    if (plain_prefix(a, most) && plain_prefix(b, most)) return native;
    return compare_strings(a, b, most, 1, native);
}

static int inside(const void *start, size_t length) {
    size_t left = __covet_object_left(start);
    return left == 0 || left >= length;
}

int MODEL(memcmp)(const void *a, const void *b, size_t n) {
    int native;
    if (lies_anywhere(a, b, n)) return walk(a, b, n, 0, 0);
    native = memcmp(a, b, n);
    if (!__covet_symbolic_range(a, n) && !__covet_symbolic_range(b, n)) return native;
    if (n > EXPRESSION_BYTES || !inside(a, n) || !inside(b, n)) return as_native(walk(a, b, n, 0, 0), native);
    return as_native(expression(a, b, n, 0, 0), native);
}

int MODEL(bcmp)(const void *a, const void *b, size_t n) { return MODEL(memcmp)(a, b, n); }

int MODEL(timingsafe_bcmp)(const void *a, const void *b, size_t n) { return MODEL(memcmp)(a, b, n) != 0; }
