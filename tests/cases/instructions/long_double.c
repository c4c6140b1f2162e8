// long double is followed with concrete values only: what hangs on it alone is found by luck, the rest must still be exact.
// The branches on `l` are taken as the integers around them are solved.
// covet: cover % --function extended
int extended(int a, long double unused)
{
    long double l = a;
    l = l * 0.5L + 1.0L;
    int back = (int)l; /* from here on concrete */
    if (a == 40)
        return back == 21 ? 1 : 2; /* 2 never: half of 40 and one */
    if (a == -7)
        return l < 0 ? 3 : 4; /* 4 never */
    return 0;
}
