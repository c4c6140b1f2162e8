// div gives quotient and remainder at once, rounded towards zero.
// covet: cover % --function parts
#include <stdlib.h>
int parts(int a, int b)
{
    if (b < 1 || b > 50 || a < -1000 || a > 1000)
        return -1;
    div_t d = div(a, b);
    if (d.quot == -7 && d.rem == -3)
        return 1;
    return 0;
}
