// covet: cover % --iterations 400
// Callbacks that are given a buffer fill it with input, and say how much: by their result, or where they are told to.
#include <stddef.h>
#include <string.h>

int pull(int (*read)(void *context, char *buffer, int size), void *context)
{
    char line[8];
    int got = read(context, line, sizeof line);
    if (got < 4)
        return -1;
    if (memcmp(line, "GET ", 4) == 0)
        return 1;
    return line[3] == '!' ? 2 : 0;
}

struct source {
    size_t (*fetch)(void *buffer, size_t size, size_t count, void *user);
    void *user;
};

int twice(struct source *source)
{
    unsigned char first[4], second[4];
    if (source->fetch(first, 1, sizeof first, source->user) != sizeof first)
        return -1;
    if (source->fetch(second, 1, sizeof second, source->user) != sizeof second)
        return -2;
    if (first[0] == 0xef && second[3] == first[1] && first[1] > 9)
        return 1;
    return 0;
}

int handler(int (*read)(void *data, unsigned char *buffer, size_t size, size_t *got), void *data)
{
    unsigned char raw[16];
    size_t got = 0;
    if (!read(data, raw, sizeof raw, &got))
        return -1;
    if (got == 0)
        return 0;
    if (got > sizeof raw)
        return 99; /* never: it says no more than there is room for */
    return raw[got - 1] == '\n' ? 2 : 1;
}
