// As many bytes are copied as the caller says: more than the array has, or than there are in the heap object.
// covet: cover % --function to_stack
// covet: cover % --function to_heap
#include <stdlib.h>
#include <string.h>

int to_stack(const char source[16], unsigned n)
{
    char copy[8];
    if (n == 0 || n > 16)
        return -1;
    memcpy(copy, source, n);
    return copy[0] == 'x';
}

int to_heap(const char source[16], unsigned n)
{
    if (n == 0 || n > 16)
        return -1;
    char *copy = malloc(n);
    if (!copy)
        return -1;
    memcpy(copy, source, n + 1);
    int found = copy[0] == 'x';
    free(copy);
    return found;
}
