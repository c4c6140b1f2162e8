// CWE-121: a position read from the input is used on an array on the stack, checked below but not above.
// covet: cover % --function bad
// covet: cover % --function good
#include <stdlib.h>

static int parsed(const char text[6])
{
    char copy[7] = {0};
    for (int i = 0; i < 6; i++)
        copy[i] = text[i];
    return atoi(copy);
}

static int sum(const int *buffer)
{
    int all = 0;
    for (int i = 0; i < 10; i++)
        all += buffer[i];
    return all;
}

int bad(const char text[6])
{
    int buffer[10] = {0};
    int data = parsed(text);
    if (data < 0)
        return -1;
    buffer[data] = 1;
    return sum(buffer);
}

int good(const char text[6])
{
    int buffer[10] = {0};
    int data = parsed(text);
    if (data < 0 || data >= 10)
        return -1;
    buffer[data] = 1;
    return sum(buffer);
}
