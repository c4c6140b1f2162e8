// A list of names compared with a string parameter.
// covet: cover % --function number --iterations 200
#include <string.h>
int number(const char *name)
{
    static const char *const names[] = {"zero", "one", "two"};
    if (!name)
        return -1;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return strlen(name) > 4 ? 9 : 8;
}
