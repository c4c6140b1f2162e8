// Buffers of the size of paths, on the stack and allocated: texts grow beyond the largest in the code.
// covet: cover % --function opened --function asked
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int opened(const char *name)
{
    char path[PATH_MAX];
    if (!name)
        return 0;
    strcpy(path, name);
    return path[0];
}

int asked(const char *archive, const char *member)
{
    char *prompt = malloc(2 * PATH_MAX + 15);
    int length = 0;
    if (prompt && archive && member)
        length = sprintf(prompt, "[%s] %s password: ", archive, member);
    free(prompt);
    return length;
}
