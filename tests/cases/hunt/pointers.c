// Called through pointers alone: from a table by index, and as a callback that is handed on.
// covet: hunt %
static int inverse(int x)
{
    return 100 / x;
}

static int same(int x)
{
    return x;
}

static int (*const operations[])(int) = {same, inverse};

int apply(unsigned which, int x)
{
    if (which > 1)
        return 0;
    return operations[which](x);
}

static int reciprocal(int x)
{
    return 1000 / x;
}

static int each(int (*operation)(int), int count)
{
    int sum = 0;
    for (int i = 1; i <= count && i <= 3; i++)
        sum += operation(i);
    return sum;
}

int sum_of(int count)
{
    return each(reciprocal, count);
}
