// Bits that choose items: the sum must fit exactly.
// covet: cover % --function pack
int pack(unsigned char chosen)
{
    static const int weight[8] = {3, 34, 4, 12, 5, 2, 41, 27};
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (chosen >> i & 1) * weight[i];
    if (sum == 83)
        return 1;
    if (sum == 11)
        return 2;
    if (sum > 127)
        return 3;
    return 0;
}
