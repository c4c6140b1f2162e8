// strtoull in several bases and atoll with its sign.
// covet: cover % --function wide --iterations 300
#include <stdlib.h>
#include <string.h>
int wide(const char in[4])
{
    char text[5] = {0};
    memcpy(text, in, 4);
    if (strtoull(text, 0, 2) == 11)
        return 1;
    if (strtoul(text, 0, 8) == 0123)
        return 2;
    if (atoll(text) == -12)
        return 3;
    return 0;
}
