// Random input alone: finds the wide branches. The narrow one stays uncovered, which is why there are solvers.
// covet: cover % --function chance --strategy random-input --iterations 200
int chance(int x, unsigned char y)
{
    if (x < 0)
        return 1;
    if (y % 2)
        return 2;
    if (x == 123456789)
        return 3; /* as good as never by chance */
    return 0;
}
