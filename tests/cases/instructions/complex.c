// Complex numbers are pairs of floating-point numbers.
// covet: cover % --function plane
#include <complex.h>

int plane(double re, double im)
{
    double complex z = re + im * I;
    double complex w = z + (3.0 - 2.0 * I);
    if (creal(w) == 10.0)
        return 1;
    if (cimag(w) == 0.5)
        return 2;
    if (creal(z * 2.0) < -100.0 && cimag(conj(z)) > 8.0)
        return 3;
    return 0;
}
