// Floating point taken apart by its bits.
// covet: cover % --function parts
#include <stdint.h>
#include <string.h>
int parts(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    int exponent = (bits >> 23 & 0xff) - 127;
    if (exponent == 10 && (bits & 0x7fffff) == 0)
        return f < 0 ? 1 : 2;
    if (exponent == -127 && (bits & 0x7fffff) != 0)
        return f < 1e-40f ? 3 : 4;
    if (exponent == 128)
        return f == f ? 5 : 6;
    return 0;
}
