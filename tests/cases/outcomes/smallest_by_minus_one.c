// The other way a division traps: the smallest number by -1.
// covet: cover % --function ratio
#include <limits.h>

int ratio(int a, int b)
{
    if (b == 0)
        return 0;
    if (a == INT_MIN)
        return a / b;
    return 1;
}
