// Sizes of allocations and copies are used as they are, and others are tried.
// covet: cover % --function fill --function allocate --function variable
#include <stdlib.h>
#include <string.h>

int fill(unsigned char length, char fill)
{
    char buffer[256] = {0};
    memset(buffer, fill, length);
    if (buffer[4] == '#')
        return 1;
    return length == 9;
}

int allocate(unsigned char size)
{
    char *block = malloc(size);
    int result = 0;
    if (!block)
        return -1;
    if (size > 100)
        result = 1;
    free(block);
    return result;
}

int variable(unsigned char count)
{
    int sum = 0;
    int numbers[count + 1];
    for (int i = 0; i <= count; i++)
        numbers[i] = i;
    for (int i = 0; i <= count; i++)
        sum += numbers[i];
    if (sum == 15)
        return 1;
    return 0;
}
