// Sizes that wrap before memory is asked for; what goes wrong is the access behind.
// covet: cover % --function table --function image --function copy
#include <stdlib.h>
#include <string.h>

int table(unsigned count)
{
    int first, *all = malloc(count * 4u);
    if (!all || !count)
        return 0;
    all[0] = 1;
    first = all[0];
    free(all);
    return first;
}

int image(unsigned width, unsigned height)
{
    unsigned char *pixels;
    int last;
    if (!width || !height || width > 0x20000 || height > 0x20000)
        return 0;
    pixels = malloc(width * height);
    if (!pixels)
        return 0;
    pixels[width - 1] = 7;
    last = pixels[width - 1];
    free(pixels);
    return last;
}

int copy(const char *text, unsigned length)
{
    char *made = malloc(length + 1);
    int first;
    if (!made || !text)
        return 0;
    made[length] = 0;
    first = made[length];
    free(made);
    return first;
}
