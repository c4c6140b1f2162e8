// Every kind of float is reached, and the tests that reach them read back to the last bit.
// covet: cover % --function kind --function narrow -- -lm
#include <math.h>
#include <stdint.h>
#include <string.h>

int kind(double x) {
    if (isnan(x))
        return 1;
    if (isinf(x))
        return x < 0 ? 2 : 3;
    if (x == 0.0)
        return signbit(x) ? 4 : 5;
    if (fabs(x) < 2.2250738585072014e-308)
        return x < 0 ? 6 : 7;
    return 0;
}

int narrow(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (bits == 0x00000001)
        return 1;
    if (bits == 0xff800000)
        return 2;
    if (bits == 0x7f7fffff)
        return 3;
    if (x * 3.0f == 0.3f)
        return 4;
    return 0;
}
