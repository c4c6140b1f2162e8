// A number is printed and read back: what was read is known for this run only, and no prediction rests on it.
// covet: cover % --function print
#include <math.h>
#include <stdio.h>

static int same(double a, double b)
{
    double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) <= larger * 1e-15;
}

int print(double number, int rounded)
{
    char text[32];
    double back = 0;
    if (isnan(number) || isinf(number))
        return 1;
    if (number == (double)rounded)
        return 2;
    int length = sprintf(text, "%1.15g", number);
    if (sscanf(text, "%lg", &back) != 1 || !same(back, number))
        length = sprintf(text, "%1.17g", number);
    return length;
}
