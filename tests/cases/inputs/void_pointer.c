// A void pointer with a length.
// covet: cover % --function checksum --iterations 80
#include <stddef.h>
int checksum(const void *data, size_t n)
{
    const unsigned char *bytes = data;
    if (!bytes || n > 4)
        return -1;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + bytes[i];
    if (n == 3 && sum == 96354) /* "abc" */
        return 1;
    return 0;
}
