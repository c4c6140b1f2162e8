// Parameters declared as arrays of fixed size, of one and two dimensions.
// covet: cover % --function arrays
int arrays(const int a[3], const char b[2][3], const double c[static 2])
{
    if (a[0] + a[1] == 10 && a[2] == a[0] * 2 && a[2] > 100)
        return 1;
    if (b[1][2] == 'x' && b[0][0] == b[1][2] + 1)
        return 2;
    if (c[1] > c[0] && c[0] > 1.5)
        return 3;
    return 0;
}
