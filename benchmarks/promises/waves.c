// Conditions of floating point and library functions without a solution.
// promise: time
// covet: cover % --function f --time 4
// check: branches 1; not stopped exhausted
#include <math.h>
int f(double x, double y, double z)
{
    if (sin(x) * cos(y) + exp(-z * z) == 0.123456789 && pow(x, y) == tan(z) && sqrt(fabs(x * y)) > 1e9)
        return 1;
    return 0;
}
