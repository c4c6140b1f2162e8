// Stack memory whose size is input.
// covet: cover % --function scratch
#include <alloca.h>
#include <string.h>

int scratch(unsigned char n, char fill)
{
    if (n < 2 || n > 6)
        return -1;
    char *buffer = alloca(n);
    memset(buffer, fill, n);
    buffer[n - 1] = 1;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += buffer[i];
    if (sum == 61)
        return n == 5 ? 1 : 2;
    return 0;
}
