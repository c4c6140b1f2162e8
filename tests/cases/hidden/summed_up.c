// An assertion over what a loop adds up to.
// covet: cover % --function total --iterations 600
#include <assert.h>

int total(const unsigned char *values, int count)
{
    int sum = 0;
    if (!values)
        return 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    assert(sum <= 3000);
    return sum;
}
