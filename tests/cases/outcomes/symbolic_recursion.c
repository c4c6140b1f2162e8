// Recursion that never meets its end, on symbolic data: a stack overflow, with the calls that led there.
// covet: cover % --function descend
static int depth(unsigned n)
{
    volatile char frame[8192];
    frame[0] = 1;
    if (n == 0)
        return 0;
    return depth(n - 2) + frame[0];
}

int descend(unsigned n)
{
    if (n > 5)
        return -1;
    return depth(n);
}
