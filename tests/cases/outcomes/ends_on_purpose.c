// A function that always ends the program is how this one gives up on input that it cannot read: a call of it is no crash. One whose name
// says that it must not be called is.
// covet: hunt % --show latent
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *why)
{
    fprintf(stderr, "cannot go on: %s\n", why);
    abort();
}

static void assertion_failed(int line)
{
    fprintf(stderr, "line %d\n", line);
    abort();
}

int units(int boxes)
{
    if (boxes < 0)
        give_up("fewer than none");
    if (boxes == 4711)
        assertion_failed(__LINE__);
    return boxes * 12;
}

int main(void)
{
    return units(getchar() * 100 + getchar()) > 0;
}
