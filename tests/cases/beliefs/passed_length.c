// All calls pass the length of an array, whatever the parameter is called: another number is no mistake of the function.
// covet: hunt % --filter off --no-official --function name --function grow
#include <string.h>

struct header { unsigned short length; char name[64]; };
static struct header header;

char *name(char *to, struct header *from, int upper, unsigned room)
{
    unsigned length = from->length;
    if (length > room - 1)
        length = room - 1;
    memcpy(to, from->name, length & 63);
    to[length] = 0;
    if (upper)
        to[0] &= ~32;
    return to;
}

static int table[8];

static int grow(int by)
{
    return table[by];
}

int use(int upper)
{
    char text[40];
    name(text, &header, upper, sizeof text);
    return text[0] + grow(3) + grow(5);
}
