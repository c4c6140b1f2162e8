/* Definitions in the style of the first edition, implicit ints and all. */
// covet: run % --stdin 2 -- -std=gnu89 -w -DLIMIT=50
#include <stdio.h>
int add(a, b)
    int a;
    char b;
{
    return a + b;
}
main()
{
    int c = getchar();
    if (add(c, 3) == LIMIT)
        return 1;
    return add(getchar(), 0) > 100 ? 2 : 0;
}
