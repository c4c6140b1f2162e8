// What lies deeper than the bound is not flipped: the loop's later branches stay as they fall.
// covet: cover % --function deep --strategy bounded-dfs --max-depth 3
int deep(const unsigned char in[6])
{
    int n = 0;
    for (int i = 0; i < 6; i++)
        if (in[i] == 'a' + i)
            n++;
    if (n == 6)
        return 1; /* beyond the bound: not found */
    if (n == 3)
        return 2; /* within it */
    return 0;
}
