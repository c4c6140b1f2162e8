// covet: cover % --config %.toml
/* A function of the mathematical library that is no term unless someone says so: the Bessel function of order n. */
#include <math.h>

int resonates(double x)
{
    return jn(2, x) > 0.48 ? 1 : 0;
}

int crosses(int order, double x)
{
    if (order < 1 || order > 3)
        return 0;
    return jn(order, x) < -0.3 ? 1 : 2;
}
