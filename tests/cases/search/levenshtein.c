// Edit distance by dynamic programming.
// covet: cover % --function distance --iterations 600
int distance(const char a[3], const char b[3])
{
    int d[4][4];
    for (int i = 0; i <= 3; i++)
        d[i][0] = d[0][i] = i;
    for (int i = 1; i <= 3; i++)
        for (int j = 1; j <= 3; j++) {
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            d[i][j] = best;
        }
    if (d[3][3] == 2 && a[0] != b[0] && a[2] != b[2])
        return 1;
    return d[3][3] == 0 ? 2 : 0;
}
