// The same with a look at how much there is.
// covet: cover % --function opened --function asked
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int opened(const char *name)
{
    char path[PATH_MAX];
    if (!name || strlen(name) >= sizeof path)
        return 0;
    strcpy(path, name);
    return path[0];
}

int asked(const char *archive, const char *member)
{
    char *prompt = malloc(2 * PATH_MAX + 15);
    int length = 0;
    if (prompt && archive && member)
        length = snprintf(prompt, 2 * PATH_MAX + 15, "[%s] %s password: ", archive, member);
    free(prompt);
    return length;
}
