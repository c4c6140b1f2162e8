// The same with room for everything, or a look at how much there is.
// covet: cover % --function copied --function joined --function printed --function by_hand
#include <stdio.h>
#include <string.h>

int copied(const char *name)
{
    char room[100];
    if (!name || strlen(name) >= sizeof room)
        return 0;
    strcpy(room, name);
    return room[0];
}

struct entry {
    int id;
    char name[256];
};

int joined(const char *folder, const char *file)
{
    struct entry made = { 1, "" };
    if (!folder || !file)
        return 0;
    strncat(made.name, folder, 100);
    strcat(made.name, "/");
    strncat(made.name, file, 100);
    return made.id + made.name[0];
}

int printed(const char *name)
{
    char line[128];
    return name ? snprintf(line, sizeof line, "hello, %s", name) : 0;
}

int by_hand(const char *text)
{
    char word[500];
    int n = 0;
    if (!text)
        return 0;
    while (n < 500 && *text >= '0' && *text <= '9')
        word[n++] = *text++;
    return n ? word[0] : 0;
}
