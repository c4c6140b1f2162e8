// covet: cover % --function home
#include <stdlib.h>
#include <string.h>

int home(void)
{
    char path[200];
    const char *folder = getenv("HOME");
    if (!folder || strlen(folder) >= sizeof path)
        return 0;
    strcpy(path, folder);
    return getenv("HOME") == folder ? path[0] : -1;
}
