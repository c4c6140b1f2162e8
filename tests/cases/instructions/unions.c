// The same bytes seen as different types.
// covet: cover % --function pun
#include <stdint.h>
union word {
    uint32_t whole;
    float number;
    uint8_t bytes[4];
    struct { uint16_t low, high; } halves;
};

int pun(union word w, double d)
{
    if (w.bytes[3] == 0x7f && w.halves.low == 0xbeef)
        return 1;
    if (w.number == -1.5f)
        return 2;
    w.bytes[1] ^= 0xff;
    if (w.whole == 0x00c0ffee)
        return 3;
    union { double d; uint64_t bits; } v = {.d = d};
    if (v.bits == 0x400921fb54442d18u)
        return d > 3.14 ? 4 : 5; /* 5 never: it is pi */
    return 0;
}
