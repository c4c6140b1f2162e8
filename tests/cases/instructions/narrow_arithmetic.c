// Arithmetic in narrow types: promotion, then truncation on assignment.
// covet: cover % --function narrow
int narrow(unsigned char a, unsigned char b, signed char c, unsigned short d)
{
    unsigned char sum = a + b;
    if (sum < a && sum == 3)
        return 1;
    if (a + b > 500)
        return 2;
    c <<= 1;
    if (c == -2)
        return 3;
    d *= d;
    if (d == 0x4000)
        return 4;
    a -= 1, b = -b;
    if (a == b && a == 0xf0)
        return 5;
    return 0;
}
