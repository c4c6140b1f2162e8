// Equations between floats that bit-precise solvers take seconds for.
// covet: cover % --function absorbed --function signed_zeros --function mixed --function fused -- -lm
#include <math.h>

int absorbed(double b) {
    if (b + 1.0 == b && b > 0 && b < 1e300)
        return 1;
    return 0;
}

int signed_zeros(double a, double b) {
    if (a == b && 1.0 / a != 1.0 / b)
        return 1;
    return 0;
}

int mixed(double d, int i) {
    if (d * i == 7.5 && i == 3)
        return 1;
    return 0;
}

int fused(double a) {
    if (fma(a, a, 1.0) == 10.0 && a > 0)
        return 1;
    return 0;
}
