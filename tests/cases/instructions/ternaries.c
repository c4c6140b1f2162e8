// Chains of ?: become selects and phis; the value chosen must keep its formula.
// covet: cover % --function choose
int choose(int a, int b, int c)
{
    int least = a < b ? (a < c ? a : c) : (b < c ? b : c);
    int most = a > b ? a > c ? a : c : b > c ? b : c;
    int sign = a > 0 ? 1 : a < 0 ? -1 : 0;
    int middle = a + b + c - least - most;
    if (middle == 50 && most - least == 7)
        return sign * least == 46 ? 1 : 2;
    if (sign == -1 && least == b)
        return 3;
    return (a == b) & (b == c) ? 4 : 5;
}
