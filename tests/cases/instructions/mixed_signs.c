// The usual conversions: which comparisons become unsigned, and which do not.
// covet: cover % --function mixed
int mixed(int i, unsigned u, long l, unsigned char c, signed char s)
{
    if (i < 0 && i > u) /* a negative int is large as unsigned */
        return u == 7 ? 1 : 2;
    if (l < u && l < -5) /* long holds every unsigned: stays signed */
        return 3;
    if (c + s < 0 && c > 100)
        return 4;
    if ((unsigned)s > 0xffffff00u && s % 7 == -3)
        return 5;
    return 0;
}
