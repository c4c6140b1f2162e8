// A hash turned around: hard for every theory.
// promise: time
// covet: cover % --function f --time 5
// check: branches 1; not stopped exhausted
#include <stdint.h>
int f(const uint32_t *key)
{
    uint64_t h = 1469598103934665603ull;
    for (int round = 0; round < 40; round++)
        for (int i = 0; i < 4; i++)
            h = ((h ^ key[i]) * 1099511628211ull) ^ (h >> 29);
    if (h == 0x123456789abcdefull)
        return 1;
    return 0;
}
