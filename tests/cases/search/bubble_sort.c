// Sorting explores one path for every order of the elements.
// covet: cover % --function bubble --strategy dfs
int bubble(const int in[4])
{
    int a[4], swaps = 0;
    for (int i = 0; i < 4; i++)
        a[i] = in[i];
    for (int end = 3; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (a[i] > a[i + 1]) {
                int held = a[i];
                a[i] = a[i + 1];
                a[i + 1] = held;
                swaps++;
            }
    if (swaps == 6)
        return 1; /* the reverse order only */
    return 0;
}
