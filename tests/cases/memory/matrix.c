// Matrices in two dimensions: determinants and permuted rows.
// covet: cover % --function matrix
int matrix(const signed char m[2][2], unsigned swap)
{
    int copy[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            copy[(i + swap) % 2][j] = m[i][j];
    int determinant = copy[0][0] * copy[1][1] - copy[0][1] * copy[1][0];
    if (determinant == 97)
        return swap & 1 ? 1 : 2;
    if (copy[1][0] == 100 && copy[0][1] == -100)
        return 3;
    return 0;
}
