// Sixteen bits in all behind long chains of remainders: every combination can be tried, so nothing stays open.
// covet: cover % --function steps --until exhausted
int steps(unsigned char a, unsigned char b)
{
    int n = 0;
    while (b) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
        n++;
    }
    if (a == 13 && n == 4)
        return 1;
    if (a == 13 && n == 7)
        return 2; /* never: 13 * 34 does not fit */
    return n > 9 ? 3 : 0;
}
