// Comparisons with NaN, infinities and the two zeros.
// covet: cover % --function order
int order(double a, double b)
{
    if (a != a)
        return 1;
    if (!(a < b) && !(a >= b))
        return 2; /* b is NaN */
    if (a == b && __builtin_signbit(a) != __builtin_signbit(b))
        return 3; /* zeros of both signs */
    if (a - a != 0)
        return a > 0 ? 4 : 5; /* infinities */
    if (__builtin_isgreater(a, b))
        return 6;
    if (__builtin_isunordered(a, b))
        return 7; /* never: NaNs have left above */
    return 0;
}
