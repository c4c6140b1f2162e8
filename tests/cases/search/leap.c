// A late outcome that an early decision rules out is asked for without the way to it.
// covet: cover % --function shown
#include <stdio.h>

static const char *const methods[] = { "stor", "shrk", "re1", "re2", "re3", "re4", "impl", "tokn", "defl", "df64", "dcli" };

int shown(unsigned short method, unsigned short flags, char *text)
{
    unsigned at = method < 11 ? method : 11;
    int length = 0;
    for (unsigned bit = 0; bit < 16; bit++)
        if (flags >> bit & 1)
            length++;
    if (at < 11)
        return length + methods[at][0];
    if (flags == 0x5aa5)
        length += method > 999;
    return length;
}
