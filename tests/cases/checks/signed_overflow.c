// Signed results that do not fit: a sum, a product, a negation. Only told when asked for.
// covet: cover % --check signed-overflow
// covet: cover %
int sum(int a, int b)
{
    if (a < 1000000000)
        return 0;
    return a + b;
}

long product(long a)
{
    return a * 3;
}

int negation(int a)
{
    return a == 5 ? 1 : -a;
}
