// An array of doubles: order, sums, and what is not a number.
// covet: cover % --function mean
int mean(const double x[3])
{
    double sum = x[0] + x[1];
    if (sum != sum)
        return -1;
    if (sum == 6.0)
        return 1;
    if (x[0] > x[1] && x[1] > x[2] && x[2] > 100.0)
        return 2;
    return 0;
}
