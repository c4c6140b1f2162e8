// CWE-590: memory that is not from the heap is freed, and a pointer into the middle of what is.
// covet: cover % --function bad
// covet: cover % --function bad_middle
// covet: cover % --function good
#include <stdlib.h>

int bad(int how)
{
    char buffer[20];
    char *data = malloc(20);
    if (!data)
        return -1;
    if (how == 9) {
        free(data);
        data = buffer;
    }
    data[0] = 'A';
    int first = data[0];
    free(data);
    return first;
}

int bad_middle(int how)
{
    char *data = malloc(20);
    if (!data)
        return -1;
    data[0] = 'A';
    if (how == 9)
        data++;
    free(data);
    return 0;
}

int good(int how)
{
    char *data = malloc(20);
    if (!data)
        return -1;
    data[0] = how == 9 ? 'A' : 'B';
    int first = data[0];
    free(data);
    return first;
}
