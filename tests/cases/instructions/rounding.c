// Rounding functions are formulas, not opaque calls.
// covet: cover % --function round_all
#include <math.h>

int round_all(double a, float b)
{
    if (floor(a) == 7.0 && a != 7.0)
        return 1;
    if (ceil(a) == -3.0 && a < -3.5)
        return 2;
    if (trunc(a) == 0.0 && a > 0.9)
        return 3;
    if (rint(a) == 4.0 && a > 4.0)
        return 4;
    if (roundf(b) == 13.0f && b < 13.0f)
        return 5;
    if (copysign(1.0, a) < 0 && a == 0.0)
        return 6;
    if (signbit(b) && b == -3.5f)
        return 7;
    return 0;
}
