// strtol and relatives: bases, signs, where they stop.
// covet: cover % --function numbers --iterations 300
#include <stdlib.h>
#include <string.h>

int numbers(const char in[5])
{
    char text[6] = {0}, *end;
    memcpy(text, in, 5);
    long value = strtol(text, &end, 10);
    if (end == text)
        return -1;
    if (value == -37)
        return 1;
    if (value == 2048 && *end == 'k')
        return 2;
    if (strtoul(text, &end, 16) == 0x1f && *end == 0)
        return 3;
    if (atoi(text) == 7 && text[0] == '+')
        return 4;
    return 0;
}
