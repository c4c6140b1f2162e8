// A magic square: nine unknowns, eight sums.
// covet: cover % --function square
int square(const unsigned char c[9])
{
    unsigned seen = 0;
    for (int i = 0; i < 9; i++) {
        if (c[i] < 1 || c[i] > 9)
            return -1;
        seen |= 1u << c[i];
    }
    if (seen != 0x3fe)
        return -2;
    for (int i = 0; i < 3; i++)
        if (c[3 * i] + c[3 * i + 1] + c[3 * i + 2] != 15 || c[i] + c[i + 3] + c[i + 6] != 15)
            return -3;
    if (c[0] + c[4] + c[8] != 15 || c[2] + c[4] + c[6] != 15)
        return -4;
    return 1;
}
