// Loops and comparisons where unsigned numbers wrap.
// covet: cover % --function wrap
int wrap(unsigned a, unsigned long b, unsigned short c)
{
    if (a - 5 > a)
        return a == 2 ? 1 : 2;
    if (b + 10 < b)
        return 3;
    if ((unsigned short)(c + 1) == 0)
        return 4;
    if (a * 2 < a && a * 2 == 8)
        return 5;
    if ((int)(a - 0x80000000u) == 12)
        return 6;
    return 0;
}
