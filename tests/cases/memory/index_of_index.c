// An index found in one table is used in another.
// covet: cover % --function chain
static const unsigned char next[8] = {3, 0, 5, 7, 1, 6, 2, 4};
static const short weight[8] = {5, -20, 31, 44, -7, 60, 12, 9};
int chain(unsigned start)
{
    if (start > 7)
        return -1;
    unsigned at = start;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += weight[at];
        at = next[at];
    }
    if (sum == 103)
        return 1;
    if (sum < 0)
        return 2;
    return at == 7 ? 3 : 0;
}
