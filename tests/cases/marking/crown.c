// CROWN's interface: SYM_ in its statement form, its expression form, and with a name.
// covet: run %
#include <crown.h>

int main(void)
{
    int x;
    double d;
    SYM_int(x);
    SYM_double(d);
    long l = SYM_long();
    unsigned char u = SYM_unsigned_char();
    if (x == 31337)
        return 1;
    if (d > 2.0 && d < 2.5)
        return 2;
    if (l == -1 && u == 128)
        return 3;
    SYM_assume(x > 0);
    return x == 5 ? 4 : 0;
}
