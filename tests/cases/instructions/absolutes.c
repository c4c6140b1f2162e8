// abs, labs, fabs and the idioms for minimum and maximum.
// covet: cover % --function measure
#include <math.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int measure(int a, long b, double c, float d)
{
    if (abs(a) == 321 && a < 0)
        return 1;
    if (abs(a) > 2147483000 && a < 0)
        return 2;
    if (labs(b) == 1l << 40)
        return b > 0 ? 3 : 4;
    if (fabs(c) == 0.25 && c != 0.25)
        return 5;
    if (fminf(d, 3.0f) == -8.0f)
        return 6;
    if (fmax(c, 100.0) > 1000.0)
        return 7;
    if (MIN(a, 50) == MAX(a, 40) && a % 7 == 0)
        return 8;
    return 0;
}
