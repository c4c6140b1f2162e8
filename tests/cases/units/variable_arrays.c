// covet: cover %
/* Parameters written as arrays: of variable length, of rows of variable length, without a length, through a typedef. How many
   rows there are is a guess: line 9 may go beyond them. */

double trace(int n, double a[n][n])
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i][i];
    return sum > 10 ? 1 : sum;
}

int total(int rows, int columns, int m[rows][columns])
{
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += m[i][j];
    return sum == 42;
}

int second(int n, int v[n])
{
    return n > 2 && v[1] == 7;
}

int firsts(int v[], int w[][3], char *names[], int n)
{
    return n > 0 && v && v[0] == 3 && w && w[0][2] == 5 && names && names[0] && names[0][0] == 'q';
}

typedef int vec[4];

int thirds(vec v, const vec w)
{
    return v[2] == 9 && w[3] == 8;
}
