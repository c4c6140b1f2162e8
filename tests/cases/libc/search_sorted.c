// bsearch with a comparison of ours over a constant table.
// covet: cover % --function find
#include <stdlib.h>
struct code { int number; char letter; };
static const struct code codes[] = {{3, 'c'}, {17, 'q'}, {256, 'x'}, {1000, 'm'}, {65536, 'k'}};

static int by_number(const void *key, const void *element)
{
    int wanted = *(const int *)key, here = ((const struct code *)element)->number;
    return wanted < here ? -1 : wanted > here;
}

int find(int number)
{
    const struct code *found = bsearch(&number, codes, 5, sizeof *codes, by_number);
    if (!found)
        return 0;
    switch (found->letter) {
    case 'c': return 1;
    case 'q': return 2;
    case 'x': return 3;
    case 'm': return 4;
    default: return 5;
    }
}
