// Shifts by symbolic amounts: left, right with zeros, right with the sign.
// covet: cover % --function shift
int shift(unsigned x, int y, unsigned char by)
{
    if (by >= 32)
        return -1;
    if (x << by == 0xa0000000u && x == 10)
        return 1;
    if (y < 0 && y >> by == -3)
        return by > 20 ? 2 : 3;
    if (x >> by == 5 && by == 29)
        return 4;
    if ((1u << by & x) != 0 && by == 13)
        return 5;
    if ((unsigned char)(by << 5) == 96 && by > 8)
        return 6;
    return 0;
}
