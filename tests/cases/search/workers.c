// Two workers share the paths.
// covet: cover % --function share -j 2
int share(int a, int b, int c)
{
    int n = 0;
    if (a > 5) n |= 1;
    if (b > 6) n |= 2;
    if (c > 7) n |= 4;
    if (n == 7 && a + b + c == 100)
        return 1;
    return n;
}
