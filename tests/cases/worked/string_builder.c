// A growing string. The seeded bug forgets the room of the terminating zero.
// covet: cover % --function greeting
// covet: cover % --function greeting -- -DBUG
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    size_t length, room;
};

static int append(struct builder *builder, const char *part)
{
    size_t more = strlen(part);
#ifdef BUG
    size_t wanted = builder->length + more;
#else
    size_t wanted = builder->length + more + 1;
#endif
    if (wanted > builder->room) {
        size_t room = builder->room ? builder->room : 4;
        while (room < wanted)
            room *= 2;
        char *text = realloc(builder->text, room);
        if (!text)
            return -1;
        builder->text = text;
        builder->room = room;
    }
    memcpy(builder->text + builder->length, part, more + 1);
    builder->length += more;
    return 0;
}

int greeting(const char name[8], int formal)
{
    struct builder builder = {0};
    char copy[9];
    int result;
    memcpy(copy, name, 8);
    copy[8] = 0;
    if (append(&builder, formal ? "Dear " : "Hi ") || append(&builder, copy)) {
        free(builder.text);
        return -1;
    }
    result = builder.length == 8 && builder.text[3] == 'J';
    free(builder.text);
    return result;
}
