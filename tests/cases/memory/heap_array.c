// Heap memory of symbolic size, written at one symbolic index and read at another.
// covet: cover % --function heap
#include <stdlib.h>

int heap(unsigned n, unsigned at, long value)
{
    if (n < 2 || n > 5 || at >= n)
        return -1;
    long *cells = calloc(n, sizeof *cells);
    if (!cells)
        return -2; /* never */
    cells[at] = value;
    cells[0] += 7;
    long sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += cells[i] * (i + 1);
    free(cells);
    if (sum == 22)
        return at == 2 ? 1 : 2;
    return sum == 107 ? 3 : 0;
}
