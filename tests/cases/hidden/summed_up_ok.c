// covet: cover % --function total
#include <assert.h>

int total(const unsigned char *values, int count)
{
    int sum = 0;
    if (!values)
        return 0;
    for (int i = 0; i < count && i < 10; i++)
        sum += values[i];
    assert(sum <= 2550);
    return sum;
}
