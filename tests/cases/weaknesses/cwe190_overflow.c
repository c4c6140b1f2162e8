// CWE-190: the largest number plus one, times itself, of any sign.
// covet: cover % --function bad_add --check signed-overflow
// covet: cover % --function bad_square --check signed-overflow
// covet: cover % --function good --check signed-overflow
#include <limits.h>

int bad_add(int data)
{
    int result = data + 1;
    return result > 100;
}

long bad_square(short many, int data)
{
    if (many != 7)
        return 0;
    int result = data * data;
    return result;
}

int good(int data)
{
    if (data < INT_MAX && data > -1000) {
        int result = data + 1;
        return result > 100;
    }
    if (data > -46340 && data < 46340)
        return data * data;
    return 0;
}
