// Division and remainder round towards zero; the remainder has the sign of the dividend.
// covet: cover % --function divide
int divide(int a, int b, unsigned c, long d)
{
    if (b == 0 || (a == -2147483647 - 1 && b == -1))
        return -1;
    if (a / b == -3 && a % b == -2)
        return 1;
    if (b == 10 && a % b == 7 && a / b == 123)
        return 2;
    if (c / 10 == 429496729u && c % 10 == 5)
        return 3;
    if (c % 1000 == 999 && (int)c < 0)
        return 4;
    if (d / -1000 == 12345 && d % 16 == -5)
        return 5;
    return 0;
}
