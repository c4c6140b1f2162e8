// Euclid: long runs need numbers in the right proportion.
// covet: cover % --function gcd --strategy cfg
int gcd(unsigned char a, unsigned char b)
{
    if (a > 8 || b > 8)
        return -1;
    int steps = 0;
    while (b != 0) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
        steps++;
    }
    if (steps > 2 && a == 1)
        return 1;
    if (a == 7)
        return 2;
    return 0;
}
