// Two calls above the mistake is `main`, and what it reads gets there.
// covet: hunt %
#include <stdio.h>

static int share(int total, int parts)
{
    return total / parts;
}

static int shared(int total, int parts)
{
    if (total < 10)
        return 0;
    return share(total, parts - 3);
}

int main(void)
{
    int total = getchar(), parts = getchar();
    if (total == EOF || parts == EOF)
        return 1;
    return shared(total, parts) > 20;
}
