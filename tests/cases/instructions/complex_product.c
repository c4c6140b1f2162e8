// A product of complex numbers.
// covet: cover % --function product
#include <complex.h>
int product(float re, float im)
{
    float complex z = re + im * I;
    float complex p = z * (2.0f + 0.0f * I);
    if (crealf(p) == 8.0f)
        return 1;
    if (cimagf(p) < -10.0f)
        return 2;
    return 0;
}
