// memmem-like search, memchr with symbolic needle, memrchr by hand, stpcpy.
// covet: cover % --function needle
#define _GNU_SOURCE
#include <string.h>

int needle(unsigned char which, const unsigned char data[4])
{
    static const char hay[] = "the quick brown fox";
    const char *at = memchr(hay, which, sizeof hay - 1);
    if (at && at - hay == 6)
        return 1; /* 'i' */
    if (which == 'e' && at != hay + 2)
        return 2; /* never: the first e is the third letter */
    const unsigned char *zero = memchr(data, 0, 4);
    if (!zero)
        return 3;
    if (zero - data == 2)
        return 4;
    return 0;
}
