// A binary record from fread: magic number, length, checksum.
// covet: run % --stdin 8
#include <stdint.h>
#include <stdio.h>

struct record { uint16_t magic; uint8_t length; uint8_t payload[4]; uint8_t check; };

int main(void)
{
    struct record r;
    if (fread(&r, 1, sizeof r, stdin) != sizeof r)
        return 1;
    if (r.magic != 0xc0de)
        return 2;
    if (r.length > 4)
        return 3;
    uint8_t sum = 0;
    for (int i = 0; i < r.length; i++)
        sum += r.payload[i];
    if (sum != r.check)
        return 4;
    if (r.length == 4 && sum == 77)
        return 5;
    return 0;
}
