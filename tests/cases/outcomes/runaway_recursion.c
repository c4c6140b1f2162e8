// Recursion that only ends for some inputs.
// covet: cover % --function descend --run-time 8000
static void fill(char *frame, int n)
{
    for (int i = 0; i < n; i += 512)
        frame[i] = i;
}

static int depth(unsigned n)
{
    char frame[4096];
    fill(frame, sizeof frame);
    if (n == 0)
        return 0;
    return depth(n - 2) + frame[512];
}

int descend(unsigned n)
{
    if (n > 5)
        return -1;
    if (n & 1)
        return depth(n); /* passes by 0 */
    return depth(n) + 1;
}
