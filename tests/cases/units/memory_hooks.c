// covet: cover % --function duplicate --function grow
// Memory comes from functions behind pointers: the library's own, or ones that fail.

#include <stddef.h>

struct memory {
    void *(*get)(size_t);
    void *(*resize)(void *, size_t);
    void (*release)(void *);
};

struct text {
    char *chars;
    size_t room;
};

char *duplicate(const char *s, const struct memory *memory)
{
    size_t length = 0;
    while (s[length])
        length++;
    char *copy = memory->get(length + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        copy[i] = s[i];
    return copy;
}

int grow(const struct memory *memory)
{
    struct text text = { NULL, 0 };
    char *more = memory->resize(text.chars, 16);
    if (!more)
        return -1;
    more[15] = 'x';
    memory->release(more);
    return 16;
}
