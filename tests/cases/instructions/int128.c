// 128-bit arithmetic: products, shifts and comparisons that do not fit into 64 bits.
// covet: cover % --function wide
typedef unsigned __int128 u128;

int wide(unsigned long a, long b, __int128 c)
{
    u128 product = (u128)a * 1000000007u;
    if (product >> 64 == 17 && (unsigned long)product % 2 == 1)
        return 1;
    __int128 sum = (__int128)b * 3 + c;
    if (sum < 0)
        return 2;
    if (c >> 100 == 5)
        return 3;
    if ((u128)c > (u128)1 << 127)
        return 4;
    return 0;
}
