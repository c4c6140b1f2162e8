// memcpy, memmove (overlapping) and memset carry symbolic bytes.
// covet: cover % --function move
#include <string.h>

int move(const unsigned char in[8], unsigned char fill)
{
    unsigned char buffer[12] = "...........";
    memcpy(buffer, in, 8);
    memmove(buffer + 2, buffer, 8); /* overlaps */
    if (buffer[9] == 'x' && buffer[0] == 'y' && buffer[1] != buffer[3])
        return 1; /* never: buffer[1] was copied to buffer[3] */
    if (buffer[2] == 0xc0 && buffer[3] == 0xde)
        return 2;
    memset(buffer, fill, 5);
    if (buffer[4] == '#' && buffer[5] == 'z')
        return buffer[3] == '#' ? 3 : 4; /* 4 never: filled alike */
    return 0;
}
