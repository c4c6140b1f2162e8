// Counting bits: population, leading and trailing zeros, parity.
// covet: cover % --function count
int count(unsigned x, unsigned long y)
{
    if (x == 0 || y == 0)
        return -1;
    if (__builtin_popcount(x) == 31 && !(x & 1 << 9))
        return 1;
    if (__builtin_clz(x) == 7 && __builtin_ctz(x) == 24)
        return 2;
    if (__builtin_ctzl(y) == 47)
        return __builtin_popcountl(y) == 3 ? 3 : 4;
    if (__builtin_clzl(y) == 63)
        return 5;
    if (__builtin_parity(x) && x > 0xfffffff0u)
        return 6;
    return 0;
}
