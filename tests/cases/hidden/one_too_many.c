// The check lets one character too many pass: a text of exactly that length is needed.
// covet: cover % --function kept
#include <string.h>

int kept(const char *name)
{
    char room[100];
    if (!name || strlen(name) > sizeof room)
        return 0;
    strcpy(room, name);
    return room[0];
}
