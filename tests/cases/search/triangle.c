// The triangle classifier.
// covet: cover % --function triangle --strategy generational
int triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0 || a > 10000 || b > 10000 || c > 10000)
        return -1;
    if (a + b <= c || a + c <= b || b + c <= a)
        return 0;
    if (a == b && b == c)
        return 3;
    if (a == b || b == c || a == c)
        return 2;
    if (a * a + b * b == c * c)
        return 4; /* right-angled */
    return 1;
}
