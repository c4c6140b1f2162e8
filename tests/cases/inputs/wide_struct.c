// A struct with every scalar in it, padding between, by pointer.
// covet: cover % --function wide
#include <stdbool.h>
struct wide { bool b; double d; char c; long l; short s[3]; float f; unsigned long long u; enum { A, B = 9 } e; };
int wide(const struct wide *w)
{
    if (!w)
        return -1;
    if (w->b && w->d == -1.25)
        return 1;
    if (w->s[2] == w->c && w->c == 99)
        return 2;
    if (w->l < -1000000000000 && w->u > 1ull << 60)
        return 3;
    return w->e == B ? 4 : w->f == 3.0f ? 5 : 0;
}
