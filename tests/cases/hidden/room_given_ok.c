// covet: cover % --function word
#include <ctype.h>

enum { ROOM = 16 };

static const char *word(char *to, const char *from)
{
    int n = 0;
    if (!to || !from)
        return 0;
    while (n < ROOM - 1 && *from && !isspace((unsigned char)*from))
        to[n++] = *from++;
    to[n] = 0;
    return from;
}

struct entry {
    char name[ROOM];
    char value[64];
};

int parsed(struct entry *entry, const char *line)
{
    const char *rest = entry && line ? word(entry->name, line) : 0;
    return rest && *rest ? word(entry->value, rest + 1) != 0 : 0;
}
