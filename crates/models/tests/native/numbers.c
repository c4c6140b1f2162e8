/* Numbers from text, integer arithmetic, sorting and searching: model against library. */
#include "shim.h"
#include <inttypes.h>
#include <search.h>
#define M(name) __covet_libc_##name

static const char *const integers[] = {
    "", " ", "-", "+", "0", "00", "0x", "0X", "0xg", "0x1f", "-0x1F", "+0x", "0b1", "0b", "08", "077", "-1", "- 1", "--1",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "99999999999999999999999", "zz", "Zz1",
    "\t\n\v\f\r 42abc", "2147483648", "-2147483649", "4294967296", "0x7fffffffffffffff", "0x8000000000000000",
    "0xffffffffffffffff", "0x10000000000000000", "1777777777777777777777", "01777777777777777777777",
    "02000000000000000000000", "00000000000000000000000000000000012", "\xa0" "5", "1_000", "1,000", "3w5e11264sgsf",
    "3w5e11264sgsg",
};

#define SIGNED(name, type)                                                                                      \
    do {                                                                                                        \
        type M(name)(const char *, char **, int);                                                               \
        char *p = (char *)s, *q = (char *)s;                                                                    \
        int e, f;                                                                                               \
        type x, y;                                                                                              \
        errno = 0, x = M(name)(s, &p, base), e = errno;                                                         \
        errno = 0, y = name(s, &q, base), f = errno;                                                            \
        CHECK(x == y && p == q && e == f, #name " '%s' base %d: %lld/%lld end %td/%td errno %d/%d", s, base,    \
              (long long)x, (long long)y, p - s, q - s, e, f);                                                  \
    } while (0)

static void integer(const char *s, int base) {
    int M(atoi)(const char *);
    long M(atol)(const char *);
    long long M(atoll)(const char *);
    SIGNED(strtol, long);
    SIGNED(strtoll, long long);
    SIGNED(strtoul, unsigned long);
    SIGNED(strtoull, unsigned long long);
    SIGNED(strtoimax, intmax_t);
    SIGNED(strtoumax, uintmax_t);
    CHECK(M(atoi)(s) == atoi(s) && M(atol)(s) == atol(s) && M(atoll)(s) == atoll(s), "atoi '%s'", s);
}

static const char *const decimals[] = {
    "", ".", "-", "+.", "0", "-0", "1", "-1.5", "+.5", "5.", ".5e", "1e", "1e+", "1e-", "1e5", "1E-5", "1.5e+3x", "e5",
    "inf", "-INF", "infinity", "infinit", "nan", "NaN(12)", "nan(", "-nan", "0x", "0x1p3", "0x.8", "0x1.8p-1", "0xg",
    "1e22", "1e23", "123456789012345", "1234567890123456", "0.1", "3.14159265358979", "9007199254740993", "1e308",
    "1e309", "-1e309", "1e-400", "4.9e-324", "2e-324", "1e1000000", "0e99999", "0.000000000000000000000001",
    "00000000000000000000001", "1.7976931348623157e308", "16777217", "1e10", "9999999e-10", "3.4028236e38", " \n 7.25",
    "1..2", "1.2.3", "1e5.5", "1,5", "0.3e1", "1e22e", "100000000000000000000000", "2.5e-22", "999999999999999e22",
};

#define FLOAT(name, type)                                                                                       \
    do {                                                                                                        \
        type M(name)(const char *, char **);                                                                    \
        char *p = NULL, *q = NULL;                                                                              \
        int e, f, same;                                                                                         \
        type x, y;                                                                                              \
        errno = 0, x = M(name)(s, &p), e = errno;                                                               \
        errno = 0, y = name(s, &q), f = errno;                                                                  \
        same = x != x ? y != y && __builtin_signbit(x) == __builtin_signbit(y)                                  \
                      : x == y && __builtin_signbit(x) == __builtin_signbit(y);                                 \
        CHECK(same && p == q && e == f, #name " '%s': %.20Lg/%.20Lg end %td/%td errno %d/%d", s,                \
              (long double)x, (long double)y, p - s, q - s, e, f);                                              \
    } while (0)

static void decimal(const char *s) {
    double M(atof)(const char *);
    FLOAT(strtod, double);
    FLOAT(strtof, float);
    FLOAT(strtold, long double);
    CHECK(M(atof)(s) == atof(s) || atof(s) != atof(s), "atof '%s'", s);
}

