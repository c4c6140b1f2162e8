// Byte swaps, bit reversal and rotations.
// covet: cover % --function turn
#include <stdint.h>
static uint32_t left(uint32_t x, unsigned by) { return x << (by & 31) | x >> (-by & 31); }

int turn(uint16_t a, uint32_t b, uint64_t c, uint8_t d, unsigned by)
{
    if (__builtin_bswap16(a) == 0x1234)
        return 1;
    if (__builtin_bswap32(b) == 0xcafebabe)
        return 2;
    if (__builtin_bswap64(c) == 77)
        return 3;
    if (__builtin_bitreverse8(d) == 0x16)
        return 4;
    if (__builtin_bitreverse32(b) == 3)
        return 5;
    if (left(b, by) == 0x80000001u && by == 9)
        return 6;
    if (__builtin_rotateright64(c, 4) == 0xf00000000000000eu)
        return 7;
    return 0;
}
