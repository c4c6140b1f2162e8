// _Bool holds nothing but 0 and 1, whatever is stored.
// covet: cover % --function truths
#include <stdbool.h>

int truths(bool a, bool b, int x, double d)
{
    bool c = x;
    bool e = d;
    if (a + b == 2)
        return 1;
    if (a)
        return c == e ? 2 : 3;
    if (c && x == 256)
        return 4; /* (char)256 would be 0 */
    if (e > c)
        return d == 0.5 ? 5 : 6;
    c += 5;
    return c ^ b ? 7 : 8;
}
