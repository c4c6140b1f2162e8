/* Mathematics with two results or whole ones: model against library, bit for bit. */
#include "shim.h"
#include <math.h>
#define M(name) __covet_libc_##name

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void one(double x) {
    double M(frexp)(double, int *), M(modf)(double, double *), M(lgamma_r)(double, int *);
    float M(frexpf)(float, int *), M(modff)(float, float *), M(lgammaf_r)(float, int *);
    void M(sincos)(double, double *, double *), M(sincosf)(float, float *, float *);
    double a, b, c, d;
    float e, f, g, h, y = (float)x;
    int i = 0, j = 0;
    a = M(frexp)(x, &i), b = frexp(x, &j);
    CHECK(same(a, b) && (i == j || !isfinite(x)), "frexp %a: %a %d, %a %d", x, a, i, b, j);
    e = M(frexpf)(y, &i), f = frexpf(y, &j);
    CHECK(same(e, f) && (i == j || !isfinite(y)), "frexpf %a: %a %d, %a %d", y, e, i, f, j);
    a = M(modf)(x, &c), b = modf(x, &d);
    CHECK(same(a, b) && same(c, d), "modf %a: %a %a, %a %a", x, a, c, b, d);
    e = M(modff)(y, &g), f = modff(y, &h);
    CHECK(same(e, f) && same(g, h), "modff %a: %a %a, %a %a", y, e, g, f, h);
    M(sincos)(x, &a, &c), sincos(x, &b, &d);
    CHECK(same(a, b) && same(c, d), "sincos %a: %a %a, %a %a", x, a, c, b, d);
    M(sincosf)(y, &e, &g), sincosf(y, &f, &h);
    CHECK(same(e, f) && same(g, h), "sincosf %a: %a %a, %a %a", y, e, g, f, h);
    a = M(lgamma_r)(x, &i), b = lgamma_r(x, &j);
    CHECK(same(a, b) && (i == j || !isfinite(b)), "lgamma_r %a: %a %d, %a %d", x, a, i, b, j);
}

/* Results that are integers, and those of two numbers. */
static void integers(double x, double y) {
    double M(remquo)(double, double, int *), M(getpayload)(const double *), p, q, a, b;
    float M(remquof)(float, float, int *), M(getpayloadf)(const float *), pf, qf, c, d, xf = (float)x, yf = (float)y;
    long M(llogb)(double), M(llogbf)(float);
    int M(isnan)(double), M(isnanf)(float), M(isinf)(double), M(isinff)(float), M(finite)(double), M(finitef)(float);
    int M(canonicalize)(double *, const double *), M(canonicalizef)(float *, const float *);
    int M(setpayload)(double *, double), M(setpayloadf)(float *, float), M(setpayloadsig)(double *, double);
    int M(setpayloadsigf)(float *, float), M(totalorder)(const double *, const double *);
    int M(totalorderf)(const float *, const float *), M(totalordermag)(const double *, const double *);
    int M(totalordermagf)(const float *, const float *);
    int i = -9, j = -9;
    a = M(remquo)(x, y, &i), b = remquo(x, y, &j);
    CHECK(same(a, b) && i == j, "remquo %a %a: %a %d, %a %d", x, y, a, i, b, j);
    c = M(remquof)(xf, yf, &i), d = remquof(xf, yf, &j);
    CHECK(same(c, d) && i == j, "remquof %a %a: %a %d, %a %d", xf, yf, c, i, d, j);
    CHECK(M(llogb)(x) == llogb(x) && M(llogbf)(xf) == llogbf(xf), "llogb %a", x);
    CHECK(M(isnan)(x) == (isnan)(x) && M(isnanf)(xf) == (isnanf)(xf), "isnan %a", x);
    CHECK(M(isinf)(x) == (isinf)(x) && M(isinff)(xf) == (isinff)(xf), "isinf %a", x);
    CHECK(M(finite)(x) == (finite)(x) && M(finitef)(xf) == (finitef)(xf), "finite %a", x);
    i = M(canonicalize)(&p, &x), j = canonicalize(&q, &x);
    CHECK(i == j && memcmp(&p, &q, sizeof p) == 0, "canonicalize %a", x);
    i = M(canonicalizef)(&pf, &xf), j = canonicalizef(&qf, &xf);
    CHECK(i == j && memcmp(&pf, &qf, sizeof pf) == 0, "canonicalizef %a", xf);
    CHECK(same(M(getpayload)(&x), getpayload(&x)) && same(M(getpayloadf)(&xf), getpayloadf(&xf)), "getpayload %a", x);
    i = M(setpayload)(&p, x), j = setpayload(&q, x);
    CHECK(i == j && memcmp(&p, &q, sizeof p) == 0, "setpayload %a", x);
    i = M(setpayloadf)(&pf, xf), j = setpayloadf(&qf, xf);
    CHECK(i == j && memcmp(&pf, &qf, sizeof pf) == 0, "setpayloadf %a", xf);
    i = M(setpayloadsig)(&p, x), j = setpayloadsig(&q, x);
    CHECK(i == j && memcmp(&p, &q, sizeof p) == 0, "setpayloadsig %a", x);
    i = M(setpayloadsigf)(&pf, xf), j = setpayloadsigf(&qf, xf);
    CHECK(i == j && memcmp(&pf, &qf, sizeof pf) == 0, "setpayloadsigf %a", xf);
    CHECK(!M(totalorder)(&x, &y) == !totalorder(&x, &y), "totalorder %a %a", x, y);
    CHECK(!M(totalorderf)(&xf, &yf) == !totalorderf(&xf, &yf), "totalorderf %a %a", xf, yf);
    CHECK(!M(totalordermag)(&x, &y) == !totalordermag(&x, &y), "totalordermag %a %a", x, y);
    CHECK(!M(totalordermagf)(&xf, &yf) == !totalordermagf(&xf, &yf), "totalordermagf %a %a", xf, yf);
}

