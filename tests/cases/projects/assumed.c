// covet: cover % --config %.toml
/* What covet.toml says about functions holds in every run: no index is out of bounds, nothing is divided by zero. */
#include <stddef.h>
#define ROWS 4

struct table { int used, room; int *cells; };
static int scale = 2;

int row(struct table *t, int at)
{
    static const int heights[ROWS] = { 3, 1, 4, 1 };
    if (t->used > 2)
        return t->cells[t->used - 1] + heights[at];
    return scale == 9 ? heights[at] / t->room : -1;
}

int sum_pairs(const int *values, int pairs)
{
    int sum = 0;
    for (int i = 0; i < pairs; i++)
        sum += values[i] & 1 ? 1 : 2;
    return sum;
}

int never(int x)
{
    return 1 / x;
}
