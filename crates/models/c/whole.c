/* Floats as integers of a chosen width, rounded in a chosen direction: the `fromfp` family. */
#include "covet/model.h"
#include <errno.h>
#include <math.h>

static double whole(double x, int direction) {
    switch (direction) {
    case FP_INT_UPWARD: return ceil(x);
    case FP_INT_DOWNWARD: return floor(x);
    case FP_INT_TONEARESTFROMZERO: return round(x);
    case FP_INT_TONEAREST: return roundeven(x);
    default: return trunc(x);
    }
}

/* Two to the power of `width`, from 0 to 64. */
static double power(unsigned width) { return width == 64 ? 0x1p64 : (double)(1ull << width); }

static intmax_t signed_whole(double x, int direction, unsigned width) {
    double value = whole(x, direction), bound;
    width = width > 64 ? 64 : width;
    bound = width ? power(width - 1) : 0.0;
    if (width && value >= -bound && value < bound) return (intmax_t)value;
    errno = EDOM;
    if (!width) return 0;
    return signbit(x) ? -(intmax_t)((1ull << (width - 1)) - 1) - 1 : (intmax_t)((1ull << (width - 1)) - 1);
}

static uintmax_t unsigned_whole(double x, int direction, unsigned width) {
    double value = whole(x, direction);
    width = width > 64 ? 64 : width;
    if (width && value >= 0.0 && value < power(width)) return (uintmax_t)value;
    errno = EDOM;
    if (!width || signbit(x)) return 0;
    return width == 64 ? UINTMAX_MAX : (1ull << width) - 1;
}

/* Those with an x differ in a floating-point exception alone. A double holds every float. */
intmax_t MODEL(fromfp)(double x, int direction, unsigned width) { return signed_whole(x, direction, width); }
intmax_t MODEL(fromfpx)(double x, int direction, unsigned width) { return signed_whole(x, direction, width); }
intmax_t MODEL(fromfpf)(float x, int direction, unsigned width) { return signed_whole(x, direction, width); }
intmax_t MODEL(fromfpxf)(float x, int direction, unsigned width) { return signed_whole(x, direction, width); }
uintmax_t MODEL(ufromfp)(double x, int direction, unsigned width) { return unsigned_whole(x, direction, width); }
uintmax_t MODEL(ufromfpx)(double x, int direction, unsigned width) { return unsigned_whole(x, direction, width); }
uintmax_t MODEL(ufromfpf)(float x, int direction, unsigned width) { return unsigned_whole(x, direction, width); }
uintmax_t MODEL(ufromfpxf)(float x, int direction, unsigned width) { return unsigned_whole(x, direction, width); }
