// A type-length-value parser trusting a length: it reads far outside.
// covet: cover % --function records
#include <stdlib.h>
#include <string.h>
int records(const unsigned char in[4])
{
    unsigned char *copy = malloc(4);
    memcpy(copy, in, 4);
    int result = 0;
    if (copy[0] == 'T') {
        unsigned long length = copy[1] | (unsigned long)copy[2] << 40;
        if (length > 1ul << 40)
            result = copy[length]; /* no check */
        else
            result = length;
    }
    free(copy);
    return result;
}
