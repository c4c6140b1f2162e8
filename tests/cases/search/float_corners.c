// Floats turn where rounding does: large numbers swallow small ones, zeros have signs, products must come out exactly.
// covet: cover % --function corners
int corners(double a, double b, int i)
{
    if (a + 1.0 == a && a > 0 && a < 1e300)
        return 1;
    if (b == a && 1.0 / b != 1.0 / a)
        return 2;
    if (b * i == 7.5 && i == 3)
        return 3;
    if (__builtin_fma(b, b, 1.0) == 10.0 && b > 0)
        return 4;
    return 0;
}
