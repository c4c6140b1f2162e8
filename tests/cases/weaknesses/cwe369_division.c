// CWE-369: a divisor from the input, and one that a sum makes zero.
// covet: cover % --function bad
// covet: cover % --function bad_modulo
// covet: cover % --function good
int bad(int data)
{
    return 100 / data;
}

int bad_modulo(unsigned a, unsigned b)
{
    if (a > 10 && b > 10)
        return 100 % (a + b);
    return 0;
}

int good(int data)
{
    if (data != 0)
        return 100 / data;
    return 0;
}
