// Division and parameters of 128 bits.
// covet: cover % --function divide
typedef unsigned __int128 u128;
int divide(u128 a, unsigned long b)
{
    if (b < 10 || b > 100)
        return -1;
    if (a >> 64 > 3)
        return -2;
    u128 q = a / 10;
    if (q == 123 && b == 77)
        return 1;
    if ((__int128)a < 0)
        return 2; /* never */
    if ((unsigned long)(a % 7) == 6 && a > 1000)
        return 3;
    return 0;
}
