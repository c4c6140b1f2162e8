// CWE-126: as many characters are read as another, longer text has.
// covet: cover % --function bad
// covet: cover % --function good
#include <stdlib.h>
#include <string.h>

int bad(unsigned n)
{
    char target[100] = {0};
    char *data = malloc(50);
    if (!data || n > 99)
        return -1;
    memset(data, 'A', 49);
    data[49] = 0;
    for (unsigned i = 0; i < n; i++)
        target[i] = data[i];
    free(data);
    return target[0];
}

int good(unsigned n)
{
    char target[100] = {0};
    char *data = malloc(50);
    if (!data || n > 99)
        return -1;
    memset(data, 'A', 49);
    data[49] = 0;
    for (unsigned i = 0; i < n && i < strlen(data); i++)
        target[i] = data[i];
    free(data);
    return target[0];
}
