// What an environment variable is set to.
// covet: cover % --function options --function home
#include <stdlib.h>
#include <string.h>

int options(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        return 0;
    if (*value == '-')
        return 1;
    return strcmp(value, "best") ? 2 : 3;
}

int home(void)
{
    char path[200];
    const char *folder = getenv("HOME");
    if (!folder)
        return 0;
    strcpy(path, folder);
    return path[0];
}
