// CWE-416: a member is read through a pointer whose object an error path has freed.
// covet: cover % --function bad
// covet: cover % --function good
#include <stdlib.h>

struct pair {
    int one, two;
};

static struct pair *made(int one)
{
    struct pair *data = malloc(sizeof *data);
    if (!data)
        abort();
    data->one = one;
    data->two = one * 2;
    return data;
}

int bad(int one)
{
    struct pair *data = made(one & 0xff);
    if (data->two == 84)
        free(data);
    int result = data->one;
    if (data->two != 84)
        free(data);
    return result;
}

int good(int one)
{
    struct pair *data = made(one & 0xff);
    int result = data->one;
    free(data);
    return result == 42;
}