static void arithmetic(int a, int b) {
    int M(abs)(int);
    long M(labs)(long);
    div_t M(div)(int, int), d, e;
    ldiv_t M(ldiv)(long, long), g, h;
    if (a != INT_MIN) CHECK(M(abs)(a) == abs(a) && M(labs)(a) == labs(a), "abs %d", a);
    if (b == 0 || (a == INT_MIN && b == -1)) return;
    d = M(div)(a, b), e = div(a, b), g = M(ldiv)(a, b), h = ldiv(a, b);
    CHECK(d.quot == e.quot && d.rem == e.rem && g.quot == h.quot && g.rem == h.rem, "div %d %d", a, b);
}

/* The order of comparisons is part of what a program can see. */
static char record[2][20000];
static int recorded[2], side;
struct item { int key, tag; };
struct big { int key, tag; char filler[40]; };
static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    if (recorded[side] < 19990) record[side][recorded[side]++] = (char)(x->tag * 7 + y->tag);
    return x->key < y->key ? -1 : x->key > y->key;
}
static int chaotic(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    return (int)((unsigned)(x->tag * 31 + y->tag * 17) % 3) - 1;
}
static int with_context(const void *a, const void *b, void *context) { return *(int *)context * by_key(a, b); }

static void sorting(size_t n, int keys, size_t width) {
    void M(qsort)(void *, size_t, size_t, int (*)(const void *, const void *));
    void M(qsort_r)(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
    void *M(bsearch)(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
    void *M(lfind)(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
    static struct big a[400], b[400];
    struct item key = {(int)roll((uint32_t)keys), 0};
    int sign = -1;
    size_t i;
    char *x = (char *)a, *y = (char *)b;
    memset(a, 0, sizeof a);
    for (i = 0; i < n; i++) {
        struct item it = {(int)roll((uint32_t)keys), (int)i};
        memcpy(x + i * width, &it, sizeof it);
    }
    memcpy(b, a, sizeof a);
    recorded[0] = recorded[1] = 0;
    side = 0, M(qsort)(x, n, width, by_key);
    side = 1, qsort(y, n, width, by_key);
    CHECK(memcmp(a, b, sizeof a) == 0, "qsort %zu of %zu", n, width);
    CHECK(recorded[0] == recorded[1] && memcmp(record[0], record[1], (size_t)recorded[0]) == 0, "comparisons %zu", n);
    side = 0;
    CHECK((char *)M(bsearch)(&key, x, n, width, by_key) - x == (char *)bsearch(&key, x, n, width, by_key) - x, "bsearch");
    CHECK(M(lfind)(&key, x, &n, width, by_key) == lfind(&key, x, &n, width, by_key), "lfind");
    M(qsort)(x, n, width, chaotic), qsort(y, n, width, chaotic);
    CHECK(memcmp(a, b, sizeof a) == 0, "qsort against order %zu", n);
    M(qsort_r)(x, n, width, with_context, &sign), qsort_r(y, n, width, with_context, &sign);
    CHECK(memcmp(a, b, sizeof a) == 0, "qsort_r %zu", n);
}

int main(void) {
    char text[64];
    size_t i;
    int round;
    for (shim_mode = 0; shim_mode < 3; shim_mode++) {
        for (i = 0; i < sizeof integers / sizeof *integers; i++) {
            int base;
            for (base = -1; base <= 37; base++) integer(integers[i], base);
        }
        for (i = 0; i < sizeof decimals / sizeof *decimals; i++) decimal(decimals[i]);
        for (round = 0; round < 8000; round++) {
            random_text(text, 22, roll(2) ? "0123456789" : "01789aAfFxXzZ+- ");
            integer(text, roll(2) ? 10 : (int)roll(37));
            random_text(text, roll(3) ? 9 : 24, roll(2) ? "0123456789." : "0123456789.eE+- xinfa");
            decimal(text);
            snprintf(text, sizeof text, "%.*g", 1 + (int)roll(17), (double)(int64_t)(((uint64_t)roll(1u << 31) << 22) ^ roll(1u << 30)) / (1 + roll(100000)));
            decimal(text);
            arithmetic((int)roll(4) ? (int)roll(1000) - 500 : (int)(roll(2) ? INT_MAX : INT_MIN), (int)roll(40) - 20);
            if (round % 20 == 0) sorting(roll(300), 1 + (int)roll(100), roll(2) ? sizeof(struct item) : sizeof(struct big));
        }
    }
    return finish();
}
