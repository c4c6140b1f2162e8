/* Mathematics with two results: model against library, bit for bit. */
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

int main(void) {
    static const double edges[] = {0.0, -0.0, 1.0, -1.0, 0.5, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1022, 0x1p-149, 0x1.fffffffffffffp1023, 0x1.fffffep127, -2.5, -3.5, -3.0, 1e300};
    size_t i;
    long round;
    for (i = 0; i < sizeof edges / sizeof *edges; i++) one(edges[i]);
    for (round = 0; round < 60000; round++) {
        uint64_t bits = (uint64_t)roll(1u << 31) << 33 ^ (uint64_t)roll(1u << 31) << 11 ^ roll(1u << 11);
        double x;
        memcpy(&x, &bits, sizeof x);
        one(x);
        one(((double)roll(2000001) - 1000000) / (1 + roll(1000)));
    }
    return finish();
}
