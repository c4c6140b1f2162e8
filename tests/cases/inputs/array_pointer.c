// A pointer used as an array with a length beside it.
// covet: cover % --function total --iterations 100
int total(const int *values, int n)
{
    int sum = 0;
    if (!values || n < 0 || n > 3)
        return -1;
    for (int i = 0; i < n; i++)
        sum += values[i];
    if (n == 3 && sum == 60 && values[0] == 10)
        return 1;
    return 0;
}
