// Two views of the same memory: what is written through one is read through the other, byte by byte.
// covet: cover % --function alias
#include <stdint.h>
#include <string.h>

int alias(uint32_t x, unsigned at, uint8_t byte)
{
    uint8_t raw[8] = {0};
    memcpy(raw + 2, &x, 4);
    uint16_t middle;
    memcpy(&middle, raw + 3, 2);
    if (middle == 0xabcd)
        return 1;
    if (at >= 8)
        return -1;
    raw[at] = byte;
    uint64_t all;
    memcpy(&all, raw, 8);
    if (all == 0x4200000000000000u)
        return 2;
    if (all == 0x0000000000990000u)
        return at == 2 ? 3 : 4;
    return 0;
}
