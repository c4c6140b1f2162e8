// Direct and mutual recursion whose depth depends on input.
// covet: cover % --function climb
static int odd(unsigned n);
static int even(unsigned n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}
static int odd(unsigned n)
{
    if (n == 0)
        return 0;
    return even(n - 1);
}
static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int climb(unsigned char n, unsigned char m)
{
    if (n > 6 || m > 2)
        return -1;
    if (odd(n))
        return ackermann(m, 1) == 5 ? 1 : 2;
    return 0;
}
