// A pointer that is null on one path only.
// covet: cover % --function pick
static int low = 1, high = 2;

static int *choose(int x)
{
    if (x < 10)
        return &low;
    if (x > 20)
        return &high;
    if (x == 13)
        return 0;
    return &low;
}

int pick(int x)
{
    int *p = choose(x);
    return *p;
}
