/* Mathematics with two results, one of them behind a pointer, and with results that are integers.
 *
 * Each result is an expression of its own: bits of the number, an operator, or a pure function of the library. */
#include "covet/model.h"
#include <float.h>
#include <math.h>

/* Splits a number into a fraction from 1/2 to 1 and a power of two, which is a matter of its bits. */
double MODEL(frexp)(double x, int *exponent) {
    const uint64_t exponent_bits = 0x7ffull << 52, one_half = 0x3feull << 52;
    uint64_t bits;
    int lifted = 0;
    if (x == 0.0 || !(fabs(x) <= DBL_MAX)) {
        *exponent = 0;
        return x + x;
    }
    if (fabs(x) < DBL_MIN) {
        x *= 0x1p54;
        lifted = 54;
    }
    __builtin_memcpy(&bits, &x, sizeof bits);
    *exponent = (int)((bits & exponent_bits) >> 52) - 1022 - lifted;
    bits = (bits & ~exponent_bits) | one_half;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* Exact in both directions: a double holds every float, and the fraction has no more digits than the float. */
float MODEL(frexpf)(float x, int *exponent) { return (float)MODEL(frexp)(x, exponent); }

double MODEL(modf)(double x, double *whole) {
    double part;
    *whole = trunc(x);
    part = fabs(x) > DBL_MAX ? 0.0 : x - *whole;
    return copysign(part, x);
}

float MODEL(modff)(float x, float *whole) {
    float part;
    *whole = truncf(x);
    part = fabsf(x) > FLT_MAX ? 0.0f : x - *whole;
    return copysignf(part, x);
}

void MODEL(sincos)(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}

void MODEL(sincosf)(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}

/* The sign of the gamma function: below zero it changes from one whole number to the next. */
static int gamma_sign(double x) {
    if (x == 0.0) return signbit(x) ? -1 : 1;
    return x < 0.0 && floor(x) != x && fmod(floor(x), 2.0) != 0.0 ? -1 : 1;
}

double MODEL(lgamma_r)(double x, int *sign) {
    *sign = gamma_sign(x);
    return lgamma(x);
}

float MODEL(lgammaf_r)(float x, int *sign) {
    *sign = gamma_sign(x);
    return lgammaf(x);
}

/* The last three bits of the rounded quotient, or 8 as glibc has it. Every step is exact: no more is left than what is taken away. */
static int quotient_bits(double x, double y) {
    double left = fmod(fabs(x), 8.0 * fabs(y)), by = fabs(y);
    int quotient = 0;
    if (left >= 4.0 * by) left -= 4.0 * by, quotient += 4;
    if (left >= 2.0 * by) left -= 2.0 * by, quotient += 2;
    if (left >= by) left -= by, quotient += 1;
    if (2.0 * left > by || (2.0 * left == by && quotient % 2)) quotient += 1;
    return !signbit(x) == !signbit(y) ? quotient : -quotient;
}

double MODEL(remquo)(double x, double y, int *quotient) {
    if (fabs(x) <= DBL_MAX && y != 0.0 && y == y) *quotient = quotient_bits(x, y);
    return remainder(x, y);
}

float MODEL(remquof)(float x, float y, int *quotient) {
    if (fabsf(x) <= FLT_MAX && y != 0.0f && y == y) *quotient = quotient_bits(x, y);
    return remainderf(x, y);
}

/* `ilogb` with the limits of `long`. */
long MODEL(llogb)(double x) {
    if (x == 0.0) return errno = EDOM, FP_LLOGB0;
    if (x != x) return errno = EDOM, FP_LLOGBNAN;
    if (fabs(x) > DBL_MAX) return errno = EDOM, LONG_MAX;
    return ilogb(x);
}

long MODEL(llogbf)(float x) { return MODEL(llogb)(x); }

int MODEL(isnan)(double x) { return x != x; }
int MODEL(isnanf)(float x) { return x != x; }
int MODEL(isinf)(double x) { return (x > DBL_MAX) - (x < -DBL_MAX); }
int MODEL(isinff)(float x) { return (x > FLT_MAX) - (x < -FLT_MAX); }
int MODEL(finite)(double x) { return fabs(x) <= DBL_MAX; }
int MODEL(finitef)(float x) { return fabsf(x) <= FLT_MAX; }
