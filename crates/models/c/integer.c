/* Numbers from text, and integer arithmetic of <stdlib.h>.
 *
 * Turns the characters of a numeral into an expression for its value: one branch per character ("is it still a digit"),
 * none for the digit's value, and one for overflow, asked only when so many digits were read that it can happen. */
#include "covet/model.h"
#include <inttypes.h>
#include <stdlib.h>

struct numeral {
    uint64_t magnitude;
    int negative;
    int digits;
    /* 1 when the magnitude passes the limit. */
    int overflow;
    const char *end;
};

/* Value of a digit in a base, 36 or more for other characters. */
static unsigned digit_value(int c, unsigned base) {
    unsigned digit = (unsigned)(c - '0'), letter, is_letter;
    if (base <= 10) return digit;
    letter = (unsigned)((c | 32) - 'a') + 10;
    is_letter = 0u - (letter - 10 < 26u);
    return ((0u - (digit < 10u)) & digit) | (is_letter & letter) | (0u - ((digit >= 10u) & ~is_letter & 1u));
}

static const char *skip_base_prefix(const char *s, int *base, int binary) {
    if (*s == '0' && (*base == 0 || *base == 16 || (binary && *base == 2))) {
        int second = s[1] | 32;
        if (*base != 2 && second == 'x' && digit_value(s[2], 16) < 16) {
            *base = 16;
            return s + 2;
        }
        if (binary && *base != 16 && second == 'b' && digit_value(s[2], 2) < 2) {
            *base = 2;
            return s + 2;
        }
        if (*base == 0) *base = 8;
    }
    if (*base == 0) *base = 10;
    return s;
}

static void read_digits(struct numeral *n, const char *s, unsigned base, uint64_t limit) {
    uint64_t value = 0, most = 0, cutoff = limit / base, last = limit % base;
    int may_overflow = 0;
    unsigned digit = digit_value(*s, base);
    while (digit < base) {
        may_overflow |= most > (limit - (base - 1)) / base;
        if (may_overflow) n->overflow |= (value > cutoff) | ((value == cutoff) & (digit > last));
        else most = most * base + (base - 1);
        value = value * base + digit;
        n->digits++;
        digit = digit_value(*++s, base);
    }
    n->magnitude = value;
    n->end = s;
}

static struct numeral read_numeral(const char *s, int base, int is_signed, int binary) {
    struct numeral n = {0, 0, 0, 0, NULL};
    uint64_t limit;
    while (is_space(*s)) s++;
    if (*s == '-') {
        n.negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    s = skip_base_prefix(s, &base, binary);
    limit = is_signed ? (uint64_t)INT64_MAX + (uint64_t)n.negative : UINT64_MAX;
    read_digits(&n, s, (unsigned)base, limit);
    return n;
}

static int bad_base(int base) {
    if (base == 0 || (base >= 2 && base <= 36)) return 0;
    errno = EINVAL;
    return 1;
}

static void set_end(char **end, const char *start, struct numeral *n) {
    if (end) *end = (char *)(n->digits ? n->end : start);
}

static int64_t signed_numeral(const char *s, char **end, int base, int binary) {
    struct numeral n;
    base = (int)settled(base);
    if (bad_base(base)) return 0;
    n = read_numeral(s, base, 1, binary);
    set_end(end, s, &n);
    if (n.overflow) {
        errno = ERANGE;
        return n.negative ? INT64_MIN : INT64_MAX;
    }
    return (int64_t)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static uint64_t unsigned_numeral(const char *s, char **end, int base, int binary) {
    struct numeral n;
    base = (int)settled(base);
    if (bad_base(base)) return 0;
    n = read_numeral(s, base, 0, binary);
    set_end(end, s, &n);
    if (n.overflow) {
        errno = ERANGE;
        return UINT64_MAX;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

#define SIGNED(type, name, binary)                                              \
    type MODEL(name)(const char *s, char **end, int base) {                     \
        if (!(binary) && plain_string(s)) return strtol(s, end, base);          \
        return signed_numeral(s, end, base, binary);                            \
    }
#define UNSIGNED(type, name, binary)                                            \
    type MODEL(name)(const char *s, char **end, int base) {                     \
        if (!(binary) && plain_string(s)) return strtoul(s, end, base);         \
        return unsigned_numeral(s, end, base, binary);                          \
    }
SIGNED(long, strtol, 0)
SIGNED(long long, strtoll, 0)
SIGNED(long long, strtoq, 0)
SIGNED(intmax_t, strtoimax, 0)
SIGNED(long, __isoc23_strtol, 1)
SIGNED(long long, __isoc23_strtoll, 1)
SIGNED(intmax_t, __isoc23_strtoimax, 1)
UNSIGNED(unsigned long, strtoul, 0)
UNSIGNED(unsigned long long, strtoull, 0)
UNSIGNED(unsigned long long, strtouq, 0)
UNSIGNED(uintmax_t, strtoumax, 0)
UNSIGNED(unsigned long, __isoc23_strtoul, 1)
UNSIGNED(unsigned long long, __isoc23_strtoull, 1)
UNSIGNED(uintmax_t, __isoc23_strtoumax, 1)

int MODEL(atoi)(const char *s) { return (int)MODEL(strtol)(s, NULL, 10); }
long MODEL(atol)(const char *s) { return MODEL(strtol)(s, NULL, 10); }
long long MODEL(atoll)(const char *s) { return MODEL(strtol)(s, NULL, 10); }

/* Without a branch; the most negative value stays as it is. */
int MODEL(abs)(int x) {
    unsigned sign = 0u - (unsigned)(x < 0);
    return (int)(((unsigned)x ^ sign) - sign);
}
static int64_t magnitude(int64_t x) {
    uint64_t sign = 0ul - (uint64_t)(x < 0);
    return (int64_t)(((uint64_t)x ^ sign) - sign);
}
long MODEL(labs)(long x) { return magnitude(x); }
long long MODEL(llabs)(long long x) { return magnitude(x); }
intmax_t MODEL(imaxabs)(intmax_t x) { return magnitude(x); }

div_t MODEL(div)(int a, int b) {
    div_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}
ldiv_t MODEL(ldiv)(long a, long b) {
    ldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}
lldiv_t MODEL(lldiv)(long long a, long long b) {
    lldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}
imaxdiv_t MODEL(imaxdiv)(intmax_t a, intmax_t b) {
    imaxdiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}
