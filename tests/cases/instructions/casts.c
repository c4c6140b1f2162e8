// Truncation, sign extension and zero extension in chains.
// covet: cover % --function casts
int casts(long x, int y, short z)
{
    if ((signed char)x == -1 && (unsigned char)(x >> 8) == 0x80)
        return (int)x < 0 ? 1 : 2;
    if ((unsigned long)y == 0xffffffff80000001ul)
        return 3;
    if ((unsigned long)(unsigned)y == 0x80000002ul)
        return 4;
    if ((unsigned short)z == 40000)
        return 5;
    if ((long)(unsigned char)z * 0x101 == (unsigned short)z && z != 0)
        return 6; /* both bytes alike */
    if ((_Bool)(x & 0x100) && !(char)x)
        return 7;
    return 0;
}
