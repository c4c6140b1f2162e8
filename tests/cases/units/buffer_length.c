// A buffer and its length: as many bytes as it says, so reading up to it is never out of bounds; large lengths are turned away.
// covet: cover % --function checksum
// covet: cover % --function copy_items
#include <stddef.h>
int checksum(const unsigned char *data, size_t len)
{
    unsigned sum = 0;
    if (!data)
        return -1;
    if (len > 1000)
        return -2;
    for (size_t i = 0; i < len; i++)
        sum += data[i];
    if (len == 5 && sum == 700 && data[4] == 7)
        return 1;
    return 0;
}
struct item { int key; short rank; };
int copy_items(struct item *to, const struct item *from, int n)
{
    int copied = 0;
    if (n < 0 || !to || !from)
        return -1;
    for (int i = 0; i < n; i++)
        if (from[i].rank > 0)
            to[copied++] = from[i];
    return copied == 3 && to[2].key == 99 ? 7 : copied;
}
