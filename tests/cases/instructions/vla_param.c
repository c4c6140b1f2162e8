// A parameter whose type depends on another one.
// covet: cover % --function trace
static int sum(int n, int m[n][n])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += m[i][i];
    return total;
}
int trace(int a, int b, int c, int d)
{
    int m[2][2] = {{a, b}, {c, d}};
    if (sum(2, m) == 1001)
        return 1;
    int k[1][1] = {{b}};
    if (sum(1, k) == -6)
        return 2;
    return 0;
}
