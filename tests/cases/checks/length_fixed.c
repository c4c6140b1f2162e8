// The third character of a buffer that the caller may have made shorter.
// covet: cover % --function third
#include <stddef.h>

int third(const char *buf, size_t len)
{
    if (!buf)
        return -1;
    return buf[2] == 'x';
}
