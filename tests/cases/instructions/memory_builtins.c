// memcpy, memmove (overlapping) and memset carry symbolic bytes, with symbolic lengths too.
// covet: cover % --function move
#include <string.h>

int move(const unsigned char in[8], unsigned char fill, unsigned length)
{
    unsigned char buffer[12] = "...........";
    memcpy(buffer, in, 8);
    memmove(buffer + 2, buffer, 8); /* overlaps */
    if (buffer[9] == 'x' && buffer[0] == 'y' && buffer[1] != buffer[3])
        return 1; /* never: buffer[1] was copied to buffer[3] */
    if (buffer[2] == 0xc0 && buffer[3] == 0xde)
        return 2;
    if (length > 12)
        return 3;
    memset(buffer, fill, length);
    if (buffer[4] == '#' && buffer[5] == 'z')
        return length == 5 ? 4 : 5;
    return 0;
}
