// strdup, strndup and strsep over symbolic text.
// covet: cover % --function fields --iterations 300
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
int fields(const char in[5])
{
    char *copy = strndup(in, 5), *rest = copy, *field;
    int empty = 0, count = 0;
    while ((field = strsep(&rest, ":"))) {
        count++;
        if (!*field)
            empty++;
    }
    free(copy);
    if (count == 3 && empty == 1)
        return 1;
    return empty > 2 ? 2 : 0;
}
