// Signed results that always fit, and unsigned ones that may wrap.
// covet: cover % --check signed-overflow
#include <limits.h>

int sum(int a, int b)
{
    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
}

unsigned product(unsigned a)
{
    return a * 3;
}

int narrow(short a, short b)
{
    return a * b;
}

long negation(int a)
{
    return -(long)a;
}
