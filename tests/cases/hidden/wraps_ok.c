// covet: cover % --function table --function image
#include <stdlib.h>

int table(unsigned count)
{
    int first, *all;
    if (count > 0x3fffffff || !count || !(all = malloc(count * 4u)))
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
    if (!width || !height || width > 0x8000 || height > 0x8000)
        return 0;
    pixels = malloc(width * height);
    if (!pixels)
        return 0;
    pixels[width - 1] = 7;
    last = pixels[width - 1];
    free(pixels);
    return last;
}
