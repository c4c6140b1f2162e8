// CWE-122: a text is copied into a heap object that has no room for its terminator.
// covet: cover % --function bad
// covet: cover % --function good
#include <stdlib.h>
#include <string.h>

static int used(char *data, const char *source)
{
    strcpy(data, source);
    int first = data[0];
    free(data);
    return first;
}

int bad(int how)
{
    char *data = malloc(10);
    if (!data)
        return -1;
    return used(data, how == 3 ? "AAAAAAAAAA" : "AAAA");
}

int good(int how)
{
    char *data = malloc(11);
    if (!data)
        return -1;
    return used(data, how == 3 ? "AAAAAAAAAA" : "AAAA");
}
