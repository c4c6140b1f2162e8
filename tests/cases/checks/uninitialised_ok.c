// Nothing is used before it is written, although parts are copied that never are: padding, spare members, other bits.
// covet: cover % --check uninitialised
#include <stdlib.h>
#include <string.h>

struct padded {
    char tag;
    long value;
};

struct bits {
    unsigned low : 3, high : 5;
};

static struct padded made(char tag)
{
    struct padded result;
    result.tag = tag;
    result.value = tag * 2;
    return result;
}

int copies(char tag)
{
    struct padded a = made(tag), b;
    memcpy(&b, &a, sizeof b);
    return b.tag == 'x' && b.value > 100;
}

int fields(int n)
{
    struct bits bits;
    bits.low = n;
    return bits.low == 5;
}

int filled(int n)
{
    int values[4];
    for (int i = 0; i < 4; i++)
        values[i] = n + i;
    return values[3] == 9;
}

int written(const char text[4])
{
    char *copy = malloc(4);
    if (!copy)
        return -1;
    memcpy(copy, text, 4);
    int found = copy[3] == 'x';
    free(copy);
    return found;
}
