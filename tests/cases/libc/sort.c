// qsort with a comparison of ours: what it does follows from the input.
// covet: cover % --function sorted --iterations 100
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    if (x < y)
        return -1;
    return x > y;
}

int sorted(const int in[3])
{
    int a[3] = {in[0], in[1], in[2]};
    qsort(a, 3, sizeof *a, ascending);
    if (a[0] > a[1] || a[1] > a[2])
        return -1; /* never */
    if (a[1] == 50 && in[0] == 60)
        return 1;
    if (a[0] == in[2] && a[2] - a[0] == 9)
        return 2;
    return 0;
}
