// Functions that call themselves and each other: who is asked once is not asked again.
// covet: hunt %
static int down(int n, int divisor)
{
    if (n > 0)
        return down(n - 1, divisor);
    return 12 / divisor;
}

int from(int n)
{
    if (n < 0 || n > 3)
        return 0;
    return down(n, n);
}

static int even(int n, int divisor);

static int uneven(int n, int divisor)
{
    return n <= 0 ? 7 / divisor : even(n - 1, divisor);
}

static int even(int n, int divisor)
{
    return n <= 0 ? 8 / divisor : uneven(n - 1, divisor);
}

int parity(int n)
{
    if (n < 0 || n > 3)
        return 0;
    return even(n, n + 1);
}
