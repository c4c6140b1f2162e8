// Pointer arithmetic, differences, comparisons, and integers made of pointers.
// covet: cover % --function walk
#include <stdint.h>
int walk(unsigned from, unsigned to)
{
    int cells[8] = {5, 3, 9, 1, 7, 7, 2, 8};
    if (from > 8 || to > 8)
        return -1;
    int *p = cells + from, *q = cells + to;
    if (p - q == 5)
        return 1;
    if (q < p)
        return 2;
    int sum = 0;
    while (p != q)
        sum += *p++;
    if (sum == 24)
        return 3;
    if (((uintptr_t)q - (uintptr_t)cells) / sizeof *q == 6)
        return 4;
    return p == cells + 8 ? 5 : 0;
}
