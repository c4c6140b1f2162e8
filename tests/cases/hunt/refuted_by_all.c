// Two callers, both of which look first.
// covet: hunt %
static int divide(int a, int b)
{
    return a / b;
}

int positive(int a, int b)
{
    return b > 0 ? divide(a, b) : 0;
}

int masked(int a, int b)
{
    return divide(a, (b & 7) | 8);
}
