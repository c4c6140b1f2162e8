// Branches behind allocations that fail are covered, and their tests refuse the same allocations; those of the library do not count.
// covet: cover % --function filled
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *filled(unsigned char length)
{
    char *name = strdup("filled");
    char *made, *more;
    if (length == 0) {
        free(name);
        return NULL;
    }
    made = malloc(length);
    if (!made) {
        free(name);
        return NULL;
    }
    memset(made, 'a', length);
    printf("%s\n", name);
    free(name);
    more = realloc(made, 300);
    if (more == NULL) {
        puts("no room");
        free(made);
        return NULL;
    }
    return more;
}
