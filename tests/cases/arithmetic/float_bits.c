// Floats taken apart and put together: unions, bit fields, bytes, conversions between widths and to integers.
// covet: cover % --function fields --function inverse_root --function bytes --function converted
#include <stdint.h>
#include <string.h>

union pun {
    float number;
    uint32_t bits;
    struct {
        uint32_t mantissa : 23, exponent : 8, sign : 1;
    } parts;
};

int fields(float x) {
    union pun pun = {.number = x};
    if (pun.parts.exponent == 130 && pun.parts.mantissa == 0x200000 && pun.parts.sign)
        return 1;
    if (pun.parts.exponent == 255 && pun.parts.mantissa == 1)
        return 2;
    return 0;
}

int inverse_root(float x) {
    if (!(x > 0.5f && x < 1000.0f))
        return 0;
    union pun pun = {.number = x};
    pun.bits = 0x5f3759df - (pun.bits >> 1);
    float root = pun.number * (1.5f - 0.5f * x * pun.number * pun.number);
    if (root > 0.5f && root * root * x > 0.999f)
        return 1;
    return root < 0.04f ? 2 : 3;
}

int bytes(double x) {
    unsigned char byte[sizeof x];
    memcpy(byte, &x, sizeof x);
    if (byte[0] == 1 && byte[7] == 0x40 && byte[6] == 0x09)
        return 1;
    return byte[0] == byte[7] && byte[0] != 0 && x > 0 ? 2 : 0;
}

int converted(double d, int i, unsigned u) {
    if ((int)d == 77 && d != 77.0)
        return 1;
    if ((double)(float)d != d && (float)d == 1.5f)
        return 2;
    if ((float)i != (double)i && i > 0)
        return 3;
    if ((float)u == 4294967296.0f)
        return 4;
    return 0;
}
