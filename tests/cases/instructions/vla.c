// Arrays of run-time size, of one and two dimensions.
// covet: cover % --function grid
int grid(unsigned n, unsigned m, unsigned at)
{
    if (n == 0 || n > 4 || m == 0 || m > 4)
        return -1;
    int cells[n][m];
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            cells[i][j] = i * 10 + j;
    if (sizeof cells == 12 * sizeof(int))
        return n == 3 ? 1 : 2;
    int *flat = &cells[0][0];
    if (at < n * m && flat[at] == 23)
        return 3;
    return 0;
}
