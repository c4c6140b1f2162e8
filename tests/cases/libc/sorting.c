// qsort and bsearch call the program's own comparison.
// covet: run %
#include <covet.h>
#include <stdlib.h>
static int by_value(const void *a, const void *b)
{
    const short *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}
int main(void)
{
    short a[4], key = 42;
    covet_symbolic(a, sizeof a, "a");
    qsort(a, 4, sizeof *a, by_value);
    if (a[0] > a[3])
        return 9;
    if (a[1] == a[0] + 1 && a[2] == a[1] + 1 && a[3] == 1000)
        return 1;
    if (bsearch(&key, a, 4, sizeof *a, by_value))
        return 2;
    return 0;
}
