// Packed and over-aligned layouts, and members at odd addresses.
// covet: cover % --function decode
#include <stdint.h>
#include <stddef.h>
struct __attribute__((packed)) header { uint8_t kind; uint32_t length; uint16_t sum; int64_t offset; };
struct aligned { char c; _Alignas(16) short s; };

int decode(struct header h, struct aligned a)
{
    if (offsetof(struct header, offset) != 7)
        return -1; /* never, and folded away */
    if (h.length == 0x01020304 && h.kind == 9)
        return 1;
    if (h.offset == -2 && h.sum == 0x8001)
        return 2;
    if (((char *)&a)[17] == (char)0xcf && a.s == -12345 && a.c)
        return 3;
    return 0;
}
