// How much room there is for what a function writes is what its callers have: 16 bytes.
// covet: cover % --function word
#include <ctype.h>

static const char *word(char *to, const char *from)
{
    if (!to || !from)
        return 0;
    while (*from && !isspace((unsigned char)*from))
        *to++ = *from++;
    *to = 0;
    return from;
}

struct entry {
    char name[16];
    char value[64];
};

int parsed(struct entry *entry, const char *line)
{
    const char *rest = entry && line ? word(entry->name, line) : 0;
    return rest && *rest ? word(entry->value, rest + 1) != 0 : 0;
}
