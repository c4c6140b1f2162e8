// Arrays of variable length on the stack, used from the first element to the last; in a loop, each time anew.
// covet: cover % --function past
// covet: cover % --function before
#include <alloca.h>

int past(unsigned n)
{
    if (n < 2 || n > 6)
        return -1;
    int sum = 0;
    for (unsigned round = 0; round < 3; round++) {
        int values[n];
        for (unsigned i = 0; i < n; i++)
            values[i] = 1;
        sum += values[0];
    }
    return sum;
}

int before(unsigned n, int which)
{
    if (n < 2 || n > 6)
        return -1;
    char *text = alloca(n);
    for (unsigned i = 0; i < n; i++)
        text[i] = 'x';
    return which == 7 ? text[n - 1] : text[0];
}
