// Function pointers: none, a function of the program, one that is made up and returns what is asked of it.
// covet: cover % --function each
#include <stddef.h>
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
struct ops { int (*map)(int); double (*weigh)(void); void (*done)(void *); };
int each(const struct ops *ops, int x)
{
    if (!ops || !ops->map)
        return -1;
    if (ops->map == square)
        return 1;
    if (ops->map == twice)
        return 2;
    int first = ops->map(x), second = ops->map(x);
    if (first == 12345 && second == -7)
        return 3;
    if (ops->weigh && ops->weigh() == 2.5)
        return 4;
    if (ops->done)
        ops->done(NULL);
    return 0;
}
