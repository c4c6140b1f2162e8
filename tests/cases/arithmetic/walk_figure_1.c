// The Concolic Walk's Figure 1: a product that must not be made concrete too early, and a double taken apart into its bits.
// covet: cover % --function example1 --function example2
// covet: show path % --function example2
// covet: show query % --function example1
#include <stdint.h>
#include <string.h>

int example1(int x, int y) {
    int z = (int)((unsigned)x * (unsigned)y);
    if (x == z)
        if (x > 2)
            return 1;
    return 0;
}

int example2(double u) {
    int64_t v;
    memcpy(&v, &u, sizeof v);
    int64_t w = v & 0xff000;
    if (w > 0)
        return 1;
    return 0;
}