/* Both ways to the same integer, `errno` included. */
#define WHOLE(name, x)                                                                                               \
    do {                                                                                                             \
        intmax_t M(name)(__typeof__(x), int, unsigned), a, b;                                                        \
        int e;                                                                                                       \
        errno = 0, a = M(name)(x, direction, width), e = errno;                                                      \
        errno = 0, b = name(x, direction, width);                                                                    \
        CHECK(a == b && e == errno, #name " %a %d %u: %jd, %jd", x, direction, width, a, b);                         \
    } while (0)

static void wholes(double x, int direction, unsigned width) {
    float y = (float)x;
    WHOLE(fromfp, x);
    WHOLE(fromfpx, x);
    WHOLE(ufromfp, x);
    WHOLE(ufromfpx, x);
    WHOLE(fromfpf, y);
    WHOLE(fromfpxf, y);
    WHOLE(ufromfpf, y);
    WHOLE(ufromfpxf, y);
}

static void two(double x, double y) {
    integers(x, y);
    integers(y, x);
    wholes(x, (int)roll(7) - 1, roll(70));
    wholes(ldexp(x, 20), (int)roll(7) - 1, 60 + roll(6));
}

int main(void) {
    static const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1022, 0x1p-149, 0x1.fffffffffffffp1023, 0x1.fffffep127, -2.5, -3.5, -3.0, 1e300};
    size_t i;
    long round;
    for (i = 0; i < sizeof edges / sizeof *edges; i++) one(edges[i]);
    for (i = 0; i < sizeof edges / sizeof *edges * (sizeof edges / sizeof *edges); i++)
        two(edges[i / (sizeof edges / sizeof *edges)], edges[i % (sizeof edges / sizeof *edges)]);
    for (round = 0; round < 60000; round++) {
        uint64_t bits = (uint64_t)roll(1u << 31) << 33 ^ (uint64_t)roll(1u << 31) << 11 ^ roll(1u << 11);
        double x;
        memcpy(&x, &bits, sizeof x);
        one(x);
        one(((double)roll(2000001) - 1000000) / (1 + roll(1000)));
        two(x, x * (roll(4000) / 64.0));
        two(((double)roll(2000001) - 1000000) / (1 + roll(1000)), ((double)roll(2001) - 1000) / (1 << roll(8)));
    }
    return finish();
}
