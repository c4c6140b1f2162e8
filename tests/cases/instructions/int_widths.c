// Integers of every width wrap, widen and compare as C says.
// covet: cover % --function widths
#include <stdint.h>

int widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h)
{
    int score = 0;
    if ((int8_t)(a + 100) == -128)
        score |= 1;
    if ((uint8_t)(b * 3) == 2)
        score |= 2;
    if ((int16_t)(c - 1) == INT16_MAX)
        score |= 4;
    if ((uint16_t)~d == 0x1234)
        score |= 8;
    if ((int32_t)((uint32_t)e + 0x7fffffffu) == -2)
        score |= 16;
    if (f * 0x01000193u == 0xdeadbeefu)
        score |= 32;
    if ((g ^ INT64_MIN) == 41)
        score |= 64;
    if (h - 1 > 0xfffffffffffffff0u)
        score |= 128;
    return score;
}
