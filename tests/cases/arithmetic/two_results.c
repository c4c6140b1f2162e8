// Mathematics that gives a second result through a pointer: no value is made concrete.
// covet: cover % --function halves --function wholes --function circle --function gamma_sign -- -lm
#define _GNU_SOURCE
#include <math.h>

int halves(double x, float y) {
    int exponent;
    if (frexp(x, &exponent) == 0.75 && exponent == 5)
        return 1;
    if (exponent == -1060)
        return 2;
    if (frexpf(y, &exponent) > 0.9f && exponent == 10)
        return 3;
    return 0;
}

int wholes(double x, float y) {
    double whole;
    float single;
    if (modf(x, &whole) < 0 && whole == -1234.0)
        return 1;
    if (modff(y, &single) == 0.5f && single == 17.0f)
        return 2;
    return 0;
}

int circle(double angle) {
    double sine, cosine;
    sincos(angle, &sine, &cosine);
    if (sine > 0.5 && cosine < -0.8)
        return 1;
    return 0;
}

int gamma_sign(double x) {
    int sign;
    if (lgamma_r(x, &sign) > 1.0 && sign < 0)
        return 1;
    if (scalbln(x, 3L) == 80.0)
        return 2;
    return 0;
}
