// abort behind a condition that must be solved.
// covet: cover % --function fragile
#include <stdlib.h>

static void check(int value, int limit)
{
    if (value * 3 > limit)
        abort();
}

int fragile(int a)
{
    if (a < 0 || a > 100000)
        return -1;
    check(a, 150000);
    if (a == 49999)
        return 1;
    return 0;
}
