// A growing buffer: contents survive realloc, old places are forgotten.
// covet: cover % --function grow
#include <stdlib.h>
int grow(const unsigned char in[6])
{
    unsigned char *buffer = 0;
    int used = 0, size = 0;
    for (int i = 0; i < 6; i++) {
        if (in[i] == 0)
            break;
        if (used == size)
            buffer = realloc(buffer, size = size ? size * 2 : 1);
        buffer[used++] = in[i];
    }
    int result = used;
    if (used == 5 && buffer[0] + buffer[4] == 300)
        result = 100;
    free(buffer);
    return result;
}
