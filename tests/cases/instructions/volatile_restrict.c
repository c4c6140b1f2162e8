// volatile reads and writes are kept; restrict promises change nothing.
// covet: cover % --function mix
static volatile int device;

static void blend(int *restrict to, const int *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = to[i] * 2 + from[i];
}

int mix(int a, int b)
{
    device = a;
    device += 3;
    int seen = device;
    if (seen == 50)
        return 1;
    int x[2] = {a, b}, y[2] = {b, a};
    blend(x, y, 2);
    if (x[0] == 10 && x[1] == 11)
        return 2;
    return device != seen ? 3 : 0; /* 3 never: nobody else writes */
}
