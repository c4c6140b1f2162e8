// CWE-415: freed in one branch and again at the end.
// covet: cover % --function bad
// covet: cover % --function good
#include <stdlib.h>

int bad(int how)
{
    char *data = malloc(100);
    if (!data)
        return -1;
    data[0] = 'A';
    if (how == 17)
        free(data);
    free(data);
    return 0;
}

int good(int how)
{
    char *data = malloc(100);
    if (!data)
        return -1;
    data[0] = 'A';
    if (how == 17) {
        free(data);
        data = NULL;
    }
    free(data);
    return 0;
}
