// long double and complex parameters come as concrete values; the rest is still solved.
// covet: cover % --function heavy
int heavy(long double l, int x, _Complex double z)
{
    if (x == 5)
        return l == l ? 1 : 2; /* 2 is for no number, which is not tried */
    if (x > 1000)
        return 3;
    return __real__ z < 100 ? 0 : 4;
}
