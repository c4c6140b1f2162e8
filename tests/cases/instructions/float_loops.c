// Loops counted and ended by floating-point values.
// covet: cover % --function settle
int settle(float x)
{
    int n = 0;
    if (!(x > 0.0f && x < 100.0f))
        return -1;
    while (x >= 1.0f && n < 6) {
        x *= 0.5f;
        n++;
    }
    if (n == 5 && x > 0.75f)
        return 1;
    return n == 0 && x == 0.125f ? 2 : 0;
}
