// The divisor is zero only for inputs no branch asks for.
// covet: cover % --function average
int average(int total, int count, int ignored)
{
    int divisor = count - ignored * 2 + 1;
    if (total == 1000)
        return 1000 / divisor;
    return total % 10;
}
