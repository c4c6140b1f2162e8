// Bit tricks that must agree with plain arithmetic.
// covet: cover % --function tricks
#include <stdint.h>
int tricks(uint32_t x, int32_t y)
{
    if (x && !(x & (x - 1)) && x > 70000)
        return __builtin_ctz(x) == 20 ? 1 : 2;
    uint32_t v = x - ((x >> 1) & 0x55555555);
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333);
    v = ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
    if (v == 30)
        return 3;
    int32_t mask = y >> 31;
    if (((y + mask) ^ mask) == 777 && y < 0)
        return 4;
    return 0;
}
