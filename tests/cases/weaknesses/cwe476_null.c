// CWE-476: the check for NULL does not keep the pointer from being followed.
// covet: cover % --function bad
// covet: cover % --function good
#include <stddef.h>

struct pair {
    int one, two;
};

int bad(const struct pair *data)
{
    if (data != NULL & data->one == 5)
        return 1;
    return 0;
}

int good(const struct pair *data)
{
    if (data != NULL && data->one == 5)
        return 1;
    return 0;
}
