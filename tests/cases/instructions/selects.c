// Conditions kept in variables, combined without branching, and used later.
// covet: cover % --function late
int late(int a, int b, int c)
{
    int p = a > b, q = b == c, r = (a & c) != 0;
    int code = p << 2 | q << 1 | r;
    _Bool all = p & q & !r;
    if (code == 5)
        return 1;
    if (all)
        return 2;
    return code[(const int[]){3, 4, 5, 6, 7, 8, 9, 10}] == 6 ? 3 : 0;
}
