// CWE-124: the pointer to an object is moved before its start, and written through.
// covet: cover % --function bad
// covet: cover % --function good
#include <string.h>

static int written(char *data)
{
    char source[100];
    memset(source, 'C', 99);
    source[99] = 0;
    memcpy(data, source, sizeof source);
    data[99] = 0;
    return data[0];
}

int bad(int flag)
{
    char buffer[100];
    char *data = buffer;
    memset(buffer, 'A', 99);
    buffer[99] = 0;
    if (flag == 5)
        data = buffer - 8;
    return written(data);
}

int good(int flag)
{
    char buffer[100];
    char *data = buffer;
    memset(buffer, 'A', 99);
    buffer[99] = 0;
    if (flag == 5)
        data = buffer;
    return written(data);
}
