// DART's example: the second error lies behind an overflow of x * x * x.
// covet: cover % --function dart
int dart(int x, int y) {
    int cube = (int)((unsigned)x * (unsigned)x * (unsigned)x);
    if (cube > 0) {
        if (x > 0 && y == 10)
            return 1;
    } else {
        if (x > 0 && y == 20)
            return 2;
    }
    return 0;
}
