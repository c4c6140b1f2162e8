// The third character of a buffer that is known to have one.
// covet: cover % --function third
#include <stddef.h>

int third(const char *buf, size_t len)
{
    if (!buf || len < 3)
        return -1;
    return buf[2] == 'x';
}
