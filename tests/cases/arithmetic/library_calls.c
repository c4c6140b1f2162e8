// Calls of the mathematical library are terms: no value is made concrete, and what is found replays natively.
// covet: cover % --function angles --function powers --function singles --function scaled --function rounded -- -lm
#include <math.h>

int angles(double x, double y) {
    if (sin(x) > 0.5 && cos(y) < -0.5)
        return 1;
    if (atan2(y, x) == 1.0)
        return 2;
    return 0;
}

int powers(double x, double y) {
    if (pow(x, y) == 8.0 && x > 2.5)
        return 1;
    if (exp(x) + log(y) == 3.0)
        return 2;
    if (fmod(x, 7.0) == 2.5 && sqrt(x) > 100.0)
        return 3;
    return 0;
}

int singles(float x) {
    if (sqrtf(x) == 12.0f)
        return 1;
    if (sinf(x) * cosf(x) > 0.45f)
        return 2;
    return 0;
}

int scaled(double x, int n) {
    if (ldexp(x, n) == 48.0 && n == 4)
        return 1;
    if (ilogb(x) == 7)
        return 2;
    return 0;
}

int rounded(double x) {
    if (lround(x) == 70)
        return 1;
    if (lrint(x) == 3 && x != 3.0)
        return 2;
    return 0;
}
