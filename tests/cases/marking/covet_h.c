// Covet's own marking: named values, whole objects, ranges, assumptions, assertions.
// covet: run %
#include <covet.h>

struct point { int x, y; char label[4]; };

int main(void)
{
    struct point p;
    covet_symbolic(&p, sizeof p, "p");
    int n = covet_range(1, 4, "n");
    uint64_t big = covet_u64("big");
    float f = covet_float("f");
    covet_assume(p.x >= 0);
    if (n < 1 || n > 3)
        return 9; /* never */
    if (p.x * n == 51 && p.y == p.x)
        return 1;
    if (p.label[3] == 'L' && big > (uint64_t)1 << 63)
        return 2;
    if (f == 0.5f)
        return 3;
    covet_assert(p.y != -77);
    return 0;
}
